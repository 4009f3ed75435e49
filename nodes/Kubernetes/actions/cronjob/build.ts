import { CRON_JOB_NAME_HINT, MAX_CRON_JOB_NAME, scheduleProblem, timeZoneProblem } from '../../../../core/kube';
import { defined } from '../../../shared/json';
import { parameterInvalid } from '../../../shared/parameters';
import { checkedName, jobSpec, labelled, type TemplateFields } from '../job/build';
import type { NameLimit } from '../job/manifest';

/** The names of CronJobs. */
export const CRON_JOB_NAME: NameLimit = { longest: MAX_CRON_JOB_NAME, hint: CRON_JOB_NAME_HINT };

/** The fields a CronJob is made from. */
export interface CronJobFields extends TemplateFields {
  readonly name: string;
  readonly schedule: string;
  readonly timeZone: string;
  readonly options: TemplateFields['options'] & {
    readonly concurrencyPolicy?: string;
    readonly failedJobsHistoryLimit?: number;
    readonly startingDeadlineSeconds?: number;
    readonly successfulJobsHistoryLimit?: number;
    readonly suspend?: boolean;
  };
}

/** A CronJob whose Jobs have one container, from fields. */
export function cronJobFromFields(namespace: string, fields: CronJobFields): object {
  const { options } = fields;
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { namespace, name: checkedName(fields.name.trim(), CRON_JOB_NAME), ...labelled(fields) },
    spec: defined({
      schedule: checkedSchedule(fields.schedule.trim()),
      timeZone: checkedTimeZone(fields.timeZone.trim()),
      concurrencyPolicy: options.concurrencyPolicy,
      failedJobsHistoryLimit: options.failedJobsHistoryLimit,
      startingDeadlineSeconds: options.startingDeadlineSeconds,
      successfulJobsHistoryLimit: options.successfulJobsHistoryLimit,
      suspend: options.suspend,
      jobTemplate: { metadata: labelled(fields), spec: jobSpec(fields) },
    }),
  };
}

function checkedSchedule(schedule: string): string {
  const found = scheduleProblem(schedule);
  if (found === undefined) return schedule;
  throw parameterInvalid('schedule', 'Schedule', found.problem, found.hint);
}

/** Nothing for the time zone of the controller. */
function checkedTimeZone(timeZone: string): string | undefined {
  if (timeZone === '') return undefined;
  const found = timeZoneProblem(timeZone);
  if (found === undefined) return timeZone;
  throw parameterInvalid('timeZone', 'Time Zone', found.problem, found.hint);
}
