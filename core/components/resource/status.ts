import { Type, type Static } from 'typebox';
import { oneOf, text, time } from './strings';

const CLOSED = { additionalProperties: false } as const;
const count = () => Type.Integer({ minimum: 0, format: 'int32' });
/** Text that explains; it may be empty. */
const words = (maxLength: number, description?: string) =>
  Type.String({ maxLength, ...(description === undefined ? {} : { description }) });
const digest = () => text(64);

/** The most objects a component may have: its inventory is kept in its status. */
export const MAX_OBJECTS = 400;
/** The most workloads whose numbers are listed. */
export const MAX_WORKLOADS = 64;
/** The most claims that are listed as retained. */
export const MAX_RETAINED = 256;
/** The most entries of an inventory: what is no longer rendered stays listed until it is gone. */
export const MAX_INVENTORY = 2 * MAX_OBJECTS;

/** The operations that can be asked for by the spec. */
const OPERATIONS = ['install', 'start', 'stop', 'restart', 'scale', 'maintenance', 'configure', 'remove'] as const;

const state = () =>
  oneOf(['installing', 'starting', 'started', 'stopping', 'stopped', 'failed', 'uninstalling'], {
    description: 'What the workloads show.',
  });
const health = () =>
  oneOf(['ok', 'warning', 'critical', 'unknown'], { description: 'Available Pods against desired Pods.' });

const workload = Type.Object(
  {
    kind: text(63),
    name: text(253),
    state: state(),
    health: health(),
    desired: count(),
    current: count(),
    updated: count(),
    ready: count(),
    available: count(),
    required: Type.Integer({ minimum: 0, format: 'int32', description: 'What the disruption budget requires.' }),
    complete: Type.Boolean({ description: 'Every replica is at the update revision and available.' }),
    message: Type.Optional(words(512)),
    changedAt: time({ description: 'When its numbers changed last.' }),
  },
  CLOSED,
);

const entry = Type.Object(
  {
    group: words(253),
    version: text(63),
    kind: text(63),
    name: text(253),
    uid: Type.Optional(text(64)),
    digest: Type.Optional(digest()),
    fields: Type.Optional(digest()),
    retained: Type.Optional(Type.Boolean()),
  },
  CLOSED,
);

const accepted = Type.Object(
  {
    configuration: digest(),
    desiredState: oneOf(['Running', 'Stopped']),
    scale: digest(),
    minReplicas: Type.Optional(count()),
    maxReplicas: Type.Optional(count()),
    maintenance: Type.Boolean(),
    restartRequestedAt: Type.Optional(text(64)),
    operation: oneOf(OPERATIONS),
  },
  { ...CLOSED, description: 'What of the spec was accepted last, as digests: the operator acts on nothing else.' },
);

const condition = Type.Object(
  {
    type: text(316),
    status: oneOf(['True', 'False', 'Unknown']),
    reason: text(1_024),
    message: words(4_096),
    observedGeneration: Type.Optional(Type.Integer({ minimum: 0, format: 'int64' })),
    lastTransitionTime: time(),
  },
  CLOSED,
);

/** The status of a ManagedComponent: what is. */
export const STATUS = Type.Object(
  {
    observedGeneration: Type.Optional(Type.Integer({ minimum: 0, format: 'int64' })),
    state: Type.Optional(state()),
    health: Type.Optional(health()),
    operationState: Type.Optional(
      oneOf(['idle', 'running', 'succeeded', 'failed', 'blocked'], { description: 'Of the newest operation.' }),
    ),
    securityState: Type.Optional(
      oneOf(['unknown', 'compliant', 'non_compliant'], { description: 'Whether what the chart renders is allowed.' }),
    ),
    converged: Type.Optional(
      Type.Boolean({ description: 'The newest generation was observed and the workloads are as it asks.' }),
    ),
    operation: Type.Optional(
      Type.Object(
        {
          type: oneOf(OPERATIONS),
          key: digest(),
          reason: Type.Optional(text(64)),
          message: Type.Optional(words(1_024)),
          startedAt: time(),
          finishedAt: Type.Optional(time()),
        },
        { ...CLOSED, description: 'The newest operation.' },
      ),
    ),
    security: Type.Optional(
      Type.Object(
        { reason: text(64), message: words(1_024), object: Type.Optional(words(512)), path: Type.Optional(words(512)) },
        { ...CLOSED, description: 'Why the component is not compliant.' },
      ),
    ),
    chart: Type.Optional(
      Type.Object({ name: text(253), version: text(128), digest: Type.Optional(text(128)) }, CLOSED),
    ),
    accepted: Type.Optional(accepted),
    installedAt: Type.Optional(time({ description: 'When all workloads were rolled out for the first time.' })),
    workloads: Type.Optional(Type.Array(workload, { maxItems: MAX_WORKLOADS, 'x-kubernetes-list-type': 'atomic' })),
    inventory: Type.Optional(
      Type.Array(entry, {
        maxItems: MAX_INVENTORY,
        'x-kubernetes-list-type': 'atomic',
        description: 'Every object that was applied, or is about to be.',
      }),
    ),
    retainedClaims: Type.Optional(
      Type.Array(text(253), {
        maxItems: MAX_RETAINED,
        'x-kubernetes-list-type': 'atomic',
        description: 'PersistentVolumeClaims that are kept though nothing uses them any more.',
      }),
    ),
    conditions: Type.Optional(
      Type.Array(condition, {
        maxItems: 16,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['type'],
      }),
    ),
  },
  CLOSED,
);

/** What is. */
export type ComponentStatus = Static<typeof STATUS>;
export type ComponentState = NonNullable<ComponentStatus['state']>;
export type ComponentHealth = NonNullable<ComponentStatus['health']>;
export type OperationState = NonNullable<ComponentStatus['operationState']>;
export type SecurityState = NonNullable<ComponentStatus['securityState']>;
export type OperationType = (typeof OPERATIONS)[number];
export type WorkloadStatus = Static<typeof workload>;
export type InventoryEntry = Static<typeof entry>;
export type Accepted = Static<typeof accepted>;
export type Condition = Static<typeof condition>;
