import type { ComponentState, Goal } from '../../../../core/components';
import type { KubeClient } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { waitFields } from '../../../shared/wait';
import { resultOf } from './change';
import { GET_RIGHTS, ROLLOUT_SECONDS, WAIT_OPTIONS, whichFields } from './fields';
import { readComponent } from './read';
import { notConfirmed, waitForComponent } from './waiting';

/** States that can be waited for. */
const STATES = [
  { name: 'Failed', value: 'failed' },
  { name: 'Installing', value: 'installing' },
  { name: 'Started', value: 'started' },
  { name: 'Starting', value: 'starting' },
  { name: 'Stopped', value: 'stopped' },
  { name: 'Stopping', value: 'stopping' },
  { name: 'Uninstalling', value: 'uninstalling' },
] as const satisfies readonly { name: string; value: ComponentState }[];

export const description = defineOperation({
  name: 'Wait',
  value: 'wait',
  action: 'Wait for component',
  description: 'Wait until a component is as it shall be; ends early when it has failed or is blocked',
  rightsGroup: 'components',
  rights: GET_RIGHTS,
  properties: [
    ...whichFields(),
    {
      displayName: 'Until',
      name: 'until',
      type: 'options',
      default: 'converged',
      description: 'What to wait for',
      options: [
        { name: 'Converged', value: 'converged', description: 'All that is asked for is done and confirmed' },
        { name: 'Healthy', value: 'healthy', description: 'All Pods that are wanted are available' },
        { name: 'In a State', value: 'state', description: 'The operator reports the state that is chosen' },
        { name: 'Stopped', value: 'stopped', description: 'It has converged and no Pod is left' },
      ],
    },
    {
      displayName: 'State',
      name: 'state',
      type: 'options',
      default: 'started',
      description: 'The state to wait for',
      displayOptions: { show: { until: ['state'] } },
      options: STATES,
    },
    ...waitFields(ROLLOUT_SECONDS),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: WAIT_OPTIONS,
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  const component = await readComponent(client, parameters);
  const waited = await waitForComponent(client, component, goalOf(parameters), parameters, context);
  const result = resultOf(waited, { request: 'wait' });
  if (waited.verdict.state !== 'met' && parameters.onFailure === 'error') throw notConfirmed(waited, { ...result });
  return result;
}

function goalOf({ until, state }: Parameters): Goal {
  if (until === 'state') return { until, state };
  return until === 'stopped' ? { until: 'settled', state: 'stopped' } : { until };
}
