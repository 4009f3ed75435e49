import type { KubeClient } from '../../../../core/kube';
import { SIMPLIFY_FIELD } from '../../../shared/fields';
import { documentsNamespaceLocator } from '../../../shared/locators';
import { MANIFEST_FIELDS, type ManifestObject, namedObjects } from '../../../shared/manifest';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { writable, WRITE_OPTIONS_FIELD, writeOptions, writtenObject } from '../../../shared/write';
import { type Document, inOrder } from '../documents';

export const description = defineOperation({
  name: 'Replace',
  value: 'replace',
  action: 'Replace resources of any kind',
  description: 'Replace existing objects of any kind whole: fields that are left out are removed',
  rightsGroup: 'kind',
  rights: [],
  verbs: [{ verb: 'update' }, { verb: 'get', when: 'where no metadata.resourceVersion is given' }],
  properties: [...MANIFEST_FIELDS, documentsNamespaceLocator(), SIMPLIFY_FIELD, WRITE_OPTIONS_FIELD],
});

/**
 * With metadata.resourceVersion an object is replaced only if it still is that version. Without, it is the version that
 * is there now: somebody who changes it in the same moment is not overwritten.
 */
export async function run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<readonly object[]> {
  const { namespace, simplify, options } = parameters;
  const objects = namedObjects(parameters, context.input).map(writable);
  const replace = async (document: Document): Promise<object> => {
    const { resource } = document;
    const body = await versioned(client, document);
    const replaced = await client.replace(resource, document, body, writeOptions(options));
    return writtenObject(replaced, resource, { simplify, dryRun: options.dryRun });
  };
  return await inOrder(client, objects, namespace, replace, context);
}

async function versioned(client: KubeClient, document: Document): Promise<ManifestObject> {
  const { object, resource } = document;
  if (object.metadata.resourceVersion !== undefined) return object;
  const { resourceVersion } = (await client.get(resource, document)).metadata;
  return { ...object, metadata: { ...object.metadata, ...(resourceVersion === undefined ? {} : { resourceVersion }) } };
}
