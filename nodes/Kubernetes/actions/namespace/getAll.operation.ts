import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { GET_ALL_FIELDS, getObjects } from '../getAll';

export const description = defineOperation({
  name: 'Get Many',
  value: 'getAll',
  action: 'Get many namespaces',
  description: 'List the namespaces of the cluster',
  rightsGroup: 'cluster',
  rights: [{ verb: 'list', group: '', resource: 'namespaces', clusterWide: true }],
  properties: [...GET_ALL_FIELDS],
});

type Parameters = ParametersOf<typeof description>;

export function run(client: KubeClient, parameters: Parameters, context: OperationContext) {
  return getObjects(client, 'namespace', parameters, context);
}
