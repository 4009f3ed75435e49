import type { KubeClient } from '../../../../core/kube';
import { nameLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { GET_FIELDS, getObject } from '../get';

export const description = defineOperation({
  name: 'Get',
  value: 'get',
  action: 'Get node',
  description: 'Get one node by name',
  rightsGroup: 'nodes',
  rights: [{ verb: 'get', group: '', resource: 'nodes', clusterWide: true }],
  properties: [nameLocator('node'), ...GET_FIELDS],
});

export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  return await getObject(client, 'node', parameters);
}
