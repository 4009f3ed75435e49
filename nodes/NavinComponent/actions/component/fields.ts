import { namespaceLocator } from '../../../shared/locators';
import type { Right } from '../../../shared/rights';
import { INTERVAL_OPTION, waitFields } from '../../../shared/wait';

/** Which component. */
/* @__NO_SIDE_EFFECTS__ */
export function componentLocator() {
  return {
    displayName: 'Component',
    name: 'name',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    description: 'The component to act on',
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod: 'searchComponents', searchable: true },
      },
      { displayName: 'By Name', name: 'name', type: 'string', placeholder: 'e.g. web' },
    ],
  } as const;
}

/** Which component of which namespace: what all operations on one begin with. */
/* @__NO_SIDE_EFFECTS__ */
export function whichFields() {
  return [namespaceLocator(), componentLocator()] as const;
}

/** Whether the operation waits, and how: the last parameters but the options. */
/* @__NO_SIDE_EFFECTS__ */
export function confirmFields(defaultTimeout: number) {
  return [
    {
      displayName: 'Wait Until Confirmed',
      name: 'wait',
      type: 'boolean',
      default: false,
      description: 'Whether to wait until the operator confirms it; it ends early when that fails or is blocked',
    },
    ...waitFields(defaultTimeout, { wait: [true] }),
  ] as const;
}

/** How long a block may last that ends by itself. */
export const BLOCKED_OPTION = {
  displayName: 'Blocked Seconds',
  name: 'blockedSeconds',
  type: 'number',
  default: 10,
  typeOptions: { minValue: 0, maxValue: 86400, numberPrecision: 0 },
  description:
    'Seconds a block that ends by itself (such as an exhausted disruption budget) may last before the waiting ends',
} as const;

/** The options of all operations that wait. */
export const WAIT_OPTIONS = [BLOCKED_OPTION, INTERVAL_OPTION] as const;

/** The option of a change that only says what it would do. */
export const TRY_OPTION = {
  displayName: 'Dry Run',
  name: 'dryRun',
  type: 'boolean',
  default: false,
  description: 'Whether to store nothing and say field by field what would change; everything is checked all the same',
} as const;

/** The options of a change. */
export const CHANGE_OPTIONS_FIELD = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add option',
  default: {},
  options: [BLOCKED_OPTION, TRY_OPTION, INTERVAL_OPTION],
} as const;

/** Seconds that a rollout may take. */
export const ROLLOUT_SECONDS = 600;

/** The parameters of an operation that needs nothing but the component. */
/* @__NO_SIDE_EFFECTS__ */
export function plainChangeFields() {
  return [...whichFields(), ...confirmFields(ROLLOUT_SECONDS), CHANGE_OPTIONS_FIELD] as const;
}

/* @__NO_SIDE_EFFECTS__ */
function rightsTo(...verbs: readonly string[]): readonly Right[] {
  return verbs.map((verb) => ({ verb, group: 'platform.navin.ai', resource: 'managedcomponents' }));
}

/** To read one. */
export const GET_RIGHTS = rightsTo('get');
/** To list them. */
export const LIST_RIGHTS = rightsTo('list');
/** To read one and to change its spec. */
export const CHANGE_RIGHTS = rightsTo('get', 'patch');
/** To write a new one and to see how it does. */
export const INSTALL_RIGHTS = rightsTo('create', 'get');
/** To remove one and to see it go. */
export const REMOVE_RIGHTS = rightsTo('get', 'delete');
