import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { simplifyNode } from '../../../shared/simplify';
import { CORDON_FIELDS, CORDON_RIGHTS, setSchedulable } from './cordon';

export const description = defineOperation({
  name: 'Cordon',
  value: 'cordon',
  action: 'Cordon node',
  description: 'Let a node take no new pods; the pods on it stay',
  rightsGroup: 'maintenance',
  rights: CORDON_RIGHTS,
  properties: CORDON_FIELDS,
});

/** `changed` is false for a node that was so already. */
export async function run(client: KubeClient, { name }: ParametersOf<typeof description>): Promise<object> {
  const { node, changed } = await setSchedulable(client, name, false);
  return { ...simplifyNode(node), changed };
}
