import { apiVersionOf, ifFound, type ApiResource, type KubeClient } from '../kube';
import { runtimeNotServed } from './errors';
import { KNOWN_API_VERSIONS, MCP_SERVER_KIND, MCP_SERVERS } from './names';

/** MCPServers in the version the API server prefers. @throws NavinError `k8s_unsupported` where there are none */
export async function mcpServers(client: KubeClient): Promise<ApiResource> {
  const resource = await ifFound(client.resource(MCP_SERVERS));
  if (resource === undefined) throw runtimeNotServed();
  return resource;
}

/** What of MCPServer a cluster serves. */
export interface ServedVersions {
  readonly resource: ApiResource | undefined;
  /** The preferred one first: `v1beta1`, `v1alpha1`. */
  readonly versions: readonly string[];
}

export async function servedVersions(client: KubeClient): Promise<ServedVersions> {
  const resource = await ifFound(client.resource(MCP_SERVERS));
  if (resource === undefined) return { resource, versions: [] };
  const preferred = apiVersionOf(resource);
  const versions = [resource.version];
  for (const apiVersion of KNOWN_API_VERSIONS) {
    if (apiVersion === preferred) continue;
    const served = await ifFound(client.resourceFor(apiVersion, MCP_SERVER_KIND));
    if (served !== undefined) versions.push(served.version);
  }
  return { resource, versions };
}
