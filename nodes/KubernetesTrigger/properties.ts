import { FIELD_SELECTOR_OPTION, LABEL_SELECTOR_OPTION, SIMPLIFY_FIELD } from '../shared/fields';
import { namespacesLocatorOf } from '../shared/locators';
import type { Property } from '../shared/property';
import { COMPONENT_DIMENSIONS, conditionsThat, sourceChoices, sourceNames } from './sources';

const OF_RESOURCE = { show: { triggerOn: ['resource'] } } as const;
const OF_EVENT = { show: { triggerOn: ['event'] } } as const;

/** What the editor shows before the options. */
const MAIN_FIELDS = [
  {
    displayName: 'Trigger On',
    name: 'triggerOn',
    type: 'options',
    noDataExpression: true,
    default: 'resource',
    description: 'What starts the workflow',
    options: sourceChoices(),
  },
  {
    displayName: 'Resource',
    name: 'resource',
    type: 'resourceLocator',
    required: true,
    default: { mode: 'list', value: '' },
    description: 'The kind of objects to watch; custom resources too',
    displayOptions: OF_RESOURCE,
    modes: [
      {
        displayName: 'From List',
        name: 'list',
        type: 'list',
        typeOptions: { searchListMethod: 'searchResources', searchable: true },
      },
      {
        displayName: 'By Name',
        name: 'name',
        type: 'string',
        placeholder: 'e.g. configmaps, deploy or Certificate.cert-manager.io',
      },
    ],
  },
  {
    displayName: 'Workload',
    name: 'workload',
    type: 'options',
    default: 'deployments.apps',
    description: 'Whose rollouts to watch',
    displayOptions: { show: { triggerOn: conditionsThat(({ resources }) => resources.length > 1) } },
    options: [
      { name: 'DaemonSets', value: 'daemonsets.apps' },
      { name: 'Deployments', value: 'deployments.apps' },
      { name: 'StatefulSets', value: 'statefulsets.apps' },
    ],
  },
  {
    ...namespacesLocatorOf(
      "The namespace to watch; several by name, separated by commas; * for all of them; the credential's own when none is chosen",
      'e.g. production or staging, test or *',
    ),
    displayOptions: { show: { triggerOn: sourceNames().filter((name) => name !== 'nodeNotReady') } },
  },
  {
    displayName: 'Changes',
    name: 'changes',
    type: 'multiOptions',
    default: ['added', 'modified', 'deleted'],
    description: 'Which changes start the workflow',
    displayOptions: OF_RESOURCE,
    options: [
      { name: 'Added', value: 'added', description: 'An object was created, or begins to match the selectors' },
      { name: 'Deleted', value: 'deleted', description: 'An object was deleted, or no longer matches the selectors' },
      { name: 'Modified', value: 'modified', description: 'An object was changed' },
    ],
  },
  {
    displayName: 'Modified When',
    name: 'modifiedWhen',
    type: 'options',
    default: 'spec',
    description: 'Which modifications count',
    displayOptions: OF_RESOURCE,
    options: [
      { name: 'Anything Changed', value: 'any', description: 'Also status and annotations, which change all the time' },
      { name: 'Chosen Fields Changed', value: 'fields', description: 'With their values before and after' },
      {
        name: 'Specification Changed',
        value: 'spec',
        description: 'What is wanted was changed, or the data of a ConfigMap',
      },
      { name: 'Status Changed', value: 'status', description: 'What the cluster reports was changed' },
    ],
  },
  {
    displayName: 'Fields',
    name: 'fields',
    type: 'string',
    typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Field' },
    required: true,
    default: [],
    placeholder: 'e.g. spec.replicas or status.conditions[type=Ready].status',
    description: 'The fields whose change counts, up to 10',
    displayOptions: { show: { triggerOn: ['resource'], modifiedWhen: ['fields'] } },
  },
  {
    displayName: 'Dimensions',
    name: 'dimensions',
    type: 'multiOptions',
    default: ['health', 'state'],
    description: 'Which changes of a component start the workflow',
    displayOptions: { show: { triggerOn: ['component'] } },
    options: COMPONENT_DIMENSIONS,
  },
  {
    displayName: 'Event Type',
    name: 'eventType',
    type: 'options',
    default: 'Warning',
    description: 'Which Events start the workflow',
    displayOptions: OF_EVENT,
    options: [
      { name: 'All', value: 'all' },
      { name: 'Warning', value: 'Warning' },
    ],
  },
  {
    displayName: 'Object Kind',
    name: 'objectKind',
    type: 'string',
    default: '',
    placeholder: 'e.g. Pod',
    description: 'Only Events about objects of this kind; all kinds when empty',
    displayOptions: OF_EVENT,
  },
  {
    displayName: 'Reason',
    name: 'reason',
    type: 'string',
    default: '',
    placeholder: 'e.g. FailedScheduling',
    description: 'Only Events with this reason; all reasons when empty',
    displayOptions: OF_EVENT,
  },
  {
    displayName: 'Minutes',
    name: 'minutes',
    type: 'number',
    default: 10,
    typeOptions: { minValue: 0, maxValue: 10_080 },
    description: 'How many minutes it must last before the workflow is started',
    displayOptions: { show: { triggerOn: conditionsThat(({ timer }) => timer === 'hold') } },
  },
  {
    displayName: 'Days',
    name: 'days',
    type: 'number',
    default: 14,
    typeOptions: { minValue: 1, maxValue: 3_650, numberPrecision: 0 },
    description: 'How many days before the end the workflow is started',
    displayOptions: { show: { triggerOn: conditionsThat(({ timer }) => timer === 'deadline') } },
  },
  SIMPLIFY_FIELD,
] as const satisfies readonly Property[];

