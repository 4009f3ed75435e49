import type { KubeObject } from '../../kube';
import { numberAt, textAt } from '../fields';
import { KEDA_PAUSE_ANNOTATION, OPERATOR_MANAGER } from '../names';
import type { Budget } from '../budget';
import type { WorkloadView } from '../workload';
import { wantedMaxUnavailable } from './bodies';
import type { Wanted, WantedWorkload } from './compose';
import { replicasManagers } from './ownership';
import type { Action } from './types';

/** What is known about a live workload whose replicas are to be set. */
export interface Scaling {
  readonly wanted: Wanted;
  readonly workload: WantedWorkload;
  readonly live: KubeObject;
  readonly view: WorkloadView;
  readonly isStopped: boolean;
  readonly isMaintained: boolean;
  readonly budget: Budget;
  /** The live ScaledObject that sets its replicas. */
  readonly scaledObject: KubeObject | undefined;
}

/** The next step towards the replicas that are wanted; `waits` when something else must happen before. */
export type ReplicaStep = { readonly action: Action } | { readonly waits: boolean };

const NOTHING: ReplicaStep = { waits: false };
const WAITS: ReplicaStep = { waits: true };

/**
 * Replicas are set by a manager of their own, which holds nothing else. So they can be handed to an autoscaler and taken
 * back by force without touching any other field, and are never reset by a body that leaves them out.
 */
export function replicaStep(scaling: Scaling): ReplicaStep {
  const { workload, view, live, isStopped } = scaling;
  if (live.metadata.deletionTimestamp !== undefined) return WAITS;
  if (isStopped) return stop(scaling);
  if (workload.autoscaler === undefined) return hold(scaling);
  if (view.desired === 0 && workload.replicas > 0) {
    return isPaused(scaling) ? WAITS : set(scaling, workload.replicas, { force: true });
  }
  // What has too few of them cannot wait for its autoscaler: that may wait for a budget that needs more.
  if (view.desired < workload.replicas) {
    return isPaused(scaling) ? NOTHING : set(scaling, workload.replicas, { force: true });
  }
  const managers = replicasManagers(live);
  const isOurs = managers.length === 1 && managers[0] === OPERATOR_MANAGER;
  return isOurs ? set(scaling, view.desired, { force: false }) : NOTHING;
}

function stop(scaling: Scaling): ReplicaStep {
  const { workload, view } = scaling;
  if (view.desired === 0) return NOTHING;
  // KEDA would scale up again; a HorizontalPodAutoscaler rests by itself at no replicas.
  if (workload.autoscaler?.kind === 'ScaledObject' && !isPaused(scaling)) return WAITS;
  return set(scaling, 0, { force: true });
}

function hold(scaling: Scaling): ReplicaStep {
  const { wanted, workload, live, view, budget, isMaintained } = scaling;
  if (view.desired === workload.replicas) return NOTHING;
  if (view.desired < workload.replicas) return set(scaling, workload.replicas, { force: true });
  if (isMaintained) return NOTHING;
  const isGuarded = budget !== undefined && view.strategy.type === 'rolling';
  if (isGuarded && isRollingOut(view)) return WAITS;
  // What a rolling update may end is lowered first: reckoned for more Pods, it could end all that are left.
  if (isGuarded && wanted.ref.kind === 'Deployment') {
    const allowed = numberAt(live, 'spec', 'strategy', 'rollingUpdate', 'maxUnavailable');
    const isLowered = allowed !== undefined && allowed <= wantedMaxUnavailable(budget, workload, view);
    if (!isLowered) return WAITS;
  }
  return set(scaling, workload.replicas, { force: true });
}

/**
 * Whether old and new Pods are there at once. A set has one missing then. The controller of a Deployment shrinks both, and
 * until it has seen the new ones go it counts fewer than none of them as missing: it ends so many old ones too many.
 */
function isRollingOut({ isCurrent, updated, current, rollout }: WorkloadView): boolean {
  return !isCurrent || (updated !== current && rollout !== 'complete' && rollout !== 'failed');
}

function isPaused({ scaledObject }: Scaling): boolean {
  return textAt(scaledObject, 'metadata', 'annotations', KEDA_PAUSE_ANNOTATION) !== undefined;
}

function set({ wanted, live, view }: Scaling, replicas: number, { force }: { force: boolean }): ReplicaStep {
  const { uid = '', resourceVersion = '' } = live.metadata;
  const disruptive = replicas < view.desired;
  return {
    action: { type: 'setReplicas', ref: wanted.ref, expects: { uid, resourceVersion }, replicas, force, disruptive },
  };
}
