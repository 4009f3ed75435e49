import type { KubeClient } from '../../../../core/kube';
import { namespacesLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { getUsage, usageFields } from '../usage';

export const description = defineOperation({
  name: 'Get Usage',
  value: 'getUsage',
  action: 'Get usage of pod',
  description: 'CPU and memory that pods and their containers use now, against requests and limits',
  rightsGroup: 'usage',
  rights: [
    { verb: 'get', group: 'metrics.k8s.io', resource: 'pods' },
    { verb: 'list', group: 'metrics.k8s.io', resource: 'pods' },
    { verb: 'get', group: '', resource: 'pods', optional: true },
    { verb: 'list', group: '', resource: 'pods', optional: true },
  ],
  allNamespaces: true,
  properties: [namespacesLocator(), ...usageFields('pod')],
});

export async function run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<readonly object[]> {
  return await getUsage(client, 'pod', parameters, context);
}
