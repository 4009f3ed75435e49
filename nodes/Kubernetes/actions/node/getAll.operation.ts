import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { GET_ALL_FIELDS, getObjects } from '../getAll';

export const description = defineOperation({
  name: 'Get Many',
  value: 'getAll',
  action: 'Get many nodes',
  description: 'List the nodes of the cluster',
  rightsGroup: 'nodes',
  rights: [{ verb: 'list', group: '', resource: 'nodes', clusterWide: true }],
  properties: [...GET_ALL_FIELDS],
});

type Parameters = ParametersOf<typeof description>;

export function run(client: KubeClient, parameters: Parameters, context: OperationContext) {
  return getObjects(client, 'node', parameters, context);
}
