import { type JsonValue, NavinError } from '../../../../core/errors';
import { type KubeClient, RESOURCES, type RolloutStatus, rolloutStatus } from '../../../../core/kube';
import { defined } from '../../../shared/json';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { simplifyDeployment } from '../../../shared/simplify';
import { DEFAULT_INTERVAL_SECONDS, INTERVAL_OPTION, waitFields, waitUntil } from '../../../shared/wait';

const WAITING = { wait: [true] } as const;

export const description = defineOperation({
  name: 'Get Rollout Status',
  value: 'getRolloutStatus',
  action: 'Get deployment rollout status',
  description: 'See whether the latest change of a deployment is rolled out, or wait until it is',
  rightsGroup: 'read',
  rights: [{ verb: 'get', group: 'apps', resource: 'deployments' }],
  properties: [
    namespaceLocator(),
    nameLocator('deployment'),
    {
      displayName: 'Wait',
      name: 'wait',
      type: 'boolean',
      default: false,
      description: 'Whether to wait until the rollout is complete or has failed',
    },
    ...waitFields(300, WAITING),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      displayOptions: { show: WAITING },
      options: [INTERVAL_OPTION],
    },
  ],
});

/** One look, or one look after another until the rollout ends or the time is over. */
export async function run(
  client: KubeClient,
  parameters: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<object> {
  const { namespace, name, wait, timeoutSeconds, onFailure, options } = parameters;
  const look = async () => {
    const deployment = await client.get(RESOURCES.deployments, { namespace, name });
    return { deployment, rollout: rolloutStatus('Deployment', deployment) };
  };
  const waited = await waitUntil(look, ({ rollout }) => isOver(rollout), context, {
    timeoutSeconds: wait ? timeoutSeconds : 0,
    intervalSeconds: options.intervalSeconds ?? DEFAULT_INTERVAL_SECONDS,
  });
  const { deployment, rollout } = waited.last;
  const { phase: status = 'progressing', message = '', reason } = rollout ?? {};
  const state = { ...simplifyDeployment(deployment), ...defined({ status, message, reason }) };
  if (!wait) return state;
  if (status !== 'complete' && onFailure === 'error') {
    const what = status === 'failed' ? 'failed' : `is not complete after ${timeoutSeconds} s`;
    throw new NavinError('k8s_wait_failed', `The rollout of ${name} ${what}: ${message}`, {
      hint: FAILURE_HINT,
      details: state as Readonly<Record<string, JsonValue>>,
    });
  }
  return { ...state, waitedSeconds: waited.seconds, timedOut: !waited.done };
}

const FAILURE_HINT =
  "Look at the pods and events of the Deployment. With 'On Failure' set to 'Return the State' the workflow can decide.";

/** A paused rollout does not move until a person resumes it, but may still be resumed while it is waited for. */
function isOver(rollout: RolloutStatus | undefined): boolean {
  return rollout?.phase === 'complete' || rollout?.phase === 'failed';
}
