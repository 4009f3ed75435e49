import type { KubeClient, KubeObject } from '../../../../core/kube';
import {
  CONTINUE_AFTER_OPTION,
  FIELD_SELECTOR_OPTION,
  LABEL_SELECTOR_OPTION,
  LIMIT_FIELD,
  MANAGED_FIELDS_OF_WHOLE_OPTION,
  METADATA_ONLY_OPTION,
  ONE_ITEM_PER_PAGE_OPTION,
  PAGE_SIZE_OPTION,
  RETURN_ALL_FIELD,
} from '../../../shared/fields';
import { kindLocator, namespacesLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { metadataOf, wholeObject } from '../../../shared/wholeObject';
import { listObjects } from '../getAll';

export const description = defineOperation({
  name: 'Get Many',
  value: 'getAll',
  action: 'Get many resources of any kind',
  description: 'List the objects of any kind, by selectors; values of Secrets are masked',
  rightsGroup: 'kind',
  rights: [],
  verbs: [{ verb: 'list' }],
  allNamespaces: true,
  properties: [
    kindLocator(),
    namespacesLocator(),
    RETURN_ALL_FIELD,
    LIMIT_FIELD,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        CONTINUE_AFTER_OPTION,
        FIELD_SELECTOR_OPTION,
        MANAGED_FIELDS_OF_WHOLE_OPTION,
        LABEL_SELECTOR_OPTION,
        METADATA_ONLY_OPTION,
        ONE_ITEM_PER_PAGE_OPTION,
        PAGE_SIZE_OPTION,
      ],
    },
  ],
});

export async function* run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): AsyncGenerator<readonly object[]> {
  const { kind, options } = parameters;
  const resource = await client.resource(kind);
  const show = (object: KubeObject) =>
    options.metadataOnly === true ? metadataOf(object, resource, options) : wholeObject(object, resource, options);
  yield* listObjects(client, resource, parameters, show, context);
}
