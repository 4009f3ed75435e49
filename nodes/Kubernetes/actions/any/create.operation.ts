import type { KubeClient } from '../../../../core/kube';
import { SIMPLIFY_FIELD } from '../../../shared/fields';
import { documentsNamespaceLocator } from '../../../shared/locators';
import { MANIFEST_FIELDS, manifestObjects } from '../../../shared/manifest';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';
import { creatable, WRITE_OPTIONS_FIELD, writeOptions, writtenObject } from '../../../shared/write';
import { inOrder } from '../documents';

export const description = defineOperation({
  name: 'Create',
  value: 'create',
  action: 'Create resources of any kind',
  description: 'Create objects of any kind from YAML or JSON; fails when one exists already',
  rightsGroup: 'kind',
  rights: [],
  verbs: [{ verb: 'create' }],
  properties: [...MANIFEST_FIELDS, documentsNamespaceLocator(), SIMPLIFY_FIELD, WRITE_OPTIONS_FIELD],
});

/** Nothing is created twice by itself: a broken connection ends in k8s_outcome_unknown. */
export async function run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<readonly object[]> {
  const { namespace, simplify, options } = parameters;
  const objects = manifestObjects(parameters, context.input).map(creatable);
  for (const { kind, metadata } of objects) {
    if (metadata.name || metadata.generateName) continue;
    throw parameterInvalid('manifest', 'Manifest', `holds a ${kind} without metadata.name or metadata.generateName`);
  }
  return await inOrder(
    client,
    objects,
    namespace,
    async (document) => {
      const { resource, object } = document;
      const created = await client.create(resource, { namespace: document.namespace }, object, writeOptions(options));
      return writtenObject(created, resource, { simplify, dryRun: options.dryRun });
    },
    context,
  );
}
