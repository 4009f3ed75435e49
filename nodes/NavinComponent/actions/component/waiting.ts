import {
  confirmedOf,
  type Goal,
  judgeComponent,
  type ManagedComponent,
  type Verdict,
} from '../../../../core/components';
import { NavinError } from '../../../../core/errors';
import type { KubeClient } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import type { OperationContext } from '../../../shared/operation';
import { DEFAULT_INTERVAL_SECONDS, waitUntil } from '../../../shared/wait';
import { type ComponentRef, readComponent } from './read';

/** How long is waited, and for what not. */
export interface WaitParameters {
  readonly timeoutSeconds: number;
  readonly onFailure: 'error' | 'output';
  readonly options: { readonly intervalSeconds?: number; readonly blockedSeconds?: number };
}

/** A look at a component. */
export interface Seen {
  readonly component: ManagedComponent;
  readonly verdict: Verdict;
}

/** What came of waiting. */
export interface Waited extends Seen {
  readonly seconds: number;
  /** What was seen on the way, oldest first: `12 s: installing, unknown, install running, 1 of 3 Pods`. */
  readonly progress: readonly string[];
}

/** Seconds a block may last when nothing else is set: a status that is a moment behind must not end the waiting. */
const DEFAULT_BLOCKED_SECONDS = 10;
/** Blocks that somebody has to end. */
const LASTING: ReadonlySet<string> = new Set(['MaintenanceActive', 'HeldByStrategy']);
/** The most steps that are told: the first and the newest. */
const MAX_STEPS = 40;

/**
 * Waits until a component is as wanted. It ends early when that has failed, is refused, or is blocked for too long.
 *
 * @param known the one that is meant: another of its name is not waited for
 */
export async function waitForComponent(
  client: KubeClient,
  known: ManagedComponent,
  goal: Goal,
  { timeoutSeconds, options }: WaitParameters,
  context: OperationContext,
): Promise<Waited> {
  const ref = { namespace: known.metadata.namespace ?? '', name: known.metadata.name ?? '' };
  const tolerance = (options.blockedSeconds ?? DEFAULT_BLOCKED_SECONDS) * 1_000;
  const start = context.clock.now();
  const progress: string[] = [];
  let blockedSince: number | undefined;
  let shown = '';
  let last = known;
  const look = async (): Promise<Seen> => {
    const component = await lookAt(client, ref, known);
    last = component ?? last;
    const verdict = component === undefined ? GONE : judgeComponent(component, goal);
    const now = context.clock.now();
    blockedSince = verdict.state === 'blocked' ? (blockedSince ?? now) : undefined;
    const step = stepOf(last, verdict);
    if (step !== shown) {
      shown = step;
      const text = `${String(Math.round((now - start) / 1_000))} s: ${step}`;
      context.progress(`${ref.namespace}/${ref.name} ${text}`);
      if (progress.length >= MAX_STEPS) progress.splice(1, 1);
      progress.push(text);
    }
    return { component: last, verdict };
  };
  const isOver = ({ verdict }: Seen): boolean => {
    if (verdict.state !== 'blocked') return verdict.state !== 'waiting';
    const isLasting = LASTING.has(verdict.reason ?? '');
    return isLasting || context.clock.now() - (blockedSince ?? 0) >= tolerance;
  };
  const waiting = { timeoutSeconds, intervalSeconds: options.intervalSeconds ?? DEFAULT_INTERVAL_SECONDS };
  const { last: seen, seconds } = await waitUntil(look, isOver, context, waiting);
  return { ...seen, seconds, progress };
}

const GONE: Verdict = { state: 'failed', reason: 'Removed', message: 'It is not there any more.' };

/** The component; undefined when it is gone, or another has its name. */
export async function lookAt(
  client: KubeClient,
  ref: ComponentRef,
  known: ManagedComponent,
): Promise<ManagedComponent | undefined> {
  const read = await attempt(async () => await readComponent(client, ref));
  if (read.error === undefined) return read.value.metadata.uid === known.metadata.uid ? read.value : undefined;
  if (read.error.code === 'k8s_not_found' && read.error.details.missing === 'object') return undefined;
  throw read.error;
}

/** What a component shows, in a line. */
function stepOf(component: ManagedComponent, { reason }: Verdict): string {
  if (reason === 'NotObserved') return 'not seen by the operator yet';
  const { state, health, operation, operationState, available, desired } = confirmedOf(component);
  const why = operation.reason === undefined ? '' : ` (${operation.reason})`;
  const doing = `${operation.type ?? 'nothing'} ${operationState}${why}`;
  return `${state}, ${health}, ${doing}, ${String(available)} of ${String(desired)} Pods`;
}

/**
 * The error of a component that is not as wanted.
 * @param state what the output would be: it goes into the details
 */
export function notConfirmed(
  { component, verdict, seconds }: Waited,
  state: Readonly<Record<string, unknown>>,
): NavinError {
  const { name = '', namespace = '' } = component.metadata;
  const because = [verdict.reason, verdict.message].filter((part) => part !== undefined).join(': ');
  const what: Readonly<Record<Verdict['state'], string>> = {
    met: 'is as wanted',
    failed: `is not as wanted: ${because}`,
    blocked: `is blocked: ${because}`,
    waiting: `is not as wanted after ${String(seconds)} s${because === '' ? '' : `: ${because}`}`,
  };
  const hint =
    verdict.reason === 'NotObserved'
      ? `No operator has looked at it: see that navin-operator runs, that one of its Pods leads, and that it manages the namespace ${namespace} (--namespaces)`
      : "What was seen last is in the details. With 'On Failure' set to 'Return the State' the workflow can decide.";
  return new NavinError('k8s_wait_failed', `The component ${name} ${what[verdict.state]}`, {
    hint,
    details: state as NavinError['details'],
  });
}
