import { type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { at } from '../../../shared/json';
import { nameLocator } from '../../../shared/locators';
import type { Right } from '../../../shared/rights';

/** What Cordon and Uncordon need. */
export const CORDON_RIGHTS = [
  { verb: 'get', group: '', resource: 'nodes', clusterWide: true },
  { verb: 'patch', group: '', resource: 'nodes', clusterWide: true },
] as const satisfies readonly Right[];

/** Their parameters. */
export const CORDON_FIELDS = [nameLocator('node')] as const;

/** Whether a node takes new pods. */
export function isSchedulable(node: KubeObject): boolean {
  return at(node, 'spec', 'unschedulable') !== true;
}

/** Lets a node take new pods, or not. A node that is as it shall be is left alone. */
export async function setSchedulable(
  client: KubeClient,
  name: string,
  schedulable: boolean,
): Promise<{ readonly node: KubeObject; readonly changed: boolean }> {
  const node = await client.get(RESOURCES.nodes, { name });
  if (isSchedulable(node) === schedulable) return { node, changed: false };
  const body = { spec: { unschedulable: schedulable ? null : true } };
  return { node: await client.patch(RESOURCES.nodes, { name }, { type: 'merge', body }), changed: true };
}
