import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { configurationFields, CREATE_OPTION, KEYS_FIELD, setKeys } from '../configuration/setKeys';

export const description = defineOperation({
  name: 'Set Keys',
  value: 'setKeys',
  action: 'Set keys of secret',
  description: 'Set keys of a Secret, all others stay; what is typed here is stored in the workflow',
  rightsGroup: 'secrets',
  rights: [
    { verb: 'get', group: '', resource: 'secrets' },
    { verb: 'patch', group: '', resource: 'secrets' },
    { verb: 'create', group: '', resource: 'secrets' },
  ],
  properties: [
    ...configurationFields('secret'),
    KEYS_FIELD,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        CREATE_OPTION,
        {
          displayName: 'Type',
          name: 'type',
          type: 'string',
          default: 'Opaque',
          placeholder: 'e.g. kubernetes.io/tls',
          description: 'Type of a Secret that is created',
        },
      ],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  return await setKeys(client, 'secret', parameters, context);
}
