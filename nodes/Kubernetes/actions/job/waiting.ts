import { type JsonValue, NavinError } from '../../../../core/errors';
import { jobState, type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import type { OperationContext } from '../../../shared/operation';
import type { Right } from '../../../shared/rights';
import { simplifyJob } from '../../../shared/simplify';
import { DEFAULT_INTERVAL_SECONDS, INTERVAL_OPTION, waitUntil } from '../../../shared/wait';
import { readJobLogs } from './logs';

/** What waiting for a Job and reading its logs needs. */
export const JOB_WAIT_RIGHTS = [
  { verb: 'get', group: 'batch', resource: 'jobs' },
  { verb: 'list', group: '', resource: 'pods' },
  { verb: 'get', group: '', resource: 'pods', subresource: 'log' },
] as const satisfies readonly Right[];

/** A parameter of the operations that wait for a Job. */
export const INCLUDE_LOGS_FIELD = {
  displayName: 'Include Logs',
  name: 'includeLogs',
  type: 'boolean',
  default: true,
  description: "Whether to read the end of the logs of the job's newest pods",
} as const;

/** The options of the operations that wait for a Job. */
export const JOB_WAIT_OPTIONS = [
  {
    displayName: 'Log Lines',
    name: 'tailLines',
    type: 'number',
    default: 100,
    typeOptions: { minValue: 1, maxValue: 10000, numberPrecision: 0 },
    description: 'How many lines of each log to read, counted from the end',
  },
  {
    displayName: 'Log Pods',
    name: 'maxPods',
    type: 'number',
    default: 3,
    typeOptions: { minValue: 1, maxValue: 50, numberPrecision: 0 },
    description: 'How many pods to read the logs of, the newest first',
  },
  INTERVAL_OPTION,
] as const;

/** Which Job is waited for, and how. */
export interface JobWait {
  readonly namespace: string;
  readonly name: string;
  readonly timeoutSeconds: number;
  readonly onFailure: 'error' | 'output';
  readonly includeLogs: boolean;
  readonly options: { readonly tailLines?: number; readonly maxPods?: number; readonly intervalSeconds?: number };
}

type Result = 'complete' | 'failed' | 'timeout' | 'deleted' | 'replaced';

interface Look {
  readonly job: KubeObject;
  readonly result: Result | undefined;
}

/**
 * Waits until a Job is complete or has failed, and reads its logs. It looks at the Job again and again; the right to watch
 * is not needed.
 * @param known the Job that is meant, where it is known: another one of its name is not waited for
 * @throws NavinError `k8s_wait_failed` unless the state is asked for
 */
export async function waitForJob(
  client: KubeClient,
  { namespace, name, timeoutSeconds, onFailure, includeLogs, options }: JobWait,
  context: OperationContext,
  known?: KubeObject,
): Promise<object> {
  const look = async (): Promise<Look> => {
    const read = await attempt(async () => await client.get(RESOURCES.jobs, { namespace, name }));
    if (read.error !== undefined) {
      if (known !== undefined && read.error.code === 'k8s_not_found') return { job: known, result: 'deleted' };
      throw read.error;
    }
    const job = read.value;
    if (known !== undefined && job.metadata.uid !== known.metadata.uid) return { job: known, result: 'replaced' };
    known = job;
    return { job, result: resultOf(job) };
  };
  const { last, seconds } = await waitUntil(look, ({ result }) => result !== undefined, context, {
    timeoutSeconds,
    intervalSeconds: options.intervalSeconds ?? DEFAULT_INTERVAL_SECONDS,
  });
  const result = last.result ?? 'timeout';
  const { maxPods = 3, tailLines = 100 } = options;
  const logs = includeLogs ? await readJobLogs(client, last.job, { maxPods, tailLines }) : {};
  const state = { ...simplifyJob(last.job), result, waitedSeconds: seconds, ...logs };
  if (result !== 'complete' && onFailure === 'error') throw notComplete(last.job, result, timeoutSeconds, state);
  return state;
}

function resultOf(job: KubeObject): Result | undefined {
  const { phase } = jobState(job);
  return phase === 'complete' || phase === 'failed' ? phase : undefined;
}

function notComplete(job: KubeObject, result: Result, timeoutSeconds: number, state: object): NavinError {
  const { phase, reason } = jobState(job);
  const what: Record<Result, string> = {
    complete: 'is complete',
    failed: `failed${reason === undefined ? '' : ` (${reason})`}`,
    timeout: `is not complete after ${timeoutSeconds} s${phase === 'suspended' ? ': it is suspended' : ''}`,
    deleted: 'was deleted while it was waited for',
    replaced: 'was replaced by another of the same name while it was waited for',
  };
  return new NavinError('k8s_wait_failed', `The Job ${job.metadata.name ?? ''} ${what[result]}`, {
    hint: FAILURE_HINT,
    details: state as Readonly<Record<string, JsonValue>>,
  });
}

const FAILURE_HINT =
  "Its state and the end of its logs are in the details. With 'On Failure' set to 'Return the State' the workflow can decide.";
