import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { changedNode, CORDON_FIELDS, CORDON_RIGHTS, setSchedulable } from './cordon';

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
export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  const { name, options } = parameters;
  return changedNode(await setSchedulable(client, name, true, options), options.dryRun);
}
