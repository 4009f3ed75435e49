import { certificateExpiring } from './certificate';
import { claimPending, nodeNotReady } from './cluster';
import { crashLoop, evicted, imagePull, outOfMemory, unschedulable } from './pods';
import type { ConditionRule } from './rule';
import { jobCompleted, jobFailed, rolloutFinished, rolloutSlow, rolloutStuck } from './workloads';

/** The ready-made conditions by name. The names are values of the node's parameter: never renamed. */
export const CONDITIONS = {
  podCrashLoop: crashLoop,
  podOutOfMemory: outOfMemory,
  podImagePullFailed: imagePull,
  podEvicted: evicted,
  podUnschedulable: unschedulable,
  jobCompleted,
  jobFailed,
  rolloutFinished,
  rolloutStuck,
  rolloutSlow,
  nodeNotReady,
  claimPending,
  certificateExpiring,
} as const satisfies Record<string, ConditionRule>;

/** The name of a ready-made condition. */
export type ConditionName = keyof typeof CONDITIONS;

export {
  ALL_COMPONENT_FIELDS,
  COMPONENT_FIELDS,
  COMPONENT_RESOURCE,
  componentFields,
  type ComponentDimension,
} from './component';
export type { ConditionRule, ConditionTiming, Examination, Finding } from './rule';
