import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { removeKeys, REMOVED_KEYS_FIELD } from '../configuration/removeKeys';
import { configurationFields } from '../configuration/setKeys';

export const description = defineOperation({
  name: 'Remove Keys',
  value: 'removeKeys',
  action: 'Remove keys of secret',
  description: 'Remove keys of a Secret; all others stay',
  rightsGroup: 'secrets',
  rights: [
    { verb: 'get', group: '', resource: 'secrets' },
    { verb: 'patch', group: '', resource: 'secrets' },
  ],
  properties: [...configurationFields('secret'), REMOVED_KEYS_FIELD],
});

export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  return await removeKeys(client, 'secret', parameters);
}
