/** Parameters that several operations have, with the texts n8n's conventions fix. */

export const SIMPLIFY_FIELD = {
  displayName: 'Simplify',
  name: 'simplify',
  type: 'boolean',
  default: true,
  description: 'Whether to return a simplified version of the response instead of the raw data',
} as const;

export const RETURN_ALL_FIELD = {
  displayName: 'Return All',
  name: 'returnAll',
  type: 'boolean',
  default: false,
  description: 'Whether to return all results or only up to a given limit',
} as const;

export const LIMIT_FIELD = {
  displayName: 'Limit',
  name: 'limit',
  type: 'number',
  default: 50,
  typeOptions: { minValue: 1, numberPrecision: 0 },
  displayOptions: { show: { returnAll: [false] } },
  description: 'Max number of results to return',
} as const;

export const MANAGED_FIELDS_OPTION = {
  displayName: 'Include Managed Fields',
  name: 'managedFields',
  type: 'boolean',
  default: false,
  description: 'Whether to keep metadata.managedFields, which says who owns each field, when Simplify is off',
} as const;

/** The same for operations that have no Simplify. */
export const MANAGED_FIELDS_OF_WHOLE_OPTION = {
  ...MANAGED_FIELDS_OPTION,
  description: 'Whether to keep metadata.managedFields, which says who owns each field',
} as const;

export const LABEL_SELECTOR_OPTION = {
  displayName: 'Label Selector',
  name: 'labelSelector',
  type: 'string',
  default: '',
  placeholder: 'e.g. app=web,tier!=cache',
  description: 'Only objects whose labels match',
} as const;

export const METADATA_ONLY_OPTION = {
  displayName: 'Metadata Only',
  name: 'metadataOnly',
  type: 'boolean',
  default: false,
  description: 'Whether to read only names, labels, annotations and the like: a fraction of the bytes',
} as const;

export const CONTINUE_AFTER_OPTION = {
  displayName: 'Continue After',
  name: 'continueAfter',
  type: 'string',
  default: '',
  placeholder: 'e.g. {{ $json.continue }}',
  description:
    'Begin after the page whose "continue" this is, as One Item per Page gave it for the same selectors; clusters keep it for about five minutes',
} as const;

export const ONE_ITEM_PER_PAGE_OPTION = {
  displayName: 'One Item per Page',
  name: 'onePerPage',
  type: 'boolean',
  default: false,
  description:
    'Whether each page of the list becomes one item with a JSON file of its objects, so that a list of any length takes the memory of one page',
} as const;

export const PAGE_SIZE_OPTION = {
  displayName: 'Page Size',
  name: 'pageSize',
  type: 'number',
  default: 500,
  typeOptions: { minValue: 1, maxValue: 10000, numberPrecision: 0 },
  description: 'Max number of objects a page; chosen by their size when not set',
} as const;

export const FIELD_SELECTOR_OPTION = {
  displayName: 'Field Selector',
  name: 'fieldSelector',
  type: 'string',
  default: '',
  placeholder: 'e.g. status.phase=Running',
  description: 'Only objects whose fields match, for the fields the API server can select by',
} as const;
