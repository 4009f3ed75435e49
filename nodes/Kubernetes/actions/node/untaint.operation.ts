import type { KubeClient } from '../../../../core/kube';
import { withoutTaint } from '../../../../core/machine';
import { nameLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { simplifyNode } from '../../../shared/simplify';
import { CORDON_RIGHTS } from './cordon';
import { changeTaints, TAINT_KEY_FIELD } from './taint';

export const description = defineOperation({
  name: 'Untaint',
  value: 'untaint',
  action: 'Untaint node',
  description: 'Take a taint off a node',
  rightsGroup: 'maintenance',
  rights: CORDON_RIGHTS,
  properties: [
    nameLocator('node'),
    TAINT_KEY_FIELD,
    {
      displayName: 'Effect',
      name: 'effect',
      type: 'options',
      default: 'all',
      description: 'Which taints of the key to take off',
      options: [
        { name: 'All', value: 'all' },
        { name: 'No Execute', value: 'NoExecute' },
        { name: 'No Schedule', value: 'NoSchedule' },
        { name: 'Prefer No Schedule', value: 'PreferNoSchedule' },
      ],
    },
  ],
});

/** `changed` is false for a node that has no such taint. */
export async function run(
  client: KubeClient,
  { name, key, effect }: ParametersOf<typeof description>,
): Promise<object> {
  const { node, changed } = await changeTaints(client, name, (taints) => {
    const left = withoutTaint(taints, key.trim(), effect === 'all' ? undefined : effect);
    return left.length === taints.length ? taints : left;
  });
  return { ...simplifyNode(node), changed };
}
