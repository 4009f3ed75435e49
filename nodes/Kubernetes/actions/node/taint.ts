import { type KubeClient, RESOURCES, type WriteOptions } from '../../../../core/kube';
import { type Taint, taintsOf } from '../../../../core/machine';
import { attempt } from '../../../shared/attempt';
import type { ChangedNode } from './cordon';

/** How often it is tried again when the node was changed in between; kubelets change their nodes all the time. */
const MAX_CONFLICTS = 5;

/** Keys of taints. */
export const TAINT_KEY_FIELD = {
  displayName: 'Key',
  name: 'key',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. dedicated',
  description: 'Key of the taint',
} as const;

/**
 * Replaces the taints of a node by what `change` makes of them. The list has no keys for the API server to merge by, so
 * that it is replaced as a whole, and only while the node is the one it was read from.
 * @param change the new taints; the same list when there is nothing to change
 */
export async function changeTaints(
  client: KubeClient,
  name: string,
  change: (taints: readonly Taint[]) => readonly Taint[],
  options: WriteOptions,
): Promise<ChangedNode> {
  for (let conflicts = 0; ; conflicts += 1) {
    const before = await client.get(RESOURCES.nodes, { name });
    const present = taintsOf(before);
    const after = change(present);
    if (after === present) return { before, node: before, changed: false };
    const { resourceVersion } = before.metadata;
    const body = { metadata: { resourceVersion }, spec: { taints: after } };
    const patched = await attempt(
      async () => await client.patch(RESOURCES.nodes, { name }, { type: 'merge', body }, options),
    );
    if (patched.error === undefined) return { before, node: patched.value, changed: true };
    if (patched.error.code !== 'k8s_conflict' || conflicts >= MAX_CONFLICTS) throw patched.error;
  }
}
