import type { KubeClient } from '../../../../core/kube';
import { MANAGED_FIELDS_OPTION, SIMPLIFY_FIELD } from '../../../shared/fields';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { getConfiguration, KEY_AS_FILE_OPTION, REVEAL_KEYS_OPTION } from '../configuration/get';
import { configurationFields } from '../configuration/setKeys';

export const description = defineOperation({
  name: 'Get',
  value: 'get',
  action: 'Get secret',
  description: 'Get one Secret by name; values are masked but for the keys that are asked for',
  rightsGroup: 'secrets',
  rights: [{ verb: 'get', group: '', resource: 'secrets' }],
  properties: [
    ...configurationFields('secret'),
    SIMPLIFY_FIELD,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [MANAGED_FIELDS_OPTION, KEY_AS_FILE_OPTION, REVEAL_KEYS_OPTION],
    },
  ],
});

export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  return await getConfiguration(client, 'secret', parameters);
}
