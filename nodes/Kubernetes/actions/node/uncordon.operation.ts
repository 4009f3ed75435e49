import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { simplifyNode } from '../../../shared/simplify';
import { CORDON_FIELDS, CORDON_RIGHTS, setSchedulable } from './cordon';

export const description = defineOperation({
  name: 'Uncordon',
  value: 'uncordon',
  action: 'Uncordon node',
  description: 'Let a node take new pods again',
  rightsGroup: 'maintenance',
  rights: CORDON_RIGHTS,
  properties: CORDON_FIELDS,
});

/** `changed` is false for a node that was so already. */
export async function run(client: KubeClient, { name }: ParametersOf<typeof description>): Promise<object> {
  const { node, changed } = await setSchedulable(client, name, true);
  return { ...simplifyNode(node), changed };
}
