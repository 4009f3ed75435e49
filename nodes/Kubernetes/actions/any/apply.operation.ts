import { ifFound, type KubeClient, type KubeObject } from '../../../../core/kube';
import { SIMPLIFY_FIELD } from '../../../shared/fields';
import { documentsNamespaceLocator } from '../../../shared/locators';
import { MANIFEST_FIELDS, namedObjects } from '../../../shared/manifest';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import {
  DRY_RUN_OPTION,
  FIELD_MANAGER_OPTION,
  UNKNOWN_FIELDS_OPTION,
  writable,
  writeOptions,
  writtenObject,
} from '../../../shared/write';
import { type Document, inOrder } from '../documents';
import { FORCE_FIELD } from '../force';

export const description = defineOperation({
  name: 'Apply',
  value: 'apply',
  action: 'Apply resources of any kind',
  description: 'Create or change objects of any kind to be as YAML or JSON says (server-side apply)',
  rightsGroup: 'kind',
  rights: [],
  verbs: [{ verb: 'patch' }, { verb: 'create', when: 'for new objects' }, { verb: 'get', when: 'with Report Outcome' }],
  properties: [
    ...MANIFEST_FIELDS,
    documentsNamespaceLocator(),
    FORCE_FIELD,
    SIMPLIFY_FIELD,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        DRY_RUN_OPTION,
        FIELD_MANAGER_OPTION,
        UNKNOWN_FIELDS_OPTION,
        {
          displayName: 'Report Outcome',
          name: 'reportOutcome',
          type: 'boolean',
          default: false,
          description:
            'Whether to say of each object if it was created, changed or left as it was, which takes one more read of each',
        },
      ],
    },
  ],
});

/** Fields that others own are a conflict, named by manager and field, unless they are taken over by force. */
export async function run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<readonly object[]> {
  const { namespace, force, simplify, options } = parameters;
  const objects = namedObjects(parameters, context.input).map(writable);
  const apply = async (document: Document): Promise<object> => {
    const { resource, object } = document;
    const before = options.reportOutcome === true ? await ifFound(client.get(resource, document)) : undefined;
    const after = await client.patch(resource, document, { type: 'apply', body: object, force }, writeOptions(options));
    const written = writtenObject(after, resource, { simplify, dryRun: options.dryRun });
    return options.reportOutcome === true ? { ...written, outcome: outcomeOf(before, after) } : written;
  };
  return await inOrder(client, objects, namespace, apply, context);
}

/** An apply that changes nothing leaves the resourceVersion as it is. */
function outcomeOf(before: KubeObject | undefined, after: KubeObject): 'created' | 'changed' | 'unchanged' {
  if (before === undefined || before.metadata.uid !== after.metadata.uid) return 'created';
  return before.metadata.resourceVersion === after.metadata.resourceVersion ? 'unchanged' : 'changed';
}
