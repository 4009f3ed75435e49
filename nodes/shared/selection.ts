import { type ApiResource, apiVersionOf, type KubeClient, type KubeObject } from '../../core/kube';
import { NavinError } from '../../core/errors';
import { objectLocator } from './locators';
import { parameterInvalid } from './parameters';

const BY_NAME = { show: { select: ['name'] } } as const;
const BY_SELECTOR = { show: { select: ['selector'] } } as const;

const SELECT_FIELD = {
  displayName: 'Select By',
  name: 'select',
  type: 'options',
  default: 'name',
  description: 'How to say which objects are meant',
  options: [
    { name: 'Name', value: 'name', description: 'One object' },
    { name: 'Selector', value: 'selector', description: 'All objects of the namespace that match' },
  ],
} as const;

const LABEL_SELECTOR_FIELD = {
  displayName: 'Label Selector',
  name: 'labelSelector',
  type: 'string',
  default: '',
  placeholder: 'e.g. app=web,tier!=cache',
  description: 'Only objects whose labels match; this or the field selector must be given',
  displayOptions: BY_SELECTOR,
} as const;

const FIELD_SELECTOR_FIELD = {
  displayName: 'Field Selector',
  name: 'fieldSelector',
  type: 'string',
  default: '',
  placeholder: 'e.g. status.phase=Failed',
  description: 'Only objects whose fields match, for the fields the API server can select by',
  displayOptions: BY_SELECTOR,
} as const;

/** The parameters of an operation on one object by name or on several by selector. */
/* @__NO_SIDE_EFFECTS__ */
export function selectionFields() {
  return [
    SELECT_FIELD,
    { ...objectLocator(), displayOptions: BY_NAME },
    LABEL_SELECTOR_FIELD,
    FIELD_SELECTOR_FIELD,
  ] as const;
}

/** The selectors of {@link selectionFields}. */
export interface Selectors {
  readonly labelSelector: string;
  readonly fieldSelector: string;
}

/** What is known of an object that was found by a selector. */
export type Selected = KubeObject & { readonly apiVersion: string; readonly kind: string };

/**
 * The selectors as they were given.
 * @throws NavinError `k8s_parameter_invalid` without one: all objects are never meant by leaving it out
 */
export function checkedSelectors({ labelSelector, fieldSelector }: Selectors): Selectors {
  const selectors = { labelSelector: labelSelector.trim(), fieldSelector: fieldSelector.trim() };
  if (selectors.labelSelector !== '' || selectors.fieldSelector !== '') return selectors;
  throw parameterInvalid('labelSelector', 'Label Selector', 'is empty, and so is the field selector');
}

/**
 * The objects that match, in the order of the list, their metadata only.
 * @throws NavinError as {@link checkedSelectors}; `k8s_operation_refused` when more than `most` match
 */
export async function selectObjects(
  client: KubeClient,
  resource: ApiResource,
  parameters: Selectors & { readonly namespace: string },
  most: number,
): Promise<readonly Selected[]> {
  const { namespace } = parameters;
  const selectors = checkedSelectors(parameters);
  const found: Selected[] = [];
  const type = { apiVersion: apiVersionOf(resource), kind: resource.kind };
  for await (const { items } of client.pages(resource, {
    namespace,
    ...selectors,
    metadataOnly: true,
    maxItems: most + 1,
  })) {
    found.push(...items.map((item) => ({ ...item, ...type })));
  }
  if (found.length <= most) return found;
  throw new NavinError(
    'k8s_operation_refused',
    `More than ${String(most)} ${resource.plural} match: nothing was done`,
    {
      hint: "Narrow the selector, or raise the option 'Max Objects'",
      details: { most },
    },
  );
}

/** The most objects a selector may match, an option. */
export const MAX_OBJECTS_OPTION = {
  displayName: 'Max Objects',
  name: 'maxObjects',
  type: 'number',
  default: 100,
  typeOptions: { minValue: 1, maxValue: 10000, numberPrecision: 0 },
  description: 'When more objects match the selector, none is touched',
} as const;

/** What {@link MAX_OBJECTS_OPTION} is when it is not set. */
export const DEFAULT_MAX_OBJECTS = 100;
