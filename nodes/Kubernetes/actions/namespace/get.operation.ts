import type { KubeClient } from '../../../../core/kube';
import { nameLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { GET_FIELDS, getObject } from '../get';

export const description = defineOperation({
  name: 'Get',
  value: 'get',
  action: 'Get namespace',
  description: 'Get one namespace by name',
  rightsGroup: 'cluster',
  rights: [{ verb: 'get', group: '', resource: 'namespaces', clusterWide: true }],
  properties: [nameLocator('namespace'), ...GET_FIELDS],
});

export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  return await getObject(client, 'namespace', parameters);
}
