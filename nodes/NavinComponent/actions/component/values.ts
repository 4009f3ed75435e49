import { isRecord } from '../../../../core/kube';
import { parseManifest } from '../../../shared/manifest';
import { parameterInvalid } from '../../../shared/parameters';

const FIELDS = { name: 'Fields', value: 'fields', description: 'Each value by its path' } as const;
const TEXT = { name: 'YAML or JSON', value: 'text', description: 'All values as one document' } as const;

const VALUE_FIELDS = {
  displayName: 'Values',
  name: 'valueFields',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add Value',
  default: {},
  description: 'Values of the chart; secrets are refused here, use secret references for them',
  displayOptions: { show: { valuesFrom: ['fields'] } },
  options: [
    {
      displayName: 'Value',
      name: 'value',
      values: [
        {
          displayName: 'Path',
          name: 'path',
          type: 'string',
          required: true,
          default: '',
          placeholder: 'e.g. image.tag',
          description: 'The path of the value, with dots between its names',
        },
        {
          displayName: 'Type',
          name: 'type',
          type: 'options',
          default: 'text',
          description: 'How the value is written',
          options: [
            { name: 'Text', value: 'text' },
            { name: 'YAML or JSON', value: 'yaml', description: 'A number, true, a list, an object, null' },
          ],
        },
        {
          displayName: 'Value',
          name: 'value',
          type: 'string',
          default: '',
          typeOptions: { rows: 2 },
          description: 'The value to give to the chart',
        },
      ],
    },
  ],
} as const;

const VALUES_TEXT = {
  displayName: 'Values',
  name: 'values',
  type: 'string',
  default: '',
  typeOptions: { rows: 8 },
  placeholder: 'e.g. image: { tag: v2 }',
  description: 'Values of the chart as YAML or JSON; secrets are refused here, use secret references for them',
  displayOptions: { show: { valuesFrom: ['text'] } },
} as const;

/** The values of a new component. */
export const VALUES_PARAMETERS = [
  {
    displayName: 'Values From',
    name: 'valuesFrom',
    type: 'options',
    default: 'fields',
    description: 'How the values of the chart are given',
    options: [FIELDS, TEXT],
  },
  VALUE_FIELDS,
  VALUES_TEXT,
] as const;

/** Other values for a component that has some. */
export const OTHER_VALUES_PARAMETERS = [
  {
    displayName: 'Values From',
    name: 'valuesFrom',
    type: 'options',
    default: 'keep',
    description: 'How the values of the chart are given',
    options: [{ name: 'As They Are', value: 'keep', description: 'The same values as before' }, FIELDS, TEXT],
  },
  VALUE_FIELDS,
  VALUES_TEXT,
  {
    displayName: 'Values Mode',
    name: 'valuesMode',
    type: 'options',
    default: 'merge',
    description: 'What becomes of the values there are',
    displayOptions: { show: { valuesFrom: ['fields', 'text'] } },
    options: [
      { name: 'Merge', value: 'merge', description: 'Objects are merged, all else takes the place of what was there' },
      { name: 'Replace', value: 'replace', description: 'All values there are go' },
    ],
  },
] as const;

interface ValueField {
  readonly path: string;
  readonly type: 'text' | 'yaml';
  readonly value: string;
}

/** How values were given. */
export interface ValuesParameters {
  readonly valuesFrom: 'keep' | 'fields' | 'text';
  readonly valueFields: { readonly value: readonly ValueField[] };
  readonly values: string;
}

/** The most characters of a path. */
const MAX_PATH = 253;
/** As deep as values may be nested. */
const MAX_NAMES = 40;

/**
 * The values that were given; undefined: none.
 * @throws NavinError `k8s_parameter_invalid`; what was given is not repeated
 */
export function valuesOf(parameters: ValuesParameters): Readonly<Record<string, unknown>> | undefined {
  const { valuesFrom, valueFields, values } = parameters;
  if (valuesFrom === 'text') {
    if (values.trim() === '') return undefined;
    const document = parseManifest(values, 'values', 'Values');
    if (!isRecord(document)) throw parameterInvalid('values', 'Values', 'must be an object of values');
    return document;
  }
  if (valuesFrom === 'keep' || valueFields.value.length === 0) return undefined;
  return valueFields.value.reduce<Readonly<Record<string, unknown>>>((all, field) => {
    const names = namesOf(field.path);
    return put(all, names, field.type === 'text' ? field.value : parsed(field), field.path.trim());
  }, {});
}

/**
 * The names along a path of a value.
 * @throws NavinError `k8s_parameter_invalid`
 */
function namesOf(path: string): readonly string[] {
  const names = path.trim().split('.');
  if (path.length > MAX_PATH || names.length > MAX_NAMES || names.some((name) => !/^[A-Za-z0-9_-]+$/.test(name))) {
    throw parameterInvalid(
      'valueFields',
      'Values > Path',
      'must be names with dots between them, such as image.tag',
      "Names with other characters can be given as YAML: set 'Values From'",
    );
  }
  return names;
}

/** Where it cannot be read, the error names the path. */
function parsed({ value, path }: ValueField): unknown {
  // A document of nothing else counts as none, but charts know by a null what to leave out.
  if (/^(null|~)$/.test(value.trim())) return null;
  return parseManifest(value, 'valueFields', `Values > ${path.trim()}`);
}

function put(
  values: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
  path: string,
): Readonly<Record<string, unknown>> {
  const own = Object.hasOwn(values, name) ? values[name] : undefined;
  const isTaken = rest.length === 0 ? own !== undefined : own !== undefined && !isRecord(own);
  if (isTaken) throw parameterInvalid('valueFields', 'Values > Path', `gives ${path} twice, or something inside of it`);
  const inner = rest.length === 0 ? value : put(isRecord(own) ? own : {}, rest, value, path);
  return Object.fromEntries([...Object.entries(values).filter(([key]) => key !== name), [name, inner]]);
}
