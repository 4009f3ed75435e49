import type { Because } from '../reasons';
import type { OperationState } from '../resource/status';
import type { Operation } from './operation';
import type { Outcome } from './outcome';

/** Where the newest operation is, and why it does not go on. */
export interface Progress {
  readonly state: OperationState;
  readonly because?: Because;
}

/** What maintenance refuses is blocked; what was done once stays done, whatever happens to the workloads later. */
export function progressOf(outcome: Outcome, operation: Operation): Progress {
  const { failed, blocked } = outcome;
  if (blocked?.reason === 'MaintenanceActive') return { state: 'blocked', because: blocked };
  if (operation.wasDone) return { state: 'succeeded' };
  if (failed !== undefined) return { state: 'failed', because: failed };
  if (blocked !== undefined) return { state: 'blocked', because: blocked };
  const stuck = outcome.workloads.find(({ view }) => view.rollout === 'failed');
  if (stuck !== undefined) {
    const message = `${stuck.ref.kind}/${stuck.ref.name} makes no progress: ${stuck.view.available} of ${stuck.view.desired} Pods are available.`;
    return { state: 'failed', because: { reason: 'ProgressDeadlineExceeded', message } };
  }
  if (outcome.hasLostStorage) {
    const message = 'The volume behind a PersistentVolumeClaim of the component is gone.';
    return { state: 'failed', because: { reason: 'StorageLost', message } };
  }
  return { state: outcome.isDone ? 'succeeded' : 'running' };
}
