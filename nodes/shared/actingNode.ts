import type {
  ICredentialsDecrypted,
  IExecuteFunctions,
  INodeCredentialTestResult,
  INodeExecutionData,
} from 'n8n-workflow';
import { type Actions, actionsOf } from './actions';
import { testCredential } from './credentialTest';
import { executeItems } from './loop';
import type { OperationDescription } from './operation';

/** What a node that acts does when n8n calls it. */
export interface RunningNode {
  /** Its operations with their functions. */
  readonly ACTIONS: Actions;
  /** Runs the node. */
  readonly execute: (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>;
  /** The connection test of the credential: n8n takes that of any node. */
  readonly test: (credential: ICredentialsDecrypted) => Promise<INodeCredentialTestResult>;
}

/**
 * A node that acts.
 *
 * @param node its resources, and their functions
 * @param descriptions the operations of all nodes: what the groups of rights follow from
 */
export function actingNode(
  node: Parameters<typeof actionsOf>[0],
  descriptions: readonly OperationDescription[],
): RunningNode {
  const ACTIONS = actionsOf(node, descriptions);
  return {
    ACTIONS,
    execute: (context) => executeItems(context, ACTIONS),
    test: (credential) => testCredential(credential, descriptions),
  };
}
