import type { ComponentState } from './resource/status';
import { isSettled, type WorkloadView } from './workload';

/** What is known about a component when its state is asked for. */
export interface Course {
  /** Whether it is to be stopped, as far as that was accepted. */
  readonly isStopped: boolean;
  /** Whether all workloads were rolled out once. */
  readonly isInstalled: boolean;
  /** Its state before. */
  readonly before: ComponentState | undefined;
}

const LEAST_ADVANCED_FIRST: readonly ComponentState[] = [
  'failed',
  'installing',
  'stopping',
  'starting',
  'started',
  'stopped',
  'uninstalling',
];

/** The state of a workload. */
export function stateOf(view: WorkloadView, course: Course): ComponentState {
  const { isStopped, isInstalled, before } = course;
  if (view.rollout === 'failed') return 'failed';
  if (!isInstalled && !isSettled(view)) return 'installing';
  if (isStopped) return view.rollout === 'stopped' ? 'stopped' : 'stopping';
  // Coming from a stop, also one that was taken back half-way, it is up when all of it is.
  const comesFromStop = before === 'stopped' || before === 'stopping' || before === 'starting';
  return comesFromStop && view.rollout !== 'complete' ? 'starting' : 'started';
}

/** The state of several workloads: the least advanced. */
export function leastAdvanced(states: readonly ComponentState[]): ComponentState | undefined {
  return LEAST_ADVANCED_FIRST.find((state) => states.includes(state));
}
