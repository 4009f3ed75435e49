import {
  checkRemoval,
  COMPONENTS,
  confirmedOf,
  type ManagedComponent,
  type Verdict,
} from '../../../../core/components';
import { NavinError } from '../../../../core/errors';
import type { KubeClient } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { simplifyComponent } from '../../../shared/simplify';
import { DEFAULT_INTERVAL_SECONDS, INTERVAL_OPTION, waitUntil } from '../../../shared/wait';
import { resultOf } from './change';
import { confirmFields, REMOVE_RIGHTS, ROLLOUT_SECONDS, TRY_OPTION, whichFields } from './fields';
import { type ComponentRef, readComponent } from './read';
import { lookAt, notConfirmed, type Seen } from './waiting';

export const description = defineOperation({
  name: 'Remove',
  value: 'remove',
  action: 'Remove component',
  description: 'Delete a component; its operator deletes every object it applied, then the component goes',
  rightsGroup: 'components',
  rights: REMOVE_RIGHTS,
  properties: [
    ...whichFields(),
    ...confirmFields(ROLLOUT_SECONDS),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        TRY_OPTION,
        {
          displayName: 'Ignore If Not Found',
          name: 'ignoreNotFound',
          type: 'boolean',
          default: false,
          description: 'Whether a component that is not there counts as removed',
        },
        INTERVAL_OPTION,
      ],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** How often a removal is tried: the operator writes the status of a component that moves every moment. */
const MAX_TRIES = 10;

/** Removes the very component that was looked at: by uid, and in the version whose maintenance was looked at. */
export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  const { namespace, name, wait, onFailure, options } = parameters;
  const removed = await attempt(async () => await remove(client, { namespace, name }, options.dryRun));
  if (removed.error !== undefined) {
    const isAbsent = removed.error.code === 'k8s_not_found' && removed.error.details.missing === 'object';
    if (isAbsent && options.ignoreNotFound === true) return { name, namespace, ...ABOUT, changed: false, ...DELETED };
    throw removed.error;
  }
  const component = removed.value;
  const about = { ...ABOUT, changed: true };
  if (options.dryRun === true) return { ...simplifyComponent(component), ...about, dryRun: true, deleted: false };
  const progress: string[] = [];
  const look = async (): Promise<Seen> => {
    const found = await lookAt(client, { namespace, name }, component);
    if (found === undefined) return { component, verdict: { state: 'met' } };
    const seen = { component: found, verdict: verdictOf(found) };
    const step = seen.verdict.message ?? '';
    if (progress.at(-1) !== step) progress.push(step);
    return seen;
  };
  const isOver = ({ verdict }: Seen): boolean => verdict.state !== 'waiting';
  const seconds = wait ? parameters.timeoutSeconds : 0;
  const waiting = { timeoutSeconds: seconds, intervalSeconds: options.intervalSeconds ?? DEFAULT_INTERVAL_SECONDS };
  const { last, seconds: waitedSeconds } = await waitUntil(look, isOver, context, waiting);
  const seen = { ...last, ...(wait ? { seconds: waitedSeconds, progress } : {}) };
  const isGone = last.verdict.state === 'met';
  const result = { ...resultOf(seen, about), deleted: isGone };
  if (wait && !isGone && onFailure === 'error') {
    throw notConfirmed({ ...last, seconds: waitedSeconds, progress }, { ...result });
  }
  return result;
}

const ABOUT = { request: 'remove' } as const;
const DELETED = { confirmed: true, deleted: true } as const;

/** The component as it was when its removal was accepted. */
async function remove(
  client: KubeClient,
  { namespace, name }: ComponentRef,
  dryRun: boolean | undefined,
): Promise<ManagedComponent> {
  const first = await readComponent(client, { namespace, name });
  let component = first;
  for (let tries = 1; ; tries += 1) {
    checkRemoval(component);
    const { uid, resourceVersion } = component.metadata;
    const preconditions = {
      ...(uid === undefined ? {} : { uid }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    };
    const deleted = await attempt(
      async () => await client.delete(COMPONENTS, { namespace, name }, { preconditions, dryRun }),
    );
    if (deleted.error === undefined) return component;
    if (deleted.error.code !== 'k8s_conflict' || tries >= MAX_TRIES) throw deleted.error;
    component = await readComponent(client, { namespace, name });
    if (component.metadata.uid !== first.metadata.uid) throw otherOne(component);
  }
}

function otherOne({ metadata: { name = '', namespace = '' } }: ManagedComponent): NavinError {
  return new NavinError('k8s_conflict', `Another component has the name ${name} by now`, {
    hint: 'Nothing was removed. Look at the component that is there now, and decide anew.',
    details: { name, namespace },
  });
}

/** How far a component is that goes. */
function verdictOf(component: ManagedComponent): Verdict {
  const { operation, operationState, observed } = confirmedOf(component);
  const { type, reason, message } = operation;
  if (!observed || type !== 'remove') return { state: 'waiting', reason: 'NotObserved', message: NOT_SEEN };
  if (operationState === 'blocked' || operationState === 'failed') {
    return {
      state: operationState,
      ...(reason === undefined ? {} : { reason }),
      message: message ?? 'It does not go.',
    };
  }
  return { state: 'waiting', message: 'Its objects are being deleted.' };
}

const NOT_SEEN = 'The operator has not seen it yet.';
