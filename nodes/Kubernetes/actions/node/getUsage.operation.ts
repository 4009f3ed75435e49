import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { getUsage, usageFields } from '../usage';

export const description = defineOperation({
  name: 'Get Usage',
  value: 'getUsage',
  action: 'Get usage of node',
  description: 'CPU and memory that nodes use now, against what they can give',
  rightsGroup: 'nodes',
  rights: [
    { verb: 'get', group: 'metrics.k8s.io', resource: 'nodes', clusterWide: true },
    { verb: 'list', group: 'metrics.k8s.io', resource: 'nodes', clusterWide: true },
    { verb: 'get', group: '', resource: 'nodes', clusterWide: true, optional: true },
    { verb: 'list', group: '', resource: 'nodes', clusterWide: true, optional: true },
  ],
  properties: [...usageFields('node')],
});

export async function run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<readonly object[]> {
  return await getUsage(client, 'node', parameters, context);
}
