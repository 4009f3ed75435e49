import { isRecord, type KubeObject } from './kubeObject';
import { oneLine } from './serverText';

/** Where a Job is. */
export interface JobState {
  readonly phase: 'running' | 'suspended' | 'complete' | 'failed';
  /** For instance `BackoffLimitExceeded`, `DeadlineExceeded`, `PodFailurePolicy`. */
  readonly reason?: string;
  /** What the Job controller says, one line. */
  readonly message?: string;
  readonly active: number;
  readonly succeeded: number;
  readonly failed: number;
}

/**
 * The state of a Job by its conditions. `Complete` and `Failed` are final; `SuccessCriteriaMet` and `FailureTarget` come
 * before them, while the last Pods end, and still count as running.
 */
export function jobState(job: KubeObject): JobState {
  const spec = isRecord(job.spec) ? job.spec : {};
  const status = isRecord(job.status) ? job.status : {};
  const conditions = Array.isArray(status.conditions) ? status.conditions.filter(isRecord) : [];
  const holds = (type: string): Readonly<Record<string, unknown>> | undefined =>
    conditions.find((condition) => condition.type === type && condition.status === 'True');
  const counts = {
    active: count(status.active),
    succeeded: count(status.succeeded),
    failed: count(status.failed),
  };
  const failed = holds('Failed');
  if (failed) return { phase: 'failed', ...because(failed), ...counts };
  const complete = holds('Complete');
  if (complete) return { phase: 'complete', ...because(complete), ...counts };
  const suspended = holds('Suspended') !== undefined || spec.suspend === true;
  return { phase: suspended ? 'suspended' : 'running', ...because(holds('FailureTarget') ?? {}), ...counts };
}

function because(condition: Readonly<Record<string, unknown>>): { reason?: string; message?: string } {
  const { reason, message } = condition;
  const words = typeof message === 'string' ? oneLine(message, 300) : undefined;
  return {
    ...(typeof reason === 'string' && reason !== '' ? { reason } : {}),
    ...(words === undefined ? {} : { message: words }),
  };
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
