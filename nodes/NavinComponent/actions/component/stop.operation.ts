import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { changeComponent } from './change';
import { CHANGE_RIGHTS, plainChangeFields } from './fields';

export const description = defineOperation({
  name: 'Stop',
  value: 'stop',
  action: 'Stop component',
  description: 'Scale every workload of a component to zero; what it stores stays',
  rightsGroup: 'components',
  rights: CHANGE_RIGHTS,
  properties: plainChangeFields(),
});

type Parameters = ParametersOf<typeof description>;

/** `changed` is false where that was asked for already. */
export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  return await changeComponent(client, parameters, 'stop', { type: 'stop' }, context);
}
