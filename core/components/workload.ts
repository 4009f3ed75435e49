import type { KubeObject } from '../kube';
import { fields, items, numberAt, textAt } from './fields';

/**
 * Where the Pods of a workload are:
 * - `unobserved`: the status belongs to another generation than the spec, or there is none;
 * - `progressing`: not all replicas are new and available;
 * - `held`: all are available, not all are new, and nothing goes on by itself (paused, partition, OnDelete);
 * - `failed`: the progress deadline has passed;
 * - `complete`: every replica is at the update revision and available, none is left over;
 * - `stopping`, `stopped`: no replicas are desired; Pods are left, or none;
 * - `absent`, `terminating`: the workload is not there, or is being deleted.
 */
export type Rollout =
  'unobserved' | 'progressing' | 'held' | 'failed' | 'complete' | 'stopping' | 'stopped' | 'absent' | 'terminating';

/** What a workload shows. */
export interface WorkloadView {
  readonly rollout: Rollout;
  /** Whether the numbers are of the newest generation. */
  readonly isCurrent: boolean;
  /** What the live workload is to have, never what was rendered: an autoscaler may have set it. */
  readonly desired: number;
  readonly current: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  readonly strategy: Strategy;
}

/** How a workload replaces its Pods. `manual`: it does not, or not all of them, by itself. */
export type Strategy =
  | { readonly type: 'rolling'; readonly maxUnavailable?: number | string }
  | { readonly type: 'recreate' }
  | {
      readonly type: 'manual';
      readonly hold: 'paused' | 'onDelete' | 'partition';
      /** So many replicas, from the first on, keep what they have. */
      readonly partition: number;
    };

type Fields = Readonly<Record<string, unknown>>;

/** What a Deployment or StatefulSet shows (vectors in workload.test.ts). */
export function viewOf(object: KubeObject): WorkloadView {
  const [spec, status] = [fields(object, 'spec'), fields(object, 'status')];
  const counts = {
    // The API server fills in 1.
    desired: numberAt(spec, 'replicas') ?? 1,
    current: numberAt(status, 'replicas') ?? 0,
    updated: numberAt(status, 'updatedReplicas') ?? 0,
    ready: numberAt(status, 'readyReplicas') ?? 0,
    available: numberAt(status, 'availableReplicas') ?? 0,
  };
  const { metadata } = object;
  const observed = numberAt(status, 'observedGeneration');
  // A restored object may have been observed at a later generation than it has.
  const isCurrent = observed !== undefined && observed === metadata.generation;
  const strategy = strategyOf(object.kind ?? '', spec);
  const rollout = (): Rollout => {
    if (metadata.deletionTimestamp !== undefined) return 'terminating';
    if (!isCurrent) return 'unobserved';
    // A Deployment counts Pods that still end apart (Kubernetes 1.35; before, they are not to be seen in it).
    const left = counts.current + (numberAt(status, 'terminatingReplicas') ?? 0);
    if (counts.desired === 0) return left === 0 ? 'stopped' : 'stopping';
    return rolloutOf(counts, status, strategy);
  };
  return { ...counts, isCurrent, strategy, rollout: rollout() };
}

/** What is shown by a workload that is not there; before it ever was, its numbers say nothing. */
export function absentView(desired: number, { wasThere }: { readonly wasThere: boolean }): WorkloadView {
  const none = { current: 0, updated: 0, ready: 0, available: 0 };
  return { ...none, desired, isCurrent: wasThere, rollout: 'absent', strategy: { type: 'rolling' } };
}

/** Whether nothing of a workload is missing and nothing left over. */
export function isSettled({ rollout }: WorkloadView): boolean {
  return rollout === 'complete' || rollout === 'stopped';
}

interface Counts {
  readonly desired: number;
  readonly current: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
}

function rolloutOf(counts: Counts, status: Fields, strategy: Strategy): Rollout {
  const { desired, current, updated, ready, available } = counts;
  const deadline = items(status, 'conditions').some(
    ({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded',
  );
  if (deadline) return 'failed';
  const isFull = current === desired && ready === desired && available === desired;
  const revision = textAt(status, 'updateRevision');
  const isNew = updated === desired || (revision !== undefined && revision === status.currentRevision);
  if (isFull && isNew) return 'complete';
  if (strategy.type !== 'manual' || isNew) return 'progressing';
  if (strategy.hold === 'paused') return 'held';
  return isFull && updated >= desired - strategy.partition ? 'held' : 'progressing';
}

/** How a workload of this spec replaces its Pods. */
export function strategyOf(kind: string, spec: Fields): Strategy {
  if (kind === 'StatefulSet') return setStrategy(fields(spec, 'updateStrategy'));
  const strategy = fields(spec, 'strategy');
  if (spec.paused === true) return { type: 'manual', hold: 'paused', partition: 0 };
  if (strategy.type === 'Recreate') return { type: 'recreate' };
  const { maxUnavailable } = fields(strategy, 'rollingUpdate');
  const isGiven = typeof maxUnavailable === 'number' || typeof maxUnavailable === 'string';
  return { type: 'rolling', ...(isGiven ? { maxUnavailable } : {}) };
}

function setStrategy(strategy: Fields): Strategy {
  if (strategy.type === 'OnDelete') return { type: 'manual', hold: 'onDelete', partition: Number.MAX_SAFE_INTEGER };
  const partition = numberAt(strategy, 'rollingUpdate', 'partition') ?? 0;
  return partition > 0 ? { type: 'manual', hold: 'partition', partition } : { type: 'rolling' };
}
