import { isRecord, type KubeObject } from './kubeObject';

/** Where a rollout is. `unsupported`: the update strategy is not RollingUpdate, so there is no rollout to wait for. */
export type RolloutPhase = 'progressing' | 'paused' | 'complete' | 'failed' | 'unsupported';

/** The state of a rollout: numbers of Pods, and one sentence. */
export interface RolloutStatus {
  readonly phase: RolloutPhase;
  /** What is still missing, or that it is done. */
  readonly message: string;
  /** For instance `ProgressDeadlineExceeded`. */
  readonly reason?: string;
  readonly desired: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
  /** All Pods there are, old ones included. */
  readonly current: number;
}

type Progress = Pick<RolloutStatus, 'phase' | 'message' | 'reason'>;
type Counts = Omit<RolloutStatus, 'phase' | 'message' | 'reason'>;

interface Workload {
  readonly spec: Readonly<Record<string, unknown>>;
  readonly status: Readonly<Record<string, unknown>>;
  readonly generation: number;
  readonly observed: number;
}

/**
 * The rollout of a Deployment, StatefulSet or DaemonSet as `kubectl rollout status` sees it (kubectl
 * `polymorphichelpers/rollout_status.go`), with two additions: a paused Deployment that is not done is `paused`, because it
 * would be waited for without end; and what was scaled down is complete when the Pods that are too many are gone.
 *
 * @param kind `Deployment`, `StatefulSet` or `DaemonSet`; undefined is returned for any other
 */
export function rolloutStatus(kind: string, object: KubeObject): RolloutStatus | undefined {
  const spec = isRecord(object.spec) ? object.spec : {};
  const status = isRecord(object.status) ? object.status : {};
  const workload = {
    spec,
    status,
    generation: object.metadata.generation ?? 0,
    observed: count(status.observedGeneration),
  };
  switch (kind) {
    case 'Deployment':
      return deploymentRollout(workload);
    case 'StatefulSet':
      return statefulSetRollout(workload);
    case 'DaemonSet':
      return daemonSetRollout(workload);
    default:
      return undefined;
  }
}

const NOT_OBSERVED: Progress = { phase: 'progressing', message: 'The change has not been seen by its controller yet.' };

function deploymentRollout(workload: Workload): RolloutStatus {
  const { spec, status } = workload;
  const counts = replicaCounts(spec, status);
  const { desired, updated, available, current } = counts;
  const progress = ((): Progress => {
    if (workload.generation > workload.observed) return NOT_OBSERVED;
    if (conditionReason(status, 'Progressing') === 'ProgressDeadlineExceeded') {
      return {
        phase: 'failed',
        reason: 'ProgressDeadlineExceeded',
        message: 'The rollout did not make progress within its deadline.',
      };
    }
    if (updated < desired) return waiting(`${updated} of ${desired} new replicas have been updated.`);
    if (current > updated) return waiting(`${current - updated} old replicas are pending termination.`);
    if (current > desired) return tooMany(counts);
    if (available < updated) return waiting(`${available} of ${updated} updated replicas are available.`);
    return { phase: 'complete', message: 'The rollout is complete.' };
  })();
  const paused = spec.paused === true && progress.phase === 'progressing';
  return { ...counts, ...progress, ...(paused ? { phase: 'paused', message: `Paused: ${progress.message}` } : {}) };
}

function statefulSetRollout(workload: Workload): RolloutStatus {
  const { spec, status } = workload;
  const counts = replicaCounts(spec, status);
  const strategy = isRecord(spec.updateStrategy) ? spec.updateStrategy : {};
  const rolling = isRecord(strategy.rollingUpdate) ? strategy.rollingUpdate : undefined;
  const { desired, updated, ready, current } = counts;
  const progress = ((): Progress => {
    if (strategy.type !== 'RollingUpdate') return unsupported(strategy.type);
    if (workload.observed === 0 || workload.generation > workload.observed) return NOT_OBSERVED;
    if (ready < desired) return waiting(`${ready} of ${desired} replicas are ready.`);
    if (current > desired) return tooMany(counts);
    if (rolling) {
      const partition = count(rolling.partition);
      const wanted = desired - partition;
      if (updated < wanted) return waiting(`${updated} of ${wanted} replicas have been updated.`);
      const upTo = partition > 0 ? ` down to partition ${partition}` : '';
      return { phase: 'complete', message: `The rollout is complete${upTo}.` };
    }
    if (status.updateRevision !== status.currentRevision) {
      return waiting(`${updated} replicas are at the new revision.`);
    }
    return { phase: 'complete', message: 'The rollout is complete.' };
  })();
  return { ...counts, ...progress };
}

function daemonSetRollout(workload: Workload): RolloutStatus {
  const { spec, status } = workload;
  const strategy = isRecord(spec.updateStrategy) ? spec.updateStrategy : {};
  const counts = {
    desired: count(status.desiredNumberScheduled),
    updated: count(status.updatedNumberScheduled),
    ready: count(status.numberReady),
    available: count(status.numberAvailable),
    current: count(status.currentNumberScheduled),
  };
  const { desired, updated, available } = counts;
  const progress = ((): Progress => {
    if (strategy.type !== 'RollingUpdate') return unsupported(strategy.type);
    if (workload.generation > workload.observed) return NOT_OBSERVED;
    if (updated < desired) return waiting(`${updated} of ${desired} Pods have been updated.`);
    if (available < desired) return waiting(`${available} of ${desired} updated Pods are available.`);
    return { phase: 'complete', message: 'The rollout is complete.' };
  })();
  return { ...counts, ...progress };
}

function replicaCounts(spec: Workload['spec'], status: Workload['status']): Counts {
  return {
    // The API server fills in 1; an object that never went through it may lack the field.
    desired: typeof spec.replicas === 'number' ? spec.replicas : 1,
    updated: count(status.updatedReplicas),
    ready: count(status.readyReplicas),
    available: count(status.availableReplicas),
    current: count(status.replicas),
  };
}

function conditionReason(status: Workload['status'], type: string): string | undefined {
  const conditions = Array.isArray(status.conditions) ? status.conditions.filter(isRecord) : [];
  const reason = conditions.find((condition) => condition.type === type)?.reason;
  return typeof reason === 'string' ? reason : undefined;
}

function waiting(message: string): Progress {
  return { phase: 'progressing', message };
}

function tooMany({ current, desired }: Counts): Progress {
  return waiting(`${current - desired} replicas more than wanted are pending termination.`);
}

function unsupported(strategy: unknown): Progress {
  const name = typeof strategy === 'string' && /^\w{1,32}$/.test(strategy) ? strategy : 'unknown';
  return {
    phase: 'unsupported',
    reason: name,
    message: `The update strategy is ${name}: Pods are replaced only when somebody deletes them.`,
  };
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
