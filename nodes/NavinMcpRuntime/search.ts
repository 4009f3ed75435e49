import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { RESOURCES } from '../../core/kube';
import { INSTANCE_SELECTOR, mcpServers, NAMESPACE_SELECTOR } from '../../core/mcp';
import { searchLabelled } from '../shared/listSearch';

/** What a "From List" of the node lists. */
export type SearchTarget = 'namespace' | 'instance';

/** The entries of a "From List": what is labelled as the lifecycle controller does it, and nothing else. */
export async function search(
  context: ILoadOptionsFunctions,
  what: SearchTarget,
  filter: string | undefined,
  token: string | undefined,
): Promise<INodeListSearchResult> {
  if (what === 'namespace') {
    const namespaces = { resource: RESOURCES.namespaces, labelSelector: NAMESPACE_SELECTOR };
    return await searchLabelled(context, async () => await Promise.resolve(namespaces), filter, token);
  }
  const find = async (client: Parameters<typeof mcpServers>[0]) => ({
    resource: await mcpServers(client),
    labelSelector: INSTANCE_SELECTOR,
  });
  return await searchLabelled(context, find, filter, token);
}
