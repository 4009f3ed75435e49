import { type KubeClient, type KubeObject, RESOURCES, type WriteOptions } from '../../../../core/kube';
import { at } from '../../../shared/json';
import { nameLocator } from '../../../shared/locators';
import type { Right } from '../../../shared/rights';
import { simplifyNode } from '../../../shared/simplify';
import { tried, TRY_OPTION } from '../objectChanges';

/** What Cordon and Uncordon need. */
export const CORDON_RIGHTS = [
  { verb: 'get', group: '', resource: 'nodes', clusterWide: true },
  { verb: 'patch', group: '', resource: 'nodes', clusterWide: true },
] as const satisfies readonly Right[];

/** Options of what changes a node. */
export const NODE_TRY_FIELD = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add option',
  default: {},
  options: [TRY_OPTION],
} as const;

/** The parameters of Cordon and Uncordon. */
export const CORDON_FIELDS = [nameLocator('node'), NODE_TRY_FIELD] as const;

/** What came of a change to a node: `changed` is false for one that was so already. */
export interface ChangedNode {
  readonly before: KubeObject;
  readonly node: KubeObject;
  readonly changed: boolean;
}

/** A changed node as the workflow gets it. */
export function changedNode({ before, node, changed }: ChangedNode, dryRun: boolean | undefined): object {
  return { ...simplifyNode(node), changed, ...tried(dryRun, before, node) };
}

/** Whether a node takes new pods. */
export function isSchedulable(node: KubeObject): boolean {
  return at(node, 'spec', 'unschedulable') !== true;
}

/** Lets a node take new pods, or not. A node that is as it shall be is left alone. */
export async function setSchedulable(
  client: KubeClient,
  name: string,
  schedulable: boolean,
  options: WriteOptions = {},
): Promise<ChangedNode> {
  const before = await client.get(RESOURCES.nodes, { name });
  if (isSchedulable(before) === schedulable) return { before, node: before, changed: false };
  const body = { spec: { unschedulable: schedulable ? null : true } };
  const node = await client.patch(RESOURCES.nodes, { name }, { type: 'merge', body }, options);
  return { before, node, changed: true };
}
