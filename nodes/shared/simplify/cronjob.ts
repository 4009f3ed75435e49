import type { KubeObject } from '../../../core/kube';
import { at, defined, listAt, textAt, textsAt } from '../json';

/** A CronJob in flat fields. Without a time zone the schedule is read in that of the controller, mostly UTC. */
export function simplifyCronjob(cronjob: KubeObject): object {
  return defined({
    name: textAt(cronjob, 'metadata', 'name'),
    namespace: textAt(cronjob, 'metadata', 'namespace'),
    schedule: textAt(cronjob, 'spec', 'schedule'),
    timeZone: textAt(cronjob, 'spec', 'timeZone'),
    suspended: at(cronjob, 'spec', 'suspend') === true,
    concurrencyPolicy: textAt(cronjob, 'spec', 'concurrencyPolicy'),
    active: listAt(cronjob, 'status', 'active').map((job) => textAt(job, 'name') ?? ''),
    lastScheduledAt: textAt(cronjob, 'status', 'lastScheduleTime'),
    lastSuccessfulAt: textAt(cronjob, 'status', 'lastSuccessfulTime'),
    createdAt: textAt(cronjob, 'metadata', 'creationTimestamp'),
    labels: textsAt(cronjob, 'metadata', 'labels'),
  });
}
