import type {
  ICredentialsDecrypted,
  IExecuteFunctions,
  ILoadOptionsFunctions,
  INodeCredentialTestResult,
  INodeExecutionData,
  INodeListSearchResult,
} from 'n8n-workflow';
import { testCredential } from '../shared/credentialTest';
import type { KindName } from '../shared/kinds';
import {
  searchContainers,
  searchKinds,
  searchNamespaces,
  searchObjects,
  searchObjectsOfKind,
} from '../shared/listSearch';
import { type Actions, executeItems } from '../shared/loop';
import { OPERATIONS, RESOURCE_DESCRIPTIONS, RUNS } from './actions';

/** Everything of the node but its description. It is required on first use, so that n8n starts fast. */

/** The operations with their functions. */
export const ACTIONS: Actions = {
  descriptions: OPERATIONS,
  find: (resource, operation) => {
    const found = RESOURCE_DESCRIPTIONS.find(({ value }) => value === resource);
    const description = found?.operations.find(({ value }) => value === operation);
    const run = RUNS[resource]?.[operation];
    return description === undefined || run === undefined ? undefined : { description, run };
  },
};

/** Runs the node. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  return await executeItems(context, ACTIONS);
}

/** The connection test of the credential. */
export async function test(credential: ICredentialsDecrypted): Promise<INodeCredentialTestResult> {
  return await testCredential(credential, OPERATIONS);
}

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
