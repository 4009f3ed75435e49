import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { CHANGE_RIGHTS, plainChangeFields } from './fields';
import { restartComponent } from './restart';

export const description = defineOperation({
  name: 'Restart',
  value: 'restart',
  action: 'Restart component',
  description: 'Replace all Pods of a component, within its disruption budget',
  rightsGroup: 'components',
  rights: CHANGE_RIGHTS,
  properties: plainChangeFields(),
});

type Parameters = ParametersOf<typeof description>;

export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  return await restartComponent(client, parameters, 'restart', context);
}
