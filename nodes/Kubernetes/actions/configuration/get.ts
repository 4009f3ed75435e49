import { isUtf8 } from 'node:buffer';
import { type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { KINDS } from '../../../shared/kinds';
import { FileItem } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';
import { present, SIMPLIFY } from '../../../shared/simplify';
import { type ConfigurationKind, keysOf, valueIn } from './stored';

/** An option of Get: the only way to something that is no text. */
export const KEY_AS_FILE_OPTION = {
  displayName: 'Key as File',
  name: 'keyAsFile',
  type: 'string',
  default: '',
  placeholder: 'e.g. tls.crt',
  description: 'A key whose value to put into a file of the item, whatever it holds',
} as const;

/** An option of Get: the only way to a value of a Secret as text. */
export const REVEAL_KEYS_OPTION = {
  displayName: 'Reveal Keys',
  name: 'revealKeys',
  type: 'string',
  typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Key' },
  default: [],
  placeholder: 'e.g. password',
  description: 'Keys of a Secret whose values to return as text; n8n stores them with the execution',
} as const;

interface Parameters {
  readonly namespace: string;
  readonly name: string;
  readonly simplify: boolean;
  readonly options: {
    readonly managedFields?: boolean;
    readonly keyAsFile?: string;
    readonly revealKeys?: readonly string[];
  };
}

/** One ConfigMap or Secret, with the values that were asked for by their keys. */
export async function getConfiguration(
  client: KubeClient,
  kind: ConfigurationKind,
  { namespace, name, simplify, options }: Parameters,
): Promise<object> {
  const resource = RESOURCES[KINDS[kind].plural];
  const object = await client.get(resource, { namespace, name });
  const shown = present(SIMPLIFY[kind], object, resource, { simplify, managedFields: options.managedFields });
  const { revealKeys = [], keyAsFile = '' } = options;
  const json = { ...shown, ...revealed(kind, object, revealKeys) };
  const key = keyAsFile.trim();
  if (key === '') return json;
  return new FileItem(json, { name: key, data: valueOf(kind, object, key, KEY_AS_FILE_OPTION.displayName) });
}

/** The values of some keys, where there are any asked for. @throws NavinError `k8s_parameter_invalid` naming the keys there are */
export function revealed(
  kind: ConfigurationKind,
  object: KubeObject,
  keys: readonly string[],
): { readonly values?: Readonly<Record<string, string>> } {
  const values = keys.map((key) => [key.trim(), textOf(kind, object, key.trim())] as const);
  return values.length === 0 ? {} : { values: Object.fromEntries(values) };
}

function valueOf(kind: ConfigurationKind, object: KubeObject, key: string, label: string): Buffer {
  const value = valueIn(kind, object, key);
  if (value !== undefined) return value;
  const keys = keysOf(kind, object);
  const has = keys.length === 0 ? 'it has none' : `it has: ${keys.join(', ')}`;
  throw parameterInvalid(
    'options',
    `Options > ${label}`,
    `names a key this ${KINDS[kind].title} does not have; ${has}`,
  );
}

function textOf(kind: ConfigurationKind, object: KubeObject, key: string): string {
  const value = valueOf(kind, object, key, 'Reveal Keys');
  if (isUtf8(value)) return value.toString('utf8');
  const hint = "Take it by the option 'Key as File'";
  throw parameterInvalid('options', 'Options > Reveal Keys', 'names a key whose value is no text', hint);
}
