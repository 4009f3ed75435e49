import type { KubeObject } from '../../../../core/kube';
import { conditionIsTrue, listAt, numberAt, textAt } from '../../../shared/json';

/** What a pod is waited for. */
export type PodGoal = 'ready' | 'finished';

/** Where a pod is on the way to it; `failed` is said as soon as it is certain or likely. */
export interface PodOutcome {
  readonly state: 'waiting' | 'reached' | 'failed';
  /** Why it failed, as the rest of a sentence that begins with the pod. */
  readonly reason?: string;
}

/** Reasons of containers that wait: a person must correct something. */
const STUCK: ReadonlySet<string> = new Set([
  'CreateContainerConfigError',
  'CreateContainerError',
  'ErrImageNeverPull',
  'InvalidImageName',
  'RunContainerError',
]);
/** What failed more than once and is tried again, later and later. */
const BACKING_OFF: ReadonlySet<string> = new Set(['CrashLoopBackOff', 'ImagePullBackOff']);

/** @param patient containers that fail and are tried again are waited for */
export function podOutcome(pod: KubeObject, goal: PodGoal, patient: boolean): PodOutcome {
  const phase = textAt(pod, 'status', 'phase');
  if (phase === 'Failed') return { state: 'failed', reason: `failed${because(pod)}` };
  if (phase === 'Succeeded') {
    return goal === 'finished' ? { state: 'reached' } : { state: 'failed', reason: 'has ended, so it is never ready' };
  }
  if (goal === 'ready' && textAt(pod, 'metadata', 'deletionTimestamp') !== undefined) {
    return { state: 'failed', reason: 'is being deleted' };
  }
  if (goal === 'ready' && conditionIsTrue(pod, 'Ready')) return { state: 'reached' };
  if (goal === 'finished' && textAt(pod, 'spec', 'restartPolicy') === 'Always') {
    return { state: 'failed', reason: 'never finishes: its restartPolicy is Always' };
  }
  const stuck = waitingContainers(pod).find(({ reason }) => STUCK.has(reason) || (!patient && BACKING_OFF.has(reason)));
  if (stuck === undefined) return { state: 'waiting' };
  return { state: 'failed', reason: `cannot go on: ${stuck.reason} of the container ${stuck.name}` };
}

function waitingContainers(pod: KubeObject): readonly { readonly name: string; readonly reason: string }[] {
  return ['initContainerStatuses', 'containerStatuses']
    .flatMap((list) => listAt(pod, 'status', list))
    .map((status) => ({
      name: textAt(status, 'name') ?? '',
      reason: textAt(status, 'state', 'waiting', 'reason') ?? '',
    }));
}

/** Why a pod failed: its own reason (Evicted), or how the first container ended. */
function because(pod: KubeObject): string {
  const reason = textAt(pod, 'status', 'reason');
  if (reason !== undefined && reason !== '') return ` (${reason})`;
  const ended = ['initContainerStatuses', 'containerStatuses']
    .flatMap((list) => listAt(pod, 'status', list))
    .find((status) => (numberAt(status, 'state', 'terminated', 'exitCode') ?? 0) !== 0);
  if (ended === undefined) return '';
  const code = numberAt(ended, 'state', 'terminated', 'exitCode') ?? 0;
  return ` (exit code ${String(code)} of the container ${textAt(ended, 'name') ?? ''})`;
}
