import { holdsSecrets, type KubeClient } from '../../../../core/kube';
import { MANAGED_FIELDS_OF_WHOLE_OPTION } from '../../../shared/fields';
import { kindLocator, namespaceLocator, objectLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';
import { wholeObject } from '../../../shared/wholeObject';
import { revealed, REVEAL_KEYS_OPTION } from '../configuration/get';

export const description = defineOperation({
  name: 'Get',
  value: 'get',
  action: 'Get any resource',
  description: 'Get one object of any kind by name; values of a Secret are masked but for the keys that are asked for',
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
      options: [MANAGED_FIELDS_OF_WHOLE_OPTION, REVEAL_KEYS_OPTION],
    },
  ],
});

export async function run(
  client: KubeClient,
  { kind, namespace, name, options }: ParametersOf<typeof description>,
): Promise<object> {
  const resource = await client.resource(kind);
  const { revealKeys = [] } = options;
  if (revealKeys.length > 0 && !holdsSecrets(resource)) {
    const label = `Options > ${REVEAL_KEYS_OPTION.displayName}`;
    throw parameterInvalid('options', label, 'is for Secrets: all other kinds are shown whole');
  }
  const object = await client.get(resource, { namespace, name });
  return { ...wholeObject(object, resource, options), ...revealed('secret', object, revealKeys) };
}
