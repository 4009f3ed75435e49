import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { removeKeys, REMOVED_KEYS_FIELD } from '../configuration/removeKeys';
import { configurationFields } from '../configuration/setKeys';

export const description = defineOperation({
  name: 'Remove Keys',
  value: 'removeKeys',
  action: 'Remove keys of configmap',
  description: 'Remove keys of a ConfigMap; all others stay',
  rightsGroup: 'configMaps',
  rights: [
    { verb: 'get', group: '', resource: 'configmaps' },
    { verb: 'patch', group: '', resource: 'configmaps' },
  ],
  properties: [...configurationFields('configmap'), REMOVED_KEYS_FIELD],
});

export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  return await removeKeys(client, 'configmap', parameters);
}
