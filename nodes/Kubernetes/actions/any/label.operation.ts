import type { KubeClient } from '../../../../core/kube';
import { kindLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { changeMetadata, metadataFields } from '../metadata';

export const description = defineOperation({
  name: 'Label',
  value: 'label',
  action: 'Label any resource',
  description: 'Set and remove labels of one object of any kind, or of all that match a selector',
  rightsGroup: 'kind',
  rights: [],
  verbs: [{ verb: 'patch' }, { verb: 'list', when: 'by selector' }],
  properties: [kindLocator(), namespaceLocator(), ...metadataFields('Label', 'e.g. tier')],
});

export async function run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
): Promise<readonly object[]> {
  return await changeMetadata(client, await client.resource(parameters.kind), 'labels', parameters);
}
