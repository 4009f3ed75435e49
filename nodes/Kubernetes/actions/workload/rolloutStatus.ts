import { type JsonValue, NavinError } from '../../../../core/errors';
import { type KubeClient, type RolloutStatus, rolloutStatus } from '../../../../core/kube';
import { defined } from '../../../shared/json';
import { KINDS } from '../../../shared/kinds';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { DEFAULT_INTERVAL_SECONDS, INTERVAL_OPTION, waitFields, waitUntil } from '../../../shared/wait';
import { readWorkload, shown, type WorkloadKind } from './workload';

const WAITING = { wait: [true] } as const;

/** The description of Get Rollout Status. */
/* @__NO_SIDE_EFFECTS__ */
export function describeRolloutStatus<K extends WorkloadKind>(kind: K) {
  const { group, plural } = KINDS[kind];
  return defineOperation({
    name: 'Get Rollout Status',
    value: 'getRolloutStatus',
    action: `Get ${kind} rollout status`,
    description: `See whether the latest change of a ${kind} is rolled out, or wait until it is`,
    rightsGroup: 'read',
    rights: [{ verb: 'get', group, resource: plural }],
    properties: [
      namespaceLocator(),
      nameLocator(kind),
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
}

type Parameters = ParametersOf<ReturnType<typeof describeRolloutStatus<'deployment'>>>;

/** One look, or one look after another until the rollout ends or the time is over. */
export async function getRolloutStatus(
  client: KubeClient,
  kind: WorkloadKind,
  parameters: Parameters,
  context: OperationContext,
): Promise<object> {
  const { namespace, name, wait, timeoutSeconds, onFailure, options } = parameters;
  const { title } = KINDS[kind];
  const look = async () => {
    const workload = await readWorkload(client, kind, { namespace, name });
    return { workload, rollout: rolloutStatus(title, workload) };
  };
  const waited = await waitUntil(look, ({ rollout }) => isOver(rollout), context, {
    timeoutSeconds: wait ? timeoutSeconds : 0,
    intervalSeconds: options.intervalSeconds ?? DEFAULT_INTERVAL_SECONDS,
  });
  const { workload, rollout } = waited.last;
  const { phase: status = 'progressing', message = '', reason } = rollout ?? {};
  const state = shown(kind, workload, defined({ status, message, reason }));
  if (!wait) return state;
  if (status !== 'complete' && onFailure === 'error') {
    const what = waited.done ? 'failed' : `is not complete after ${timeoutSeconds} s`;
    throw new NavinError('k8s_wait_failed', `The rollout of ${name} ${what}: ${message}`, {
      hint: `Look at the pods and events of the ${title}. With 'On Failure' set to 'Return the State' the workflow can decide.`,
      details: state as Readonly<Record<string, JsonValue>>,
    });
  }
  return { ...state, waitedSeconds: waited.seconds, timedOut: !waited.done };
}

/** A paused rollout does not move until a person resumes it, but may still be resumed while it is waited for. */
function isOver(rollout: RolloutStatus | undefined): boolean {
  return rollout?.phase === 'complete' || rollout?.phase === 'failed' || rollout?.phase === 'unsupported';
}
