/** The API group of the ToolHive operator. */
const TOOLHIVE_GROUP = 'toolhive.stacklok.dev';

/** MCPServers as discovery finds them, in the version that the API server prefers. */
export const MCP_SERVERS = `mcpservers.${TOOLHIVE_GROUP}`;

/** Versions of MCPServer that are known (ToolHive 0.3 to 0.59), the newest first; others are found when they are preferred. */
export const KNOWN_API_VERSIONS = [`${TOOLHIVE_GROUP}/v1`, `${TOOLHIVE_GROUP}/v1beta1`, `${TOOLHIVE_GROUP}/v1alpha1`];

export const MCP_SERVER_KIND = 'MCPServer';

/** Where ToolHive itself runs, and as which Deployment. */
export const RUNTIME_NAMESPACE = 'toolhive-system';
export const RUNTIME_OPERATOR = 'toolhive-operator';

/** The labels that make an MCPServer and its namespace ones of the lifecycle controller; only those are acted on. */
const MANAGED_BY = 'app.kubernetes.io/managed-by';
const MANAGER = 'eai-mcp-runtime';
const RUNTIME_LABEL = 'eai.io/mcp-runtime';

/** What an instance belongs to, by labels of the MCPServer. */
export const TENANT_LABEL = 'eai.io/tenant';
export const PROJECT_LABEL = 'eai.io/project';
export const TEMPLATE_LABEL = 'eai.io/template';
export const OWNER_LABEL = 'eai.io/owner';

/** Selects managed instances, and the namespaces they may be in. */
export const INSTANCE_SELECTOR = `${MANAGED_BY}=${MANAGER}`;
export const NAMESPACE_SELECTOR = `${RUNTIME_LABEL}=true`;

/** Labels of an object, as far as they were read. */
type Labels = Readonly<Record<string, string>> | undefined;

/** Whether the labels are those of a managed instance. */
export function hasInstanceLabel(labels: Labels): boolean {
  return labels?.[MANAGED_BY] === MANAGER;
}

/** Whether the labels are those of a namespace for instances. */
export function hasNamespaceLabel(labels: Labels): boolean {
  return labels?.[RUNTIME_LABEL] === 'true';
}

/** Whether a namespace has a name as the lifecycle controller gives them. */
export function isInstanceNamespace(name: string | undefined): boolean {
  return name !== undefined && /^mcp-[0-9a-f]{12}$/.test(name);
}
