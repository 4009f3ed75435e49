import { isRecord, type KubeObject, parseFieldPath, readField } from '../../core/kube';
import { ManifestError, readManifest } from '../../core/manifest';
import { parameterInvalid } from './parameters';

const MANIFEST_FROM = {
  displayName: 'Manifest From',
  name: 'manifestFrom',
  type: 'options',
  default: 'text',
  description: 'Where the objects come from',
  options: [
    { name: 'Input Item', value: 'item', description: 'The JSON of the item, or one field of it' },
    { name: 'Text', value: 'text', description: 'YAML or JSON, written here' },
  ],
} as const;

const MANIFEST_TEXT = {
  displayName: 'Manifest',
  name: 'manifest',
  type: 'string',
  required: true,
  typeOptions: { rows: 12 },
  default: '',
  placeholder: 'e.g. apiVersion: v1 …',
  description: 'The objects as YAML or JSON; several YAML documents are separated by a line ---',
  displayOptions: { show: { manifestFrom: ['text'] } },
} as const;

const MANIFEST_FIELD = {
  displayName: 'Field',
  name: 'manifestField',
  type: 'string',
  default: '',
  placeholder: 'e.g. data.manifest',
  description: 'The field that holds an object, a list of objects or a text; the whole item when empty',
  displayOptions: { show: { manifestFrom: ['item'] } },
} as const;

/** The parameters of an operation on the objects of a manifest. */
export const MANIFEST_FIELDS = [MANIFEST_FROM, MANIFEST_TEXT, MANIFEST_FIELD] as const;

/** Values of {@link MANIFEST_FIELDS}. */
export interface ManifestParameters {
  readonly manifestFrom: 'text' | 'item';
  readonly manifest: string;
  readonly manifestField: string;
}

/** An object of a manifest: what it is of is known, all else is for the API server to check. */
export interface ManifestObject extends KubeObject {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The most objects of one manifest. */
const MAX_OBJECTS = 1_000;

/**
 * Reads the one document of a parameter.
 * @throws NavinError `k8s_parameter_invalid` with the line; the text itself is not repeated
 */
export function parseManifest(text: string, parameter: string, label: string): unknown {
  const documents = read(text, parameter, label);
  if (documents.length === 0) throw parameterInvalid(parameter, label, 'is empty');
  if (documents.length > 1) {
    throw parameterInvalid(parameter, label, 'holds several documents; give one for each item');
  }
  return documents[0];
}

/**
 * The objects of a manifest, in its order; lists are taken apart.
 * @param input the json of the item
 * @throws NavinError `k8s_parameter_invalid` naming the document
 */
export function manifestObjects(
  { manifestFrom, manifest, manifestField }: ManifestParameters,
  input: Readonly<Record<string, unknown>>,
): readonly ManifestObject[] {
  const [parameter, label] = manifestFrom === 'text' ? ['manifest', 'Manifest'] : ['manifestField', 'Field'];
  const value =
    manifestFrom === 'text'
      ? manifest
      : manifestField.trim() === ''
        ? input
        : readField(input, parseFieldPath(manifestField));
  if (value === undefined) throw parameterInvalid(parameter, label, 'names a field that the item does not have');
  const documents =
    typeof value === 'string'
      ? read(value, parameter, label)
      : ((Array.isArray(value) ? value : [value]) as readonly unknown[]);
  const objects = documents.flatMap((document, index) => {
    const of = documents.length === 1 ? '' : `document ${String(index + 1)}: `;
    return objectsOf(document, (problem) => parameterInvalid(parameter, label, `cannot be used: ${of}${problem}`));
  });
  if (objects.length === 0) throw parameterInvalid(parameter, label, 'holds no object');
  if (objects.length > MAX_OBJECTS) {
    throw parameterInvalid(parameter, label, `holds more than ${String(MAX_OBJECTS)} objects`);
  }
  return objects;
}

/** The same for operations on objects that have a name already. */
export function namedObjects(
  parameters: ManifestParameters,
  input: Readonly<Record<string, unknown>>,
): readonly ManifestObject[] {
  const objects = manifestObjects(parameters, input);
  const nameless = objects.find(({ metadata }) => (metadata.name ?? '') === '');
  if (nameless === undefined) return objects;
  throw parameterInvalid('manifest', 'Manifest', `holds a ${nameless.kind} without metadata.name`);
}

/** The object a document is, or those of the list it is (`List`, `ConfigMapList`, as the API server gives them). */
function objectsOf(document: unknown, invalid: (problem: string) => Error): readonly ManifestObject[] {
  if (!isRecord(document)) throw invalid('it is no object');
  const { apiVersion, kind, items } = document;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items)) {
    const type = kind === 'List' ? {} : { apiVersion, kind: kind.slice(0, -'List'.length) };
    return items.flatMap((item: unknown) => objectsOf(isRecord(item) ? { ...type, ...item } : item, invalid));
  }
  if (typeof apiVersion !== 'string' || apiVersion === '') throw invalid('apiVersion is missing');
  if (typeof kind !== 'string' || kind === '') throw invalid('kind is missing');
  const { metadata = {} } = document;
  if (!isRecord(metadata)) throw invalid('metadata is no object');
  for (const field of ['name', 'generateName', 'namespace']) {
    if (metadata[field] !== undefined && typeof metadata[field] !== 'string') {
      throw invalid(`metadata.${field} is no text`);
    }
  }
  return [{ ...document, apiVersion, kind, metadata }];
}

function read(text: string, parameter: string, label: string): readonly unknown[] {
  try {
    return readManifest(text);
  } catch (error) {
    const problem = error instanceof ManifestError ? parameterInvalid(parameter, label, error.problem) : error;
    throw problem;
  }
}
