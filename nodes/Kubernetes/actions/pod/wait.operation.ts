import { type JsonValue, NavinError } from '../../../../core/errors';
import { type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { defined } from '../../../shared/json';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { simplifyPod } from '../../../shared/simplify';
import { DEFAULT_INTERVAL_SECONDS, INTERVAL_OPTION, waitFields, waitUntil } from '../../../shared/wait';
import { type PodOutcome, podOutcome } from './outcome';

export const description = defineOperation({
  name: 'Wait',
  value: 'wait',
  action: 'Wait for pod',
  description: 'Wait until a pod is ready or has finished; end early when it cannot get there',
  rightsGroup: 'read',
  rights: [{ verb: 'get', group: '', resource: 'pods' }],
  properties: [
    namespaceLocator(),
    nameLocator('pod'),
    {
      displayName: 'Wait For',
      name: 'goal',
      type: 'options',
      default: 'ready',
      description: 'What to wait for',
      options: [
        { name: 'Finished', value: 'finished', description: 'All containers have ended well' },
        { name: 'Ready', value: 'ready', description: 'It takes requests' },
      ],
    },
    ...waitFields(300),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        INTERVAL_OPTION,
        {
          displayName: 'Wait for Creation',
          name: 'waitForCreation',
          type: 'boolean',
          default: false,
          description: 'Whether to wait for a pod that is not there yet, too',
        },
        {
          displayName: 'Wait Through Back-Off',
          name: 'patient',
          type: 'boolean',
          default: false,
          description: 'Whether to go on waiting while containers fail and are tried again',
        },
      ],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

interface Look {
  /** Absent while it is not there yet. */
  readonly pod: KubeObject | undefined;
  readonly outcome: PodOutcome;
}

/** Looks at the pod again and again; the right to watch is not needed. */
export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  const { name, timeoutSeconds, onFailure, options } = parameters;
  const look = lookAt(client, parameters);
  const { last, seconds } = await waitUntil(look, ({ outcome }) => outcome.state !== 'waiting', context, {
    timeoutSeconds,
    intervalSeconds: options.intervalSeconds ?? DEFAULT_INTERVAL_SECONDS,
  });
  const { pod, outcome } = last;
  const shown = pod === undefined ? { name, namespace: parameters.namespace } : simplifyPod(pod);
  const result = outcome.state === 'waiting' ? 'timeout' : outcome.state;
  const state = defined({ ...shown, result, reason: outcome.reason, waitedSeconds: seconds });
  if (result !== 'reached' && onFailure === 'error') throw notReached(parameters, last, state);
  return { ...state };
}

/** Remembers the pod by its UID: one of the same name that comes later is another one. */
function lookAt(client: KubeClient, { namespace, name, goal, options }: Parameters): () => Promise<Look> {
  let known: KubeObject | undefined;
  return async () => {
    const read = await attempt(async () => await client.get(RESOURCES.pods, { namespace, name }));
    if (read.error !== undefined) {
      const isMissing = read.error.code === 'k8s_not_found' && read.error.details.missing === 'object';
      if (isMissing && known !== undefined) return { pod: known, outcome: lost('was deleted while it was waited for') };
      if (!isMissing || options.waitForCreation !== true) throw read.error;
      return { pod: undefined, outcome: { state: 'waiting' } };
    }
    const pod = read.value;
    if (known !== undefined && pod.metadata.uid !== known.metadata.uid) {
      return { pod: known, outcome: lost('was replaced by another of the same name while it was waited for') };
    }
    known = pod;
    return { pod, outcome: podOutcome(pod, goal, options.patient === true) };
  };
}

function lost(reason: string): PodOutcome {
  return { state: 'failed', reason };
}

function notReached({ name, goal, timeoutSeconds }: Parameters, { pod, outcome }: Look, state: object): NavinError {
  const missing = pod === undefined ? 'there' : goal;
  const what = outcome.reason ?? `is not ${missing} after ${String(timeoutSeconds)} s`;
  return new NavinError('k8s_wait_failed', `The Pod ${name} ${what}`, {
    hint: "Look at the logs and events of the Pod. With 'On Failure' set to 'Return the State' the workflow can decide.",
    details: state as Readonly<Record<string, JsonValue>>,
  });
}
