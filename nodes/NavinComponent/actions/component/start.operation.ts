import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { changeComponent } from './change';
import { CHANGE_RIGHTS, plainChangeFields } from './fields';

export const description = defineOperation({
  name: 'Start',
  value: 'start',
  action: 'Start component',
  description: 'Run a component that is stopped; an autoscaler takes over again',
  rightsGroup: 'components',
  rights: CHANGE_RIGHTS,
  properties: plainChangeFields(),
});

type Parameters = ParametersOf<typeof description>;

/** `changed` is false where that was asked for already. */
export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  return await changeComponent(client, parameters, 'start', { type: 'start' }, context);
}
