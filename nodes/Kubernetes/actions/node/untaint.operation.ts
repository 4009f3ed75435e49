import type { KubeClient } from '../../../../core/kube';
import { type Taint, withoutTaint } from '../../../../core/machine';
import { nameLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { changedNode, CORDON_RIGHTS, NODE_TRY_FIELD } from './cordon';
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
    NODE_TRY_FIELD,
  ],
});

/** `changed` is false for a node that has no such taint. */
export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  const { name, key, effect, options } = parameters;
  const remove = (taints: readonly Taint[]): readonly Taint[] => {
    const left = withoutTaint(taints, key.trim(), effect === 'all' ? undefined : effect);
    return left.length === taints.length ? taints : left;
  };
  return changedNode(await changeTaints(client, name, remove, { dryRun: options.dryRun }), options.dryRun);
}
