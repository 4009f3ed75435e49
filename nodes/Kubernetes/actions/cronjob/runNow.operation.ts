import { type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { listAt, textAt } from '../../../shared/json';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { simplifyJob } from '../../../shared/simplify';
import { waitFields } from '../../../shared/wait';
import { INCLUDE_LOGS_FIELD, JOB_WAIT_OPTIONS, JOB_WAIT_RIGHTS, waitForJob } from '../job/waiting';
import { checkedJobName, manualJob, manualName } from './manualJob';

const WHILE_WAITING = { show: { wait: [true] } } as const;

export const description = defineOperation({
  name: 'Run Now',
  value: 'runNow',
  action: 'Run cronjob now',
  description: 'Start a job of a CronJob now, whatever its schedule, and wait for it if wanted',
  rightsGroup: 'cronJobs',
  rights: [
    { verb: 'get', group: 'batch', resource: 'cronjobs' },
    { verb: 'create', group: 'batch', resource: 'jobs' },
    ...JOB_WAIT_RIGHTS,
  ],
  properties: [
    namespaceLocator(),
    nameLocator('cronjob'),
    {
      displayName: 'Job Name',
      name: 'jobName',
      type: 'string',
      default: '',
      placeholder: 'e.g. nightly-report-by-hand',
      description: "Name of the job; made from the CronJob's, and always new, when empty",
    },
    {
      displayName: 'Wait',
      name: 'wait',
      type: 'boolean',
      default: false,
      description: 'Whether to wait until the job is complete or has failed',
    },
    ...waitFields(600, WHILE_WAITING.show),
    { ...INCLUDE_LOGS_FIELD, displayOptions: WHILE_WAITING },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      displayOptions: WHILE_WAITING,
      options: JOB_WAIT_OPTIONS,
    },
  ],
});

/** The Job is never created twice by itself: a broken connection ends in k8s_outcome_unknown, which names it. */
export async function run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<object> {
  const { namespace, name, jobName, wait } = parameters;
  const chosen = jobName.trim() === '' ? manualName(name) : checkedJobName(jobName.trim());
  const cronjob = await client.get(RESOURCES.cronjobs, { namespace, name });
  const job = await client.create(RESOURCES.jobs, { namespace }, manualJob(cronjob, namespace, chosen));
  const warning = warningOf(cronjob);
  if (warning !== undefined) context.note(`CronJob ${name}: ${warning}`);
  const about = { cronJob: name, ...(warning === undefined ? {} : { warning }) };
  if (!wait) return { ...simplifyJob(job), ...about };
  return { ...(await waitForJob(client, { ...parameters, name: chosen }, context, job)), ...about };
}

/** The policy is heeded by the schedule only. */
function warningOf(cronjob: KubeObject): string | undefined {
  const policy = textAt(cronjob, 'spec', 'concurrencyPolicy');
  const active = listAt(cronjob, 'status', 'active').map((job) => textAt(job, 'name') ?? '');
  if (active.length === 0 || policy === undefined || policy === 'Allow') return undefined;
  return `a job run by hand does not heed its concurrencyPolicy ${policy}, and ${active.slice(0, 3).join(', ')} runs beside it`;
}
