import type { KubeClient } from '../../../../core/kube';
import { MANAGED_FIELDS_OF_WHOLE_OPTION } from '../../../shared/fields';
import { kindLocator, namespaceLocator, objectLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { wholeObject } from '../../../shared/wholeObject';

export const description = defineOperation({
  name: 'Get',
  value: 'get',
  action: 'Get any resource',
  description: 'Get one object of any kind by name; values of a Secret are masked',
  rightsGroup: 'kind',
  rights: [],
  verbs: [{ verb: 'get' }],
  properties: [
    kindLocator(),
    namespaceLocator(),
    objectLocator(),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [MANAGED_FIELDS_OF_WHOLE_OPTION],
    },
  ],
});

export async function run(
  client: KubeClient,
  { kind, namespace, name, options }: ParametersOf<typeof description>,
): Promise<object> {
  const resource = await client.resource(kind);
  return wholeObject(await client.get(resource, { namespace, name }), resource, options);
}
