import {
  type Ask,
  COMPONENTS,
  type Goal,
  judgeComponent,
  type ManagedComponent,
  meansTheSame,
  type Plan,
  planChange,
  withoutInlineSecrets,
} from '../../../../core/components';
import { NavinError } from '../../../../core/errors';
import type { KubeClient } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { fieldChanges } from '../../../shared/changes';
import { defined } from '../../../shared/json';
import type { OperationContext } from '../../../shared/operation';
import { MASK } from '../../../shared/secretValues';
import { simplifyComponent } from '../../../shared/simplify';
import { asComponent, type ComponentRef, readComponent } from './read';
import { notConfirmed, waitForComponent, type Waited, type WaitParameters } from './waiting';

/** What all changes take. */
export interface ChangeParameters extends ComponentRef, WaitParameters {
  readonly wait: boolean;
  readonly options: WaitParameters['options'] & { readonly dryRun?: boolean };
}

/** How often a change is tried: the operator writes the status of a component that moves every moment. */
const MAX_TRIES = 10;
/** The most fields of a dry run. */
const MAX_CHANGES = 500;

/**
 * Asks something of a component, and returns what its operator confirms: what was asked for is never shown as what is.
 *
 * @param request what the output calls it
 */
export async function changeComponent(
  client: KubeClient,
  parameters: ChangeParameters,
  request: string,
  ask: Ask,
  context: OperationContext,
): Promise<object> {
  const { options } = parameters;
  const { before, after, plan } = await write(client, parameters, ask, options.dryRun);
  const changed = plan.patch.length > 0;
  if (options.dryRun === true) return { ...simplifyComponent(before), request, changed, ...tried(before, after) };
  const goal = { ...goalOf(ask), asked: plan.fields };
  return await confirmed(client, after, goal, { parameters, about: { request, changed } }, context);
}

interface Written {
  readonly before: ManagedComponent;
  readonly after: ManagedComponent;
  readonly plan: Plan;
}

/**
 * Writes a change for the version that was read. When somebody was faster it is tried once more only where it still means
 * the same.
 * @throws NavinError `k8s_conflict` where it does not; those of the plan
 */
async function write(
  client: KubeClient,
  { namespace, name }: ComponentRef,
  ask: Ask,
  dryRun: boolean | undefined,
): Promise<Written> {
  const ref = { namespace, name };
  let before = await readComponent(client, ref);
  for (let tries = 1; ; tries += 1) {
    const plan = planChange(before, ask);
    if (plan.patch.length === 0) return { before, after: before, plan };
    const patched = await attempt(
      async () =>
        await client.patch(COMPONENTS, ref, { type: 'json', body: plan.patch }, { dryRun, fieldValidation: 'Strict' }),
    );
    if (patched.error === undefined) return { before, after: asComponent(patched.value), plan };
    if (patched.error.code !== 'k8s_conflict' || tries >= MAX_TRIES) throw patched.error;
    const now = await readComponent(client, ref);
    if (!meansTheSame(plan, before, now)) throw changedMeanwhile(now);
    before = now;
  }
}

function changedMeanwhile({ metadata }: ManagedComponent): NavinError {
  const { name = '', namespace = '' } = metadata;
  return new NavinError('k8s_conflict', `Somebody else has changed the same of the component ${name} meanwhile`, {
    hint: 'Nothing was changed by this operation. Look at what the component is asked for now, and decide anew.',
    details: { name, namespace },
  });
}

/** What an ask is done with. */
function goalOf(ask: Ask): Goal {
  switch (ask.type) {
    case 'start':
      return { until: 'settled', state: 'started' };
    case 'stop':
      return { until: 'settled', state: 'stopped' };
    case 'maintenance':
      return { until: 'maintenance', enabled: ask.enabled };
    case 'restart':
    case 'scale':
    case 'configure':
      return { until: 'converged' };
  }
}

/** What a result says beside the component. */
interface About {
  readonly request: string;
  readonly changed: boolean;
}

/** What the operator confirms of a component that was written: at once, or when it is as wanted. */
export async function confirmed(
  client: KubeClient,
  component: ManagedComponent,
  goal: Goal,
  { parameters, about }: { readonly parameters: WaitParameters & { readonly wait: boolean }; readonly about: About },
  context: OperationContext,
): Promise<object> {
  if (!parameters.wait) {
    const verdict = judgeComponent(component, goal);
    return resultOf({ component, verdict }, about);
  }
  const waited = await waitForComponent(client, component, goal, parameters, context);
  const result = resultOf(waited, about);
  if (waited.verdict.state !== 'met' && parameters.onFailure === 'error') throw notConfirmed(waited, { ...result });
  return result;
}

/** A component with how far it is: `confirmed`, or `pending` with why it is not. */
export function resultOf(
  seen: Pick<Waited, 'component' | 'verdict'> & Partial<Pick<Waited, 'seconds' | 'progress'>>,
  about: object,
): object {
  const { component, verdict, seconds, progress } = seen;
  const { state, reason, message } = verdict;
  const isMet = state === 'met';
  return {
    ...simplifyComponent(component),
    ...about,
    confirmed: isMet,
    ...(isMet ? {} : { pending: defined({ state, reason, message }) }),
    ...defined({ waitedSeconds: seconds, progress }),
  };
}

/** What a dry run would have changed; secrets among old values are not shown. */
function tried(before: ManagedComponent, after: ManagedComponent): object {
  const shown = ({ spec }: ManagedComponent): object => ({
    spec: { ...spec, ...(spec.values === undefined ? {} : { values: withoutInlineSecrets(spec.values, MASK) }) },
  });
  const changes = fieldChanges(
    { value: { spec: before.spec }, shown: shown(before) },
    { value: { spec: after.spec }, shown: shown(after) },
    MAX_CHANGES,
  );
  return { dryRun: true, changes, ...(changes.length < MAX_CHANGES ? {} : { truncated: true }) };
}
