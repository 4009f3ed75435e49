/**
 * The stable error codes of the package and what a person does about each. docs/errors.md is generated from this table
 * (`npm run generate`): a code is never renamed or reused for something else.
 */
export const ERROR_CODES = {
  k8s_kubeconfig_invalid: {
    title: 'The kubeconfig is refused',
    why: 'The guard found something that is not a self-contained kubeconfig: the error names the rule.',
    remedy: 'Make a self-contained kubeconfig by the recipe for your kind of cluster in docs/kubeconfig.md.',
  },
  k8s_server_mismatch: {
    title: 'Another server than the registered one',
    why: 'The current context of the kubeconfig points to a server that is not the API server of the credential.',
    remedy: 'Compare the two addresses (scheme, host, port and path) and correct the one that is wrong.',
  },
  k8s_cluster_has_hosts: {
    title: 'The cluster manages hosts already',
    why: 'A cluster that manages hosts cannot become a Kubernetes target.',
    remedy: 'Register a new cluster.',
  },
  k8s_egress_refused: {
    title: 'The address may not be connected to',
    why: 'The API server has an address that is never allowed, or a private address that no grant admits.',
    remedy:
      'Ask the administrator of the n8n host for the grant the error names (NAVIN_PRIVATE_NETWORKS, docs/private-networks.md).',
  },
  k8s_egress_policy_invalid: {
    title: 'The grants of private networks are not valid',
    why: 'NAVIN_PRIVATE_NETWORKS, its file or NAVIN_DEV_API_SERVER cannot be read, or grants an address that is never allowed.',
    remedy: 'Correct the setting the error names; until then no cluster is connected to.',
  },
  k8s_dns_failed: {
    title: 'The name of the API server does not resolve',
    why: 'DNS has no answer for the host of the API server.',
    remedy: 'Check the host name, and that the n8n host can resolve it.',
  },
  k8s_unreachable: {
    title: 'The API server cannot be reached',
    why: 'The connection was refused, reset or not answered.',
    remedy: 'Check address and port, firewalls, and that the API server is up.',
  },
  k8s_tls_untrusted: {
    title: 'The certificate of the API server is not trusted',
    why: "The server's certificate is not signed by the CA of the credential, has expired, or names another host.",
    remedy: "Add the cluster's CA to the credential (certificate-authority-data of the kubeconfig).",
  },
  k8s_timeout: {
    title: 'No answer in time',
    why: 'The API server did not answer within the time limit of the request.',
    remedy: 'Try again; raise the time limit of the operation where it has one; look at the load of the API server.',
  },
  k8s_aborted: {
    title: 'Stopped',
    why: 'The workflow or the request was stopped before the answer came.',
    remedy: 'Nothing to do; start it again if it was not meant to stop.',
  },
  k8s_outcome_unknown: {
    title: 'The outcome of a change is unknown',
    why: 'The connection broke after the change was sent and before the answer came. Changes are never repeated blindly.',
    remedy: 'Read the object and see whether the change is there before you repeat it.',
  },
  k8s_unauthorized: {
    title: 'The token or certificate is not accepted',
    why: 'The API server answered 401: the token or client certificate is wrong, expired or revoked.',
    remedy: 'Make a new token or certificate and put it into the credential.',
  },
  k8s_forbidden: {
    title: 'A right is missing',
    why: 'The API server answered 403: the identity of the credential lacks a right.',
    remedy: 'Add the rule the error shows to its Role or ClusterRole (docs/permissions.md).',
  },
  k8s_not_found: {
    title: 'Not found',
    why: 'The object, its namespace or its kind does not exist on this cluster.',
    remedy: 'Check name, namespace and kind.',
  },
  k8s_conflict: {
    title: 'Conflict',
    why: 'The object was changed by somebody else in between, or a field belongs to another field manager.',
    remedy: 'Read the object again and repeat the change on what it is now.',
  },
  k8s_already_exists: {
    title: 'It exists already',
    why: 'An object of this name exists in the namespace.',
    remedy: 'Choose another name, or let Kubernetes make one (Generate Name).',
  },
  k8s_expired: {
    title: 'The version is too old',
    why: 'The API server answered 410: the resourceVersion or the continue token is no longer in its history.',
    remedy: 'List again.',
  },
  k8s_invalid: {
    title: 'The API server refuses the object',
    why: 'A field is missing or has a value that is not allowed: the causes name the fields.',
    remedy: 'Correct the fields that are named.',
  },
  k8s_throttled: {
    title: 'Too many requests',
    why: 'The API server answered 429. Reads were repeated as Retry-After says, without success.',
    remedy: 'Try again later, or ask for less at once.',
  },
  k8s_server_error: {
    title: 'The API server has a fault',
    why: 'The API server answered 5xx. Reads were repeated without success.',
    remedy: 'Try again later; look at the health of the API server.',
  },
  k8s_not_kubernetes: {
    title: 'This is not a Kubernetes API server',
    why: 'The server answers, but not as a Kubernetes API server does.',
    remedy: 'Check the address, port and path of the API server.',
  },
  k8s_unsupported: {
    title: 'Not supported by this cluster',
    why: 'The cluster is older than Kubernetes 1.24 or does not serve what is asked for.',
    remedy: 'Use a cluster that serves it.',
  },
  k8s_response_invalid: {
    title: 'The answer cannot be read',
    why: 'The answer is not JSON, or is cut off in the middle.',
    remedy: 'Try again; if it stays, look for a proxy between n8n and the API server.',
  },
  k8s_response_too_large: {
    title: 'The answer is too large',
    why: 'The answer is larger than the limit that protects n8n.',
    remedy: 'Ask for less: a namespace, a selector, a smaller limit.',
  },
  k8s_parameter_invalid: {
    title: 'A parameter is not valid',
    why: 'The value of a parameter cannot be used: the error names the parameter and what it accepts.',
    remedy: 'Correct the parameter.',
  },
  k8s_operation_refused: {
    title: 'The operation is refused',
    why: 'The change would have no effect, would be undone, or would take away what must stay (a pod that nothing starts again, the last one a disruption budget needs): the error says what.',
    remedy: 'Do what the error says, or use the option that allows it where the operation has one.',
  },
  k8s_read_only: {
    title: 'The node is read only',
    why: "'Read Only' is on, and the operation can change the cluster. Nothing was sent.",
    remedy: "Choose an operation that only reads, or switch 'Read Only' off in the node.",
  },
  k8s_values_secret: {
    title: 'A value of a component holds a secret',
    why: 'A text stands under a key for secrets (password, token, apiKey, …), or is a private key or a URL with a password. The error names its path, never the value. Nothing was sent.',
    remedy: 'Put it into a Secret of the namespace, and name that in a secret reference of the component.',
  },
  k8s_maintenance: {
    title: 'The component is in maintenance',
    why: 'Stop, restart, scale in, configuration and removal are refused while a component is in maintenance. Nothing was sent.',
    remedy: 'End the maintenance, or wait until somebody does. Starting and scaling out are not refused.',
  },
  k8s_wait_failed: {
    title: 'What was waited for did not happen',
    why: 'The Job, pod, rollout, drain or component failed, or was not finished within the time to wait.',
    remedy: 'Look at the state and the logs in the output.',
  },
  k8s_command_failed: {
    title: 'The command failed',
    why: 'A command in a container ended with an exit code other than 0, or could not be started.',
    remedy: 'Look at its output and exit code in the details; see whether the container has the program at all.',
  },
  mcp_runtime_installed: {
    title: 'ToolHive is installed already',
    why: 'A ManagedComponent of ToolHive is in toolhive-system. Nothing was written.',
    remedy: 'See with Get Status how it is; to install it anew, remove both components first.',
  },
  mcp_runtime_forbidden: {
    title: 'A right that the MCP runtime needs is missing',
    why: 'The API server answered 403: the error names the verb and the resource.',
    remedy: 'Add the rule the error shows; Get Required Rights lists all of them (docs/permissions.md).',
  },
  mcp_runtime_instance_not_found: {
    title: 'No managed MCP instance',
    why: 'There is no MCPServer of this name, or it or its namespace has not the labels of the lifecycle controller: the answer is the same.',
    remedy: 'List the managed instances with Get Many. What was refused and why is in the log of n8n.',
  },
  k8s_internal: {
    title: 'A fault in this package',
    why: 'Something happened that the package does not know.',
    remedy: 'Report it with the workflow that shows it.',
  },
} as const satisfies Record<string, { title: string; why: string; remedy: string }>;

/** A stable error code, see {@link ERROR_CODES}. */
export type ErrorCode = keyof typeof ERROR_CODES;
