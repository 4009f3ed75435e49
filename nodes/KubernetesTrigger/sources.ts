import type { ComponentDimension, ConditionName } from '../../core/trigger';

/** What can start a workflow, as the editor shows it. */
export interface Source {
  /** In the dropdown; the list of nodes shows "On" before it. */
  readonly name: string;
  readonly description: string;
}

/** A ready-made condition as the editor shows it. The rule itself is in core/trigger, under the same name. */
export interface ConditionSource extends Source {
  /** Which objects it looks at, as discovery names them; the first is the default. */
  readonly resources: readonly string[];
  /** `hold`: it must last for some minutes; `deadline`: it is told some days ahead. */
  readonly timer?: 'hold' | 'deadline';
  /** Its incidents have an end that can be told. */
  readonly lasting?: true;
}

const WORKLOADS = ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps'] as const;

/** The ready-made conditions in plain words. Data only, because the description of the node needs it. */
export const CONDITION_SOURCES = {
  certificateExpiring: {
    name: 'Certificate Expiring',
    description: 'The certificate in a TLS Secret ends within some days',
    resources: ['secrets'],
    timer: 'deadline',
    lasting: true,
  },
  podOutOfMemory: {
    name: 'Container Out of Memory',
    description: 'A container was killed for lack of memory',
    resources: ['pods'],
  },
  podImagePullFailed: {
    name: 'Image Pull Failed',
    description: 'The image of a container cannot be pulled',
    resources: ['pods'],
    lasting: true,
  },
  jobCompleted: {
    name: 'Job Completed',
    description: 'A Job has ended well',
    resources: ['jobs.batch'],
  },
  jobFailed: {
    name: 'Job Failed',
    description: 'A Job has failed for good',
    resources: ['jobs.batch'],
  },
  nodeNotReady: {
    name: 'Node Not Ready',
    description: 'A node of the cluster is not ready for longer than some minutes',
    resources: ['nodes'],
    timer: 'hold',
    lasting: true,
  },
  podCrashLoop: {
    name: 'Pod Crash Loop',
    description: 'A container keeps crashing',
    resources: ['pods'],
    lasting: true,
  },
  podEvicted: {
    name: 'Pod Evicted',
    description: 'A pod was put out by its node for lack of memory, disk or process IDs',
    resources: ['pods'],
  },
  podUnschedulable: {
    name: 'Pod Unschedulable',
    description: 'No node takes a pod for longer than some minutes',
    resources: ['pods'],
    timer: 'hold',
    lasting: true,
  },
  rolloutFinished: {
    name: 'Rollout Finished',
    description: 'A new version of a workload is out completely',
    resources: WORKLOADS,
  },
  rolloutSlow: {
    name: 'Rollout Slow',
    description: 'A rollout is not finished for longer than some minutes',
    resources: WORKLOADS,
    timer: 'hold',
    lasting: true,
  },
  rolloutStuck: {
    name: 'Rollout Stuck',
    description: 'A Deployment says that its rollout does not get on',
    resources: ['deployments.apps'],
    lasting: true,
  },
  claimPending: {
    name: 'Storage Claim Pending',
    description: 'A claim for storage is not bound for longer than some minutes',
    resources: ['persistentvolumeclaims'],
    timer: 'hold',
    lasting: true,
  },
} as const satisfies Record<ConditionName, ConditionSource>;

/** The sources that are no conditions. */
export const OTHER_SOURCES = {
  event: {
    name: 'Event',
    description: 'An Event was reported about an object, as kubectl get events shows them',
  },
  component: {
    name: 'Managed Component Changed',
    description: 'The state of a ManagedComponent changed, where the cluster has them',
  },
  resource: {
    name: 'Resource Changed',
    description: 'Objects of any kind were added, modified or deleted',
  },
} as const satisfies Record<string, Source>;

/** The value of the parameter Trigger On. */
export type SourceName = keyof typeof CONDITION_SOURCES | keyof typeof OTHER_SOURCES;

/** A condition by the value of the parameter; undefined for the other sources. */
/* @__NO_SIDE_EFFECTS__ */
export function conditionSource(name: string): ConditionSource | undefined {
  return Object.hasOwn(CONDITION_SOURCES, name) ? CONDITION_SOURCES[name as ConditionName] : undefined;
}

/** The conditions that a test picks. */
/* @__NO_SIDE_EFFECTS__ */
export function conditionsThat(test: (source: ConditionSource) => boolean): readonly ConditionName[] {
  return (Object.keys(CONDITION_SOURCES) as ConditionName[]).filter((name) => test(CONDITION_SOURCES[name]));
}

/** All values of the parameter. */
/* @__NO_SIDE_EFFECTS__ */
export function sourceNames(): readonly SourceName[] {
  return sourceChoices().map(({ value }) => value);
}

/** The entries of the dropdown, by name as n8n wants them. */
/* @__NO_SIDE_EFFECTS__ */
export function sourceChoices(): readonly { name: string; value: SourceName; description: string }[] {
  return Object.entries({ ...CONDITION_SOURCES, ...OTHER_SOURCES })
    .map(([value, { name, description }]) => ({ name, value: value as SourceName, description }))
    .sort((left, right) => left.name.localeCompare(right.name));
}

/** What of a ManagedComponent can be watched. */
export const COMPONENT_DIMENSIONS = [
  { name: 'Convergence', value: 'convergence', description: 'Whether it is as it should be' },
  { name: 'Health', value: 'health' },
  { name: 'Operation', value: 'operation', description: 'What is being done to it' },
  { name: 'Security', value: 'security' },
  { name: 'State', value: 'state', description: 'Whether it is running, stopped, …' },
] as const satisfies readonly { name: string; value: ComponentDimension; description?: string }[];
