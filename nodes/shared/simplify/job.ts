import { jobState, type KubeObject } from '../../../core/kube';
import { defined, textAt, textsAt } from '../json';

/** A Job in flat fields; `reason` and `message` say why it failed. */
export function simplifyJob(job: KubeObject): object {
  const { phase, reason, message, active, succeeded, failed } = jobState(job);
  return defined({
    name: textAt(job, 'metadata', 'name'),
    namespace: textAt(job, 'metadata', 'namespace'),
    status: STATUS[phase],
    active,
    succeeded,
    failed,
    reason,
    message,
    startedAt: textAt(job, 'status', 'startTime'),
    completedAt: textAt(job, 'status', 'completionTime'),
    createdAt: textAt(job, 'metadata', 'creationTimestamp'),
    labels: textsAt(job, 'metadata', 'labels'),
  });
}

/** The words kubectl has for it. */
const STATUS = { running: 'Running', suspended: 'Suspended', complete: 'Complete', failed: 'Failed' } as const;
