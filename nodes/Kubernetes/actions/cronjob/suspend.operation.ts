import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { setSuspended, SUSPEND_FIELDS, SUSPEND_RIGHTS } from './suspension';

export const description = defineOperation({
  name: 'Suspend',
  value: 'suspend',
  action: 'Suspend cronjob',
  description: 'Let a CronJob start no more jobs; jobs that run go on',
  rightsGroup: 'cronJobs',
  rights: SUSPEND_RIGHTS,
  properties: SUSPEND_FIELDS,
});

/** `changed` is false for one that was so already. */
export async function run(client: KubeClient, parameters: ParametersOf<typeof description>): Promise<object> {
  return await setSuspended(client, parameters, true);
}
