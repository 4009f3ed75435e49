import { NavinError } from '../../../../core/errors';
import { apiVersionOf, type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { at } from '../../../shared/json';
import { KINDS } from '../../../shared/kinds';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import type { OperationContext } from '../../../shared/operation';
import { type Entry, readEntries } from './entries';
import { type ConfigurationKind, keysOf, patchOf, type Stored, storedIn } from './stored';

/** The parameters of Set Keys after its name. */
export const KEYS_FIELD = {
  displayName: 'Keys',
  name: 'keys',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add Key',
  default: {},
  description: 'The keys to set; all others stay',
  options: [
    {
      displayName: 'Key',
      name: 'entry',
      values: [
        {
          displayName: 'Key',
          name: 'key',
          type: 'string',
          required: true,
          default: '',
          placeholder: 'e.g. color',
          description: 'The key: letters, digits, hyphens, underscores and dots',
        },
        {
          displayName: 'Value From',
          name: 'from',
          type: 'options',
          default: 'text',
          description: 'Where the value is',
          options: [
            { name: 'Base64', value: 'base64', description: 'Encoded already' },
            { name: 'Input File', value: 'file', description: 'A file of the item, of any content' },
            { name: 'Text', value: 'text', description: 'Encoded where Kubernetes needs it' },
          ],
        },
        {
          displayName: 'Value',
          name: 'value',
          type: 'string',
          default: '',
          typeOptions: { rows: 2 },
          displayOptions: { show: { from: ['text', 'base64'] } },
          description: 'The value to store under the key',
        },
        {
          displayName: 'Input Data Field Name',
          name: 'inputField',
          type: 'string',
          default: 'data',
          description: 'The name of the input field that holds the file',
          displayOptions: { show: { from: ['file'] } },
        },
      ],
    },
  ],
} as const;

/** An option of Set Keys. */
export const CREATE_OPTION = {
  displayName: 'Create When Missing',
  name: 'create',
  type: 'boolean',
  default: false,
  description: 'Whether to create it when there is none of this name',
} as const;

/** What both kinds begin with. */
/* @__NO_SIDE_EFFECTS__ */
export function configurationFields<const K extends ConfigurationKind>(kind: K) {
  return [namespaceLocator(), nameLocator(kind)] as const;
}

interface Parameters {
  readonly namespace: string;
  readonly name: string;
  readonly keys: { readonly entry: readonly Entry[] };
  readonly options: { readonly create?: boolean; readonly type?: string };
}

/**
 * Sets keys by a merge patch, so that keys others write in between stay. What is stored already is not written again.
 * Values are never in the output.
 */
export async function setKeys(
  client: KubeClient,
  kind: ConfigurationKind,
  parameters: Parameters,
  context: OperationContext,
): Promise<object> {
  const { namespace, name, keys, options } = parameters;
  const values = await readEntries(kind, keys.entry, context);
  const resource = RESOURCES[KINDS[kind].plural];
  const read = await attempt(async () => await client.get(resource, { namespace, name }));
  const isMissing = read.error?.code === 'k8s_not_found' && read.error.details.missing === 'object';
  if (read.error !== undefined && !(isMissing && options.create === true)) {
    throw isMissing ? missing(kind, read.error) : read.error;
  }
  if (read.error !== undefined) {
    const created = await attempt(async () => await create(client, kind, parameters, values));
    if (created.error === undefined) return result(kind, created.value, true, [...values.keys()], []);
    if (created.error.code !== 'k8s_already_exists') throw created.error;
  }
  const object = read.error === undefined ? read.value : await client.get(resource, { namespace, name });
  const [changed, unchanged] = partition([...values.keys()], (key) => isStored(kind, object, key, values.get(key)));
  if (changed.length === 0) return result(kind, object, false, changed, unchanged);
  refuseImmutable(kind, object);
  const changes = new Map([...values].filter(([key]) => changed.includes(key)));
  const after = await client.patch(resource, { namespace, name }, { type: 'merge', body: patchOf(kind, changes) });
  return result(kind, after, false, changed, unchanged);
}

/** @throws NavinError `k8s_operation_refused` for what can never be changed again */
export function refuseImmutable(kind: ConfigurationKind, object: KubeObject): void {
  if (at(object, 'immutable') !== true) return;
  const { title } = KINDS[kind];
  const name = object.metadata.name ?? '';
  throw new NavinError('k8s_operation_refused', `The ${title} ${name} is immutable: its keys can never be changed`, {
    hint: 'Create another one with the new values, and let the pods use that',
    details: { kind: title, name, namespace: object.metadata.namespace ?? '' },
  });
}

async function create(
  client: KubeClient,
  kind: ConfigurationKind,
  { namespace, name, options }: Parameters,
  values: ReadonlyMap<string, Stored>,
): Promise<KubeObject> {
  const resource = RESOURCES[KINDS[kind].plural];
  const fields: readonly (readonly [string, object])[] = Object.entries(patchOf(kind, values)).map(([field, texts]) => [
    field,
    Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null)),
  ]);
  const type = kind === 'secret' ? { type: typeOf(options.type) } : {};
  const about = { apiVersion: apiVersionOf(resource), kind: resource.kind, metadata: { name, namespace }, ...type };
  return await client.create(resource, { namespace }, { ...about, ...Object.fromEntries(fields) });
}

function typeOf(given: string | undefined): string {
  const type = given?.trim() ?? '';
  return type === '' ? 'Opaque' : type;
}

function isStored(kind: ConfigurationKind, object: KubeObject, key: string, value: Stored | undefined): boolean {
  const present = storedIn(kind, object, key);
  return present !== undefined && present.field === value?.field && present.text === value.text;
}

function result(
  kind: ConfigurationKind,
  object: KubeObject,
  created: boolean,
  changed: readonly string[],
  unchanged: readonly string[],
): object {
  const { name, namespace } = object.metadata;
  return { name, namespace, created, changed, unchanged, keys: keysOf(kind, object) };
}

function partition(keys: readonly string[], isSecond: (key: string) => boolean): [string[], string[]] {
  return [keys.filter((key) => !isSecond(key)), keys.filter(isSecond)];
}

function missing(kind: ConfigurationKind, error: NavinError): NavinError {
  return new NavinError('k8s_not_found', error.message, {
    hint: `Check the name and the namespace, or set the option 'Create When Missing' to make the ${KINDS[kind].title}`,
    details: error.details,
  });
}
