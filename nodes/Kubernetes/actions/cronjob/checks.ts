import { type ApiResource, cronJobProblem, RESOURCES } from '../../../../core/kube';
import { parameterInvalid } from '../../../shared/parameters';

/**
 * Refuses a CronJob, or a part of one, of which the API server would only say that it is not valid, or that would run at
 * another time than was meant.
 * @throws NavinError `k8s_parameter_invalid` naming the field
 */
export function refuseCronJob(cronJob: unknown, parameter: string, label: string): void {
  const found = cronJobProblem(cronJob);
  if (found === undefined) return;
  const { field, problem, hint } = found;
  throw parameterInvalid(parameter, label, `holds a CronJob whose ${field} ${problem}`, hint);
}

/** Whether a resource is the one of CronJobs. */
export function isCronJob({ group, plural }: ApiResource): boolean {
  return group === RESOURCES.cronjobs.group && plural === RESOURCES.cronjobs.plural;
}