/** Seconds from one look at the cluster to the next when nothing else is set. */
export const DEFAULT_INTERVAL = 30;
/** Seconds a look watches when nothing else is set. */
export const DEFAULT_WINDOW = 3;

const OPTIONS = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add option',
  default: {},
  options: [
    {
      displayName: 'Emit Existing',
      name: 'emitExisting',
      type: 'boolean',
      default: false,
      description: 'Whether what exists at the first activation starts the workflow too, once for each object',
    },
    FIELD_SELECTOR_OPTION,
    {
      displayName: 'Interval',
      name: 'interval',
      type: 'number',
      default: DEFAULT_INTERVAL,
      typeOptions: { minValue: 15, maxValue: 86_400, numberPrecision: 0 },
      description: 'Seconds from one look at the cluster to the next, 15 at the least',
    },
    LABEL_SELECTOR_OPTION,
    {
      displayName: 'One Execution per Pass',
      name: 'batch',
      type: 'boolean',
      default: false,
      description:
        'Whether all that is found at one look starts one execution with several items. For floods: n8n starts about 13 executions a second. At-least-once: after a crash items may come a second time.',
    },
    {
      displayName: 'Report Faults',
      name: 'reportFaults',
      type: 'boolean',
      default: true,
      description:
        'Whether a fault that lasts (cluster away, right lost) is recorded as a failed execution, which starts the error workflow; once for each incident',
    },
    {
      displayName: 'Tell End',
      name: 'tellEnd',
      type: 'boolean',
      default: false,
      description: 'Whether the end of an incident starts the workflow too, with the type ended',
      displayOptions: { show: { '/triggerOn': conditionsThat(({ lasting }) => lasting === true) } },
    },
    {
      displayName: 'Tell Gaps',
      name: 'tellGaps',
      type: 'boolean',
      default: false,
      description: 'Whether the workflow is started, with the type gap, when something may have happened unseen',
    },
    {
      displayName: 'Tell Repeats',
      name: 'tellRepeats',
      type: 'boolean',
      default: false,
      description: 'Whether an Event starts the workflow again when it is counted once more',
      displayOptions: { show: { '/triggerOn': ['event'] } },
    },
    {
      displayName: 'Tracked Objects',
      name: 'tracked',
      type: 'number',
      default: 300,
      typeOptions: { minValue: 1, maxValue: 5_000, numberPrecision: 0 },
      description:
        'How many objects are remembered to tell exactly what changed while n8n was not watching. Their list is stored with the workflow: 15 to 30 kB for 300, with long names or chosen fields up to 60 kB.',
    },
    {
      displayName: 'Window',
      name: 'window',
      type: 'number',
      default: DEFAULT_WINDOW,
      typeOptions: { minValue: 1, maxValue: 300, numberPrecision: 0 },
      description: 'Seconds each look watches. As long as the interval or longer: watched without pause.',
    },
  ],
} as const satisfies Property;

/** The parameters of the trigger: the same data is shown by the editor, read at activation and written into the docs. */
export const PROPERTIES = [...MAIN_FIELDS, OPTIONS] as const;
