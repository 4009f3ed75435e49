import type {
  ICredentialsDecrypted,
  IExecuteFunctions,
  INodeCredentialTestResult,
  INodeExecutionData,
} from 'n8n-workflow';
import { OPERATIONS } from '../catalog';
import { actionsOf } from '../shared/actions';
import { testCredential } from '../shared/credentialTest';
import { executeItems } from '../shared/loop';
import { RESOURCE_DESCRIPTIONS, RUNS } from './actions';

export { search, type SearchTarget } from './search';

/** Everything of the node but its description. It is required on first use, so that n8n starts fast. */

/** The operations with their functions. */
export const ACTIONS = actionsOf({ resources: RESOURCE_DESCRIPTIONS, runs: RUNS }, OPERATIONS);

/** Runs the node. */
export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
  return await executeItems(context, ACTIONS);
}

/** The connection test of the credential. */
export async function test(credential: ICredentialsDecrypted): Promise<INodeCredentialTestResult> {
  return await testCredential(credential, OPERATIONS);
}
