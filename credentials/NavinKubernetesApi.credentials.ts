import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

const WITH_KUBECONFIG = { show: { authentication: ['kubeconfig'] } };
const WITH_TOKEN = { show: { authentication: ['token'] } };

/**
 * How to reach a Kubernetes cluster. It is checked by the guard (core/kubeconfig) when it is tested and each time it is
 * used; the connection test belongs to the nodes (`testedBy`), because it runs our own connection rules.
 */
export class NavinKubernetesApi implements ICredentialType {
  name = 'navinKubernetesApi';

  displayName = 'Kubernetes API';

  icon: Icon = {
    light: 'file:../nodes/Kubernetes/kubernetes.svg',
    dark: 'file:../nodes/Kubernetes/kubernetes.dark.svg',
  };

  documentationUrl = 'https://github.com/navin-platform/n8n-nodes-kubernetes/blob/main/docs/credential.md';

  /** n8n refuses to decrypt it for any node but ours, the HTTP Request node included. */
  restrictToSupportedNodes = true as const;

  properties: INodeProperties[] = [
    {
      displayName: 'Authentication',
      name: 'authentication',
      type: 'options',
      default: 'kubeconfig',
      options: [
        { name: 'Kubeconfig', value: 'kubeconfig', description: 'A self-contained kubeconfig, as YAML or JSON' },
        { name: 'Token', value: 'token', description: 'The token of a service account' },
      ],
    },
    {
      displayName: 'API Server',
      name: 'apiServer',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. https://api.example.com:6443',
      description:
        'The address of the cluster. With a kubeconfig it must be the one in there: nothing else is connected to.',
    },
    // eslint-disable-next-line @n8n/community-nodes/credential-unnecessary-password -- it holds a private key or a token
    {
      displayName: 'Kubeconfig',
      name: 'kubeconfig',
      type: 'string',
      typeOptions: { password: true, rows: 8 },
      required: true,
      default: '',
      displayOptions: WITH_KUBECONFIG,
      description:
        'With certificates or token in it, no file names and no programs to run. JSON survives pasting best: kubectl config view --raw --minify --flatten -o json.',
    },
    {
      displayName: 'Token',
      name: 'token',
      type: 'string',
      typeOptions: { password: true },
      required: true,
      default: '',
      displayOptions: WITH_TOKEN,
      description: 'A bearer token, best of a service account of its own (docs/permissions.md)',
    },
    {
      displayName: 'CA',
      name: 'ca',
      type: 'string',
      typeOptions: { rows: 4 },
      default: '',
      placeholder: '-----BEGIN CERTIFICATE-----',
      displayOptions: WITH_TOKEN,
      description: "The certificate of the cluster's CA, PEM or base64 of PEM (certificate-authority-data)",
    },
    {
      displayName: 'Allow Public CAs',
      name: 'allowPublicCa',
      type: 'boolean',
      default: false,
      description:
        'Whether to trust the public certificate authorities when no CA is given; only for an API server with a public certificate',
    },
    {
      displayName: 'Namespace',
      name: 'namespace',
      type: 'string',
      default: '',
      placeholder: 'e.g. production',
      description:
        'The namespace nodes act in when none is chosen. Empty: the one of the kubeconfig, or the one named default.',
    },
    {
      displayName: 'Rights to Check',
      name: 'rightsToCheck',
      type: 'multiOptions',
      default: ['read'],
      description: 'The connection test fails when a right of these groups is missing, and names it',
      options: [
        {
          name: 'All Namespaces',
          value: 'cluster',
          description: 'List namespaces and read in all of them; needs a ClusterRole',
        },
        {
          name: 'Around Workloads',
          value: 'surroundings',
          description: 'Read Ingresses, volume claims, autoscalers and ServiceAccounts',
        },
        {
          name: 'Components',
          value: 'components',
          description: 'Read, install, change and remove components of the Navin platform',
        },
        { name: 'ConfigMaps', value: 'configMaps', description: 'Read and change ConfigMaps' },
        {
          name: 'Cordon, Taint and Drain',
          value: 'maintenance',
          description: 'Change nodes and evict the pods on them; needs a ClusterRole',
        },
        { name: 'CronJobs', value: 'cronJobs', description: 'Read, create, run, suspend and resume CronJobs' },
        { name: 'Delete Pods', value: 'delete', description: 'Delete and evict pods' },
        {
          name: 'Execute Commands',
          value: 'exec',
          description: 'Execute commands in containers and copy files from and to them',
        },
        {
          name: 'Inventory',
          value: 'inventory',
          description: 'Discover what the cluster consists of; needs a ClusterRole',
        },
        { name: 'Jobs', value: 'jobs', description: 'Read and create jobs' },
        {
          name: 'MCP Runtime',
          value: 'mcpRuntime',
          description: 'See ToolHive and the managed MCP instances of all namespaces; needs a ClusterRole',
        },
        {
          name: 'MCP Runtime Changes',
          value: 'mcpRuntimeChanges',
          description: 'Install ToolHive, restart and delete managed MCP instances; needs a ClusterRole',
        },
        {
          name: 'Nodes',
          value: 'nodes',
          description: 'Read nodes, what they use and the pods on them; needs a ClusterRole',
        },
        { name: 'Read', value: 'read', description: 'Read pods, logs, workloads, services and events' },
        {
          name: 'Restart, Scale and Set Image',
          value: 'workloads',
          description: 'Change deployments, stateful sets and daemon sets',
        },
        { name: 'Secrets', value: 'secrets', description: 'Read and change Secrets, all their values' },
        {
          name: 'Tokens',
          value: 'tokens',
          description: 'Create tokens of ServiceAccounts, which act with the rights of these',
        },
        { name: 'Usage', value: 'usage', description: 'Read how much CPU and memory pods use (metrics.k8s.io)' },
        { name: 'Watch', value: 'watch', description: 'List and watch what the trigger looks at' },
      ],
    },
  ];
}
