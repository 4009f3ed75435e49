import { NavinError } from '../../../../core/errors';
import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { INTERVAL_OPTION } from '../../../shared/wait';
import { changeComponent } from './change';
import { BLOCKED_OPTION, CHANGE_RIGHTS, confirmFields, ROLLOUT_SECONDS, TRY_OPTION, whichFields } from './fields';
import { OTHER_SCALE_FIELDS, scaleOf, TARGET_OPTIONS } from './scaling';

export const description = defineOperation({
  name: 'Scale',
  value: 'scale',
  action: 'Scale component',
  description: 'Set the replicas of a component, or the bounds within which it is scaled by its CPU',
  rightsGroup: 'components',
  rights: CHANGE_RIGHTS,
  properties: [
    ...whichFields(),
    ...OTHER_SCALE_FIELDS,
    ...confirmFields(ROLLOUT_SECONDS),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [BLOCKED_OPTION, TRY_OPTION, INTERVAL_OPTION, TARGET_OPTIONS.kind, TARGET_OPTIONS.name],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  const scale = scaleOf(parameters);
  if (scale === undefined) throw new NavinError('k8s_internal', 'The scale is not known');
  return await changeComponent(client, parameters, 'scale', { type: 'scale', scale }, context);
}
