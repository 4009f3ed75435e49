import { type JsonValue, NavinError } from '../../../../core/errors';
import { jobState, type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { simplifyJob } from '../../../shared/simplify';
import { DEFAULT_INTERVAL_SECONDS, INTERVAL_OPTION, waitFields, waitUntil } from '../../../shared/wait';
import { readJobLogs } from './logs';

export const description = defineOperation({
  name: 'Wait',
  value: 'wait',
  action: 'Wait for job',
  description: 'Wait until a job is complete or has failed, and read its logs',
  rightsGroup: 'jobs',
  rights: [
    { verb: 'get', group: 'batch', resource: 'jobs' },
    { verb: 'list', group: '', resource: 'pods' },
    { verb: 'get', group: '', resource: 'pods', subresource: 'log' },
  ],
  properties: [
    namespaceLocator(),
    nameLocator('job'),
    ...waitFields(600),
    {
      displayName: 'Include Logs',
      name: 'includeLogs',
      type: 'boolean',
      default: true,
      description: "Whether to read the end of the logs of the job's newest pods",
    },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
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
      ],
    },
  ],
});

type Result = 'complete' | 'failed' | 'timeout' | 'deleted' | 'replaced';

interface Look {
  readonly job: KubeObject;
  readonly result: Result | undefined;
}

/** Looks at the Job again and again; the right to watch is not needed. */
export async function run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<object> {
  const { namespace, name, timeoutSeconds, onFailure, includeLogs, options } = parameters;
  let known: KubeObject | undefined;
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
