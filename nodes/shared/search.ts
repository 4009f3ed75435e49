import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import type { KindName } from './kinds';
import { searchContainers, searchKinds, searchNamespaces, searchObjects, searchObjectsOfKind } from './listSearch';

/** What a "From List" lists. */
export type SearchTarget = KindName | 'namespaceOrAll' | 'container' | 'kind' | 'objectOfKind';

/** The entries of a "From List". */
export async function search(
  context: ILoadOptionsFunctions,
  what: SearchTarget,
  filter: string | undefined,
  token: string | undefined,
): Promise<INodeListSearchResult> {
  if (what === 'container') return await searchContainers(context, filter);
  if (what === 'kind') return await searchKinds(context, ['get'], filter);
  if (what === 'objectOfKind') return await searchObjectsOfKind(context, filter, token);
  if (what === 'namespace' || what === 'namespaceOrAll') {
    return await searchNamespaces(context, what === 'namespaceOrAll', filter, token);
  }
  return await searchObjects(context, what, filter, token);
}
