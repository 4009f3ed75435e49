import type { KubeClient } from '../../../../core/kube';
import type { OperationContext, ParametersOf } from '../../../shared/operation';
import { describeGetAll, getObjects } from '../getAll';

export const description = describeGetAll('serviceaccount', 'surroundings');

type Parameters = ParametersOf<typeof description>;

export function run(client: KubeClient, parameters: Parameters, context: OperationContext) {
  return getObjects(client, 'serviceaccount', parameters, context);
}
