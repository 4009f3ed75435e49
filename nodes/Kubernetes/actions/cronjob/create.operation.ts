import { type KubeClient, RESOURCES } from '../../../../core/kube';
import { namespaceLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { simplifyCronjob } from '../../../shared/simplify';
import {
  ACTIVE_DEADLINE_OPTION,
  ARGUMENTS_FIELD,
  BACKOFF_LIMIT_OPTION,
  BY_FIELDS,
  BY_MANIFEST,
  COMMAND_FIELD,
  ENVIRONMENT_FIELD,
  IMAGE_FIELD,
  LABELS_OPTION,
  RESTART_POLICY_OPTION,
  SERVICE_ACCOUNT_OPTION,
  TTL_OPTION,
} from '../job/fields';
import { objectFromManifest } from '../job/manifest';
import { CRON_JOB_NAME, cronJobFromFields } from './build';
import { refuseCronJob } from './checks';

export const description = defineOperation({
  name: 'Create',
  value: 'create',
  action: 'Create cronjob',
  description: 'Let Kubernetes start jobs by a schedule, from a few fields, or from YAML or JSON',
  rightsGroup: 'cronJobs',
  rights: [{ verb: 'create', group: 'batch', resource: 'cronjobs' }],
  properties: [
    namespaceLocator(),
    {
      displayName: 'Define By',
      name: 'definition',
      type: 'options',
      default: 'fields',
      description: 'How to say what the CronJob is',
      options: [
        { name: 'Fields', value: 'fields', description: 'One container, by image and command' },
        { name: 'Manifest', value: 'manifest', description: 'A whole CronJob as YAML or JSON' },
      ],
    },
    {
      displayName: 'Name',
      name: 'name',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. nightly-report',
      description: 'Name of the CronJob, at most 52 characters',
      displayOptions: BY_FIELDS,
    },
    {
      displayName: 'Schedule',
      name: 'schedule',
      type: 'string',
      required: true,
      default: '',
      placeholder: 'e.g. 0 3 * * *',
      description: 'Minute, hour, day of month, month and day of week; or @hourly, @daily, @weekly, @monthly, @yearly',
      displayOptions: BY_FIELDS,
    },
    {
      displayName: 'Time Zone',
      name: 'timeZone',
      type: 'string',
      default: '',
      placeholder: 'e.g. Europe/Berlin',
      description: 'The time zone the schedule is read in, as in the IANA database; that of the cluster when empty',
      displayOptions: BY_FIELDS,
    },
    IMAGE_FIELD,
    COMMAND_FIELD,
    ARGUMENTS_FIELD,
    ENVIRONMENT_FIELD,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      displayOptions: BY_FIELDS,
      options: [
        ACTIVE_DEADLINE_OPTION,
        BACKOFF_LIMIT_OPTION,
        {
          displayName: 'Concurrency Policy',
          name: 'concurrencyPolicy',
          type: 'options',
          default: 'Allow',
          description: 'What happens when a job is due while the one before it still runs',
          options: [
            { name: 'Allow', value: 'Allow', description: 'Both run' },
            { name: 'Forbid', value: 'Forbid', description: 'The new one is left out' },
            { name: 'Replace', value: 'Replace', description: 'The old one is stopped' },
          ],
        },
        {
          displayName: 'Failed Jobs History Limit',
          name: 'failedJobsHistoryLimit',
          type: 'number',
          default: 1,
          typeOptions: { minValue: 0, maxValue: 1000, numberPrecision: 0 },
          description: 'How many failed jobs are kept',
        },
        { ...LABELS_OPTION, description: 'Labels of the CronJob, its jobs and their pods' },
        RESTART_POLICY_OPTION,
        SERVICE_ACCOUNT_OPTION,
        {
          displayName: 'Starting Deadline',
          name: 'startingDeadlineSeconds',
          type: 'number',
          default: 300,
          typeOptions: { minValue: 10, numberPrecision: 0 },
          description: 'Seconds after its time within which a job may still start; no limit when not set',
        },
        {
          displayName: 'Successful Jobs History Limit',
          name: 'successfulJobsHistoryLimit',
          type: 'number',
          default: 3,
          typeOptions: { minValue: 0, maxValue: 1000, numberPrecision: 0 },
          description: 'How many complete jobs are kept',
        },
        {
          displayName: 'Suspend',
          name: 'suspend',
          type: 'boolean',
          default: false,
          description: 'Whether no job starts before it is resumed',
        },
        TTL_OPTION,
      ],
    },
    {
      displayName: 'Manifest',
      name: 'manifest',
      type: 'string',
      required: true,
      typeOptions: { rows: 12 },
      default: '',
      placeholder: 'e.g. apiVersion: batch/v1 …',
      description: 'One CronJob of batch/v1 as YAML or JSON',
      displayOptions: BY_MANIFEST,
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** Creates the CronJob; it is never created twice by itself, a broken connection ends in k8s_outcome_unknown. */
export async function run(client: KubeClient, parameters: Parameters): Promise<object> {
  const { namespace, definition } = parameters;
  const cronJob = definition === 'fields' ? cronJobFromFields(namespace, parameters) : fromManifest(parameters);
  return simplifyCronjob(
    await client.create(RESOURCES.cronjobs, { namespace }, cronJob, { fieldValidation: 'Strict' }),
  );
}

function fromManifest({ namespace, manifest }: Parameters): object {
  const cronJob = objectFromManifest(namespace, manifest, 'CronJob', CRON_JOB_NAME);
  refuseCronJob(cronJob, 'manifest', 'Manifest');
  return cronJob;
}
