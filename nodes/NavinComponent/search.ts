import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { COMPONENTS } from '../../core/components';
import { searchNamespaces, searchObjects, searchSecretKeys, searchObjectsOf } from '../shared/listSearch';

/** What a "From List" of the node lists. */
export type SearchTarget = 'component' | 'namespace' | 'namespaceOrAll' | 'secret' | 'secretKey';

/** The entries of a "From List". */
export async function search(
  context: ILoadOptionsFunctions,
  what: SearchTarget,
  filter: string | undefined,
  token: string | undefined,
): Promise<INodeListSearchResult> {
  switch (what) {
    case 'component':
      return await searchObjectsOf(context, COMPONENTS, filter, token);
    case 'secret':
      return await searchObjects(context, 'secret', filter, token);
    case 'secretKey':
      return await searchSecretKeys(context, '&secretName', filter);
    case 'namespace':
    case 'namespaceOrAll':
      return await searchNamespaces(context, what === 'namespaceOrAll', filter, token);
  }
}
