import type { ComponentHealth } from './resource/status';
import type { WorkloadView } from './workload';

const WORST_FIRST: readonly ComponentHealth[] = ['unknown', 'critical', 'warning', 'ok'];

/**
 * The health of a workload: what is available against what it is to have now (an autoscaler may have set it), and
 * against what its budget requires. No wish for Pods is no illness; numbers of another generation say nothing.
 */
export function healthOf(view: WorkloadView, required: number): ComponentHealth {
  if (!view.isCurrent) return 'unknown';
  if (view.desired === 0) return 'ok';
  if (view.available === 0 || view.available < required) return 'critical';
  return view.available < view.desired ? 'warning' : 'ok';
}

/** The health of several workloads: the worst. Without any it is `ok`. */
export function worstHealth(healths: readonly ComponentHealth[]): ComponentHealth {
  return WORST_FIRST.find((health) => healths.includes(health)) ?? 'ok';
}
