import { without } from '../fields';
import { healthOf, worstHealth } from '../health';
import {
  MAX_RETAINED,
  MAX_WORKLOADS,
  type ComponentHealth,
  type ComponentState,
  type ComponentStatus,
  type WorkloadStatus,
} from '../resource/status';
import { leastAdvanced, stateOf, type Course } from '../state';
import { isSettled } from '../workload';
import { conditionsOf } from './conditions';
import { hasSameNumbers, PROGRESS_DEADLINE_MS, statusOf, type WorkloadFacts } from './facts';
import type { Operation } from './operation';
import type { Outcome } from './outcome';
import { progressOf, type Progress } from './progress';
import type { Action, Decision, Observed } from './types';

/** The status that follows from one look, together with what to do. */
export function report(observed: Observed, outcome: Outcome, operation: Operation, now: number): Decision {
  const { metadata, spec, status: before } = observed.component;
  const { generation } = metadata;
  const at = new Date(now).toISOString();
  const isStopped = outcome.accepted?.desiredState === 'Stopped';
  const isInstalled = before?.installedAt !== undefined || isRolledOut(outcome, isStopped);
  const course = { isStopped, isInstalled, before: before?.state };
  const workloads = outcome.workloads.map((facts) => workloadStatus(facts, course, before, at));
  const state = componentState(outcome, course, workloads);
  const progress = progressOf(outcome, operation);
  const asked = (spec.desiredState ?? 'Running') === 'Stopped' ? 'stopped' : 'started';
  const converged =
    state === asked &&
    progress.state === 'succeeded' &&
    outcome.workloads.every(({ view }) => isSettled(view)) &&
    !outcome.actions.some(isChange);
  const chart = outcome.chart === undefined ? before?.chart : boundedChart(outcome.chart);
  const retainedClaims = retainedOf(outcome, before);
  const status: ComponentStatus = {
    ...(generation === undefined ? {} : { observedGeneration: generation }),
    state,
    health: componentHealth(outcome, workloads),
    operationState: progress.state,
    ...securityOf(outcome, before),
    converged,
    operation: operationStatus(operation, progress, before, at),
    ...(chart === undefined ? {} : { chart }),
    ...acceptedOf(outcome, spec.restartRequestedAt),
    ...(isInstalled ? { installedAt: before?.installedAt ?? at } : {}),
    workloads: workloads.slice(0, MAX_WORKLOADS),
    inventory: [...outcome.inventory],
    ...(retainedClaims.length === 0 ? {} : { retainedClaims }),
  };
  const conditions = conditionsOf(status, outcome, { before: before?.conditions, generation, at, progress });
  return { status: { ...status, conditions }, actions: outcome.actions, ...againOf(outcome, workloads, now) };
}

/** Whether an action changes what is there: then it is not yet as the spec asks, whatever was done before. */
function isChange({ type }: Action): boolean {
  return type !== 'render' && type !== 'observe' && type !== 'checkSecrets';
}

/** Whether everything is applied and all of it shows, for the first time or once more. */
function isRolledOut({ isApplied, workloads }: Outcome, isStopped: boolean): boolean {
  return isApplied && workloads.every(({ view }) => (isStopped ? view.rollout === 'stopped' : isSettled(view)));
}

function componentState(outcome: Outcome, course: Course, workloads: readonly WorkloadStatus[]): ComponentState {
  const { isStopped, isInstalled } = course;
  const states = workloads.map(({ state }) => state);
  if (outcome.isRemoving) return 'uninstalling';
  if (states.includes('failed') || (outcome.hasLostStorage && !isStopped)) return 'failed';
  if (!isInstalled) {
    const runsNothing = outcome.workloads.every(({ view }) => view.rollout === 'absent');
    return outcome.failed !== undefined && runsNothing ? 'failed' : 'installing';
  }
  return leastAdvanced(states) ?? (isStopped ? 'stopped' : 'started');
}

