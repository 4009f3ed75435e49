import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { configurationFields, CREATE_OPTION, KEYS_FIELD, setKeys } from '../configuration/setKeys';

export const description = defineOperation({
  name: 'Set Keys',
  value: 'setKeys',
  action: 'Set keys of configmap',
  description: 'Set keys of a ConfigMap, by text or file; all others stay',
  rightsGroup: 'configMaps',
  rights: [
    { verb: 'get', group: '', resource: 'configmaps' },
    { verb: 'patch', group: '', resource: 'configmaps' },
    { verb: 'create', group: '', resource: 'configmaps' },
  ],
  properties: [
    ...configurationFields('configmap'),
    KEYS_FIELD,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [CREATE_OPTION],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  return await setKeys(client, 'configmap', parameters, context);
}
