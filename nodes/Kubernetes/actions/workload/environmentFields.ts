const BY_KEY = { show: { from: ['configMap', 'secret'] } } as const;

const OPTIONAL_FIELD = {
  displayName: 'Optional',
  name: 'optional',
  type: 'boolean',
  default: false,
  description: 'Whether pods start although it is missing; else they wait for it',
} as const;

const OBJECT_FIELD = {
  displayName: 'Object',
  name: 'source',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. login',
  description: 'The name of the ConfigMap or Secret, in the namespace of the pods',
  displayOptions: BY_KEY,
} as const;

const KEY_FIELD = {
  displayName: 'Key',
  name: 'key',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. password',
  description: 'The key whose value the variable has',
  displayOptions: BY_KEY,
} as const;

const SOURCE_KIND_FIELD = {
  displayName: 'Kind',
  name: 'kind',
  type: 'options',
  default: 'secret',
  description: 'What it is',
  options: [
    { name: 'ConfigMap', value: 'configMap' },
    { name: 'Secret', value: 'secret' },
  ],
} as const;

const SOURCE_NAME_FIELD = {
  displayName: 'Name',
  name: 'name',
  type: 'string',
  required: true,
  default: '',
  placeholder: 'e.g. login',
  description: 'Its name, in the namespace of the pods',
} as const;

/** The parameter of Set Environment that sets single variables. */
export const VARIABLES_FIELD = {
  displayName: 'Variables',
  name: 'variables',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add Variable',
  default: {},
  description: 'The variables to set; the others stay',
  options: [
    {
      displayName: 'Variable',
      name: 'variable',
      values: [
        {
          displayName: 'Name',
          name: 'name',
          type: 'string',
          required: true,
          default: '',
          placeholder: 'e.g. LOG_LEVEL',
          description: 'The name of the variable',
        },
        {
          displayName: 'Value From',
          name: 'from',
          type: 'options',
          default: 'text',
          description: 'Where the value is',
          options: [
            { name: 'ConfigMap Key', value: 'configMap', description: 'Read when a pod starts' },
            { name: 'Secret Key', value: 'secret', description: 'Read when a pod starts' },
            { name: 'Text', value: 'text', description: 'Written into the object' },
          ],
        },
        {
          displayName: 'Value',
          name: 'value',
          type: 'string',
          default: '',
          description: 'Its value, which everybody sees who may read the object',
          displayOptions: { show: { from: ['text'] } },
        },
        OBJECT_FIELD,
        KEY_FIELD,
        { ...OPTIONAL_FIELD, displayOptions: BY_KEY },
      ],
    },
  ],
} as const;

/** The parameter that sets all keys of ConfigMaps and Secrets. */
export const SOURCES_FIELD = {
  displayName: 'All Keys Of',
  name: 'sources',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add ConfigMap or Secret',
  default: {},
  description: 'ConfigMaps and Secrets each key of which becomes a variable; the others stay',
  options: [
    {
      displayName: 'Source',
      name: 'source',
      values: [
        SOURCE_KIND_FIELD,
        SOURCE_NAME_FIELD,
        {
          displayName: 'Prefix',
          name: 'prefix',
          type: 'string',
          default: '',
          placeholder: 'e.g. DB_',
          description: 'What the names of the variables begin with, before the key',
        },
        OPTIONAL_FIELD,
      ],
    },
  ],
} as const;

/** The option that removes what {@link VARIABLES_FIELD} sets. */
export const REMOVE_OPTION = {
  displayName: 'Remove',
  name: 'remove',
  type: 'string',
  default: [],
  typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Variable' },
  description: 'Names of variables to remove; those that are not there do not matter',
} as const;

/** The option that removes what {@link SOURCES_FIELD} sets. */
export const REMOVE_SOURCES_OPTION = {
  displayName: 'Remove All Keys Of',
  name: 'removeSources',
  type: 'fixedCollection',
  typeOptions: { multipleValues: true },
  placeholder: 'Add ConfigMap or Secret',
  default: {},
  description: 'ConfigMaps and Secrets whose keys shall be no variables any more, whatever their prefix',
  options: [{ displayName: 'Source', name: 'source', values: [SOURCE_KIND_FIELD, SOURCE_NAME_FIELD] }],
} as const;