/** Before anything was applied there is nothing to be ill. */
function componentHealth({ isApplied, inventory }: Outcome, workloads: readonly WorkloadStatus[]): ComponentHealth {
  if (workloads.length === 0 && !isApplied && inventory.every(({ uid }) => uid === undefined)) return 'unknown';
  return worstHealth(workloads.map(({ health }) => health));
}

function workloadStatus(
  { ref, view, required }: WorkloadFacts,
  course: Course,
  before: ComponentStatus | undefined,
  at: string,
): WorkloadStatus {
  const was = statusOf(ref, before?.workloads);
  const { desired, current, updated, ready, available } = view;
  return {
    kind: ref.kind,
    name: ref.name,
    state: stateOf(view, course),
    health: healthOf(view, required),
    ...{ desired, current, updated, ready, available, required },
    complete: isSettled(view),
    changedAt: was !== undefined && hasSameNumbers(was, view) ? was.changedAt : at,
  };
}

function operationStatus(
  { type, key, startedAt }: Operation,
  { state, because }: Progress,
  before: ComponentStatus | undefined,
  at: string,
): NonNullable<ComponentStatus['operation']> {
  const was = before?.operation;
  const isOver = state === 'succeeded' || state === 'failed';
  const wasOver = was?.key === key && before?.operationState === state ? was.finishedAt : undefined;
  return {
    ...{ type, key, startedAt },
    ...(because === undefined ? {} : { reason: because.reason, message: because.message.slice(0, 1_024) }),
    ...(isOver ? { finishedAt: wasOver ?? at } : {}),
  };
}

function securityOf(
  { verdict }: Outcome,
  before: ComponentStatus | undefined,
): Pick<ComponentStatus, 'securityState' | 'security'> {
  if (verdict === undefined) {
    const { securityState = 'unknown', security } = before ?? {};
    return { securityState, ...(security === undefined ? {} : { security }) };
  }
  if (verdict === 'compliant') return { securityState: 'compliant' };
  const { reason, message, object, path } = verdict;
  const place = {
    ...(object === undefined ? {} : { object: object.slice(0, 512) }),
    ...(path === undefined ? {} : { path: path.slice(0, 512) }),
  };
  return { securityState: 'non_compliant', security: { reason, message: message.slice(0, 1_024), ...place } };
}

/** A chart may call itself anything; a status that is too long would be refused as a whole. */
function boundedChart({ name, version, digest }: NonNullable<Outcome['chart']>): NonNullable<Outcome['chart']> {
  return {
    name: name.slice(0, 253) || '?',
    version: version.slice(0, 128) || '?',
    ...(digest === undefined ? {} : { digest: digest.slice(0, 128) || '?' }),
  };
}

function acceptedOf({ accepted }: Outcome, restart: string | undefined): Pick<ComponentStatus, 'accepted'> {
  if (accepted === undefined) return {};
  return {
    accepted: {
      ...without(accepted, 'restartRequestedAt'),
      ...(restart === undefined ? {} : { restartRequestedAt: restart }),
    },
  };
}

function retainedOf({ claims }: Outcome, before: ComponentStatus | undefined): string[] {
  return [...new Set([...(before?.retainedClaims ?? []), ...claims])].slice(0, MAX_RETAINED);
}

/** When to look again: what the outcome says, or when a StatefulSet that does not move has had its time. */
function againOf(
  { againAfterMs }: Outcome,
  workloads: readonly WorkloadStatus[],
  now: number,
): Pick<Decision, 'againAfterMs'> {
  const waiting = workloads.filter(
    ({ kind, complete, state }) => kind === 'StatefulSet' && !complete && state !== 'failed',
  );
  const deadlines = waiting.map(({ changedAt }) => Math.max(1, Date.parse(changedAt) + PROGRESS_DEADLINE_MS - now));
  const times = [...deadlines, ...(againAfterMs === undefined ? [] : [againAfterMs])];
  return times.length === 0 ? {} : { againAfterMs: Math.min(...times) };
}
