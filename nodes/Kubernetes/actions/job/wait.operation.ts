import type { KubeClient } from '../../../../core/kube';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { waitFields } from '../../../shared/wait';
import { INCLUDE_LOGS_FIELD, JOB_WAIT_OPTIONS, JOB_WAIT_RIGHTS, waitForJob } from './waiting';

export const description = defineOperation({
  name: 'Wait',
  value: 'wait',
  action: 'Wait for job',
  description: 'Wait until a job is complete or has failed, and read its logs',
  rightsGroup: 'jobs',
  rights: JOB_WAIT_RIGHTS,
  properties: [
    namespaceLocator(),
    nameLocator('job'),
    ...waitFields(600),
    INCLUDE_LOGS_FIELD,
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: JOB_WAIT_OPTIONS,
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  return await waitForJob(client, parameters, context);
}
