import type {
  ICredentialsDecrypted,
  ILoadOptionsFunctions,
  INodeCredentialTestResult,
  INodeListSearchResult,
  ITriggerFunctions,
  ITriggerResponse,
} from 'n8n-workflow';
import { OPERATIONS } from '../catalog';
import { testCredential } from '../shared/credentialTest';
import { searchKinds, searchNamespaces } from '../shared/listSearch';
import { activate } from './activate';
import { sampling } from './samples';

/** Everything of the trigger but its description. It is required on first use, so that n8n starts fast. */

/** Starts the trigger; in the editor only samples are taken. */
export async function trigger(context: ITriggerFunctions): Promise<ITriggerResponse> {
  return context.getMode() === 'manual' ? sampling(context) : await activate(context);
}

/** The connection test of the credential: the same as of every node, because n8n takes that of any. */
export async function test(credential: ICredentialsDecrypted): Promise<INodeCredentialTestResult> {
  return await testCredential(credential, OPERATIONS);
}

/** What a "From List" lists. */
export type SearchTarget = 'namespaceOrAll' | 'resource';

/** The entries of a "From List". */
export async function search(
  context: ILoadOptionsFunctions,
  what: SearchTarget,
  filter: string | undefined,
  token: string | undefined,
): Promise<INodeListSearchResult> {
  if (what === 'resource') return await searchKinds(context, ['list', 'watch'], filter);
  return await searchNamespaces(context, true, filter, token);
}
