import type { NavinError } from '../../../../core/errors';
import {
  type FieldConflict,
  KubeApiError,
  type KubeClient,
  type KubeObject,
  type WriteOptions,
} from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { defined } from '../../../shared/json';
import { documentsNamespaceLocator } from '../../../shared/locators';
import { MANIFEST_FIELDS, type ManifestObject, namedObjects } from '../../../shared/manifest';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { withoutSecretValues } from '../../../shared/secretValues';
import { FIELD_MANAGER_OPTION, UNKNOWN_FIELDS_OPTION, writable, writeOptions } from '../../../shared/write';
import { type Document, type UnservedDocument, withEach } from '../documents';
import { type ObjectChanges, objectChanges } from '../objectChanges';

export const description = defineOperation({
  name: 'Diff',
  value: 'diff',
  action: 'Diff resources of any kind',
  description: 'See what applying YAML or JSON would change, field by field; nothing is stored',
  rightsGroup: 'kind',
  rights: [],
  verbs: [{ verb: 'get' }, { verb: 'patch' }, { verb: 'create', when: 'for new objects' }],
  dryRunOnly: true,
  properties: [
    ...MANIFEST_FIELDS,
    documentsNamespaceLocator(),
    {
      displayName: 'Only Changes',
      name: 'onlyChanges',
      type: 'boolean',
      default: false,
      description: 'Whether to leave out objects that are as they shall be',
    },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [FIELD_MANAGER_OPTION, UNKNOWN_FIELDS_OPTION],
    },
  ],
});

/** What applying would do to an object. */
interface Difference extends ObjectChanges {
  readonly action: 'create' | 'change' | 'none';
  /** Fields that others own: applying is refused unless it is forced. */
  readonly conflicts: readonly FieldConflict[];
  /** Whether the API server was asked. */
  readonly checked: boolean;
}

/** The API server itself says what the objects would be (an apply as a dry run); that is compared with what there is. */
export async function run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<readonly object[]> {
  const { namespace, onlyChanges, options } = parameters;
  const objects = namedObjects(parameters, context.input).map(writable);
  const differences = await withEach(client, objects, namespace, async (document) => {
    const compared = await compare(client, document, objects, writeOptions({ ...options, dryRun: true }));
    return { ...aboutOf(document), ...compared };
  });
  return differences.filter(({ action }) => !onlyChanges || action !== 'none');
}

function aboutOf(document: Document | UnservedDocument): object {
  const { apiVersion, kind, metadata } = document.object;
  const namespace = document.resource === undefined ? metadata.namespace : document.namespace;
  return defined({ apiVersion, kind, name: metadata.name, namespace });
}

/** What applying the document would do to what is there now. */
async function compare(
  client: KubeClient,
  document: Document | UnservedDocument,
  all: readonly ManifestObject[],
  options: WriteOptions,
): Promise<Difference> {
  // What the same manifest makes first, a kind or a namespace, is not there to be asked about.
  if (document.resource === undefined) return unchecked();
  const looked = await attempt(async () => {
    const before = await read(client, document);
    return { before, ...(await wouldBe(client, document, options)) };
  });
  if (looked.error !== undefined) {
    if (isMadeBefore(looked.error, document, all)) return unchecked();
    throw looked.error;
  }
  const { before, after, conflicts } = looked.value;
  const { resource } = document;
  const { changes, ...more } = objectChanges(before, after, (object) => withoutSecretValues(object, resource));
  const action = before === undefined ? 'create' : changes.length === 0 ? 'none' : 'change';
  return {
    action,
    changes,
    conflicts: conflicts.map(({ manager, field }) => ({ manager, field })),
    checked: true,
    ...more,
  };
}

function unchecked(): Difference {
  return { action: 'create', changes: [], conflicts: [], checked: false };
}

async function read(client: KubeClient, document: Document): Promise<KubeObject | undefined> {
  const found = await attempt(async () => await client.get(document.resource, document));
  if (found.error === undefined) return found.value;
  if (found.error.code === 'k8s_not_found' && found.error.details.missing === 'object') return undefined;
  throw found.error;
}

/** The object as it would be; with conflicts as it would be by force. */
async function wouldBe(
  client: KubeClient,
  document: Document,
  options: WriteOptions,
): Promise<{ readonly after: KubeObject; readonly conflicts: readonly FieldConflict[] }> {
  const apply = async (force: boolean) =>
    await client.patch(document.resource, document, { type: 'apply', body: document.object, force }, options);
  const applied = await attempt(async () => await apply(false));
  if (applied.error === undefined) return { after: applied.value, conflicts: [] };
  const conflicts = applied.error instanceof KubeApiError ? applied.error.conflicts : [];
  if (conflicts.length === 0) throw applied.error;
  return { after: await apply(true), conflicts };
}

/** Whether an object cannot be looked at because its namespace is one that the same manifest makes. */
function isMadeBefore({ code, details }: NavinError, { namespace }: Document, all: readonly ManifestObject[]): boolean {
  const makesNamespace = all.some(({ kind, metadata }) => kind === 'Namespace' && metadata.name === namespace);
  return code === 'k8s_not_found' && details.missing === 'namespace' && makesNamespace;
}
