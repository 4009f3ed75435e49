import { compareResourceVersions, type WatchEvent } from '../kube';
import { versionOf, watchedChange, type Sighting } from './changes';
import { uidOf } from './identity';
import { dueObject, examinedObject, vanishedObject } from './incidents';
import { forkPatches, Relist, type ListedPage } from './relist';
import { isDue } from './slots';
import type { ClusterMark, TriggerState } from './state';
import type { Note, Step } from './step';
import type { PassContext, TriggerEvent } from './triggerEvent';

/** Something a pass sees. All decisions are made from the state and these. */
export type Observation =
  /** Which cluster answers. */
  | { readonly kind: 'cluster'; readonly cluster: ClusterMark }
  /** The newest version of the collection, by a list of one object that was asked for after the last event. */
  | { readonly kind: 'newest'; readonly scope: string; readonly version: string }
  /** An event of a watch. */
  | { readonly kind: 'event'; readonly scope: string; readonly event: WatchEvent; readonly partial?: boolean }
  /** The watch says that its cursor is too old: HTTP 410 or an ERROR event. */
  | { readonly kind: 'expired'; readonly scope: string }
  /** An event is too large to be read. */
  | { readonly kind: 'oversize'; readonly scope: string }
  /** A whole list. */
  | { readonly kind: 'list'; readonly scope: string; readonly pages: readonly ListedPage[]; readonly partial?: boolean }
  /** Time has gone by; objects whose time has come, read once more. */
  | { readonly kind: 'time'; readonly objects?: ReadonlyMap<string, WatchEvent['object']> };

/** What a pass comes to. */
export interface PassResult {
  readonly state: TriggerState;
  /** In the order in which they are handed over. */
  readonly events: readonly TriggerEvent[];
  readonly steps: readonly Step[];
  readonly notes: readonly Note[];
}

/**
 * A pass as a pure function: the state is not changed, a new one is returned. The engine runs the same steps one by one
 * ({@link observe}, {@link Relist}), because a list may be larger than what can be handed over at once.
 */
export function runPass(before: TriggerState, observations: readonly Observation[], context: PassContext): PassResult {
  const state = before.clone();
  const steps: Step[] = [];
  const notes: Note[] = [];
  for (const observation of observations) {
    for (const step of observed(state, observation, context, notes)) {
      state.apply(step.patches);
      steps.push(step);
    }
  }
  return { state, steps, notes, events: steps.flatMap((step) => step.event ?? []) };
}

function* observed(
  state: TriggerState,
  observation: Observation,
  context: PassContext,
  notes: Note[],
): Generator<Step, void, undefined> {
  if (observation.kind !== 'list') {
    yield* observe(state, observation, context);
    return;
  }
  const relist = new Relist(state, observation.scope, () => context, observation.partial ?? false);
  const [first] = observation.pages;
  if (first === undefined) return;
  yield* relist.begin(first);
  for (const page of observation.pages) yield* relist.page(page);
  yield* relist.end();
  notes.push(...relist.notes);
}

/** The steps of one observation. They are meant to be applied before the next observation is looked at. */
export function observe(
  state: TriggerState,
  observation: Exclude<Observation, { kind: 'list' }>,
  context: PassContext,
): readonly Step[] {
  switch (observation.kind) {
    case 'cluster':
      return seenCluster(state, observation.cluster);
    case 'newest':
      return seenNewest(state, observation.scope, observation.version);
    case 'event':
      return seenEvent(state, observation.scope, observation.event, observation.partial ?? false, context);
    case 'expired':
      return relistFor(state, observation.scope, 'expired');
    case 'oversize':
      return relistFor(state, observation.scope, 'oversize');
    case 'time':
      return seenTime(state, observation.objects ?? new Map(), context);
  }
}

/** Compares the cluster with the one that was seen first. A uid that cannot be read proves nothing. */
function seenCluster(state: TriggerState, cluster: ClusterMark): readonly Step[] {
  const before = state.cluster;
  const mark = {
    server: cluster.server,
    uid: cluster.uid ?? (before?.server === cluster.server ? before.uid : undefined),
  };
  if (before === undefined || before.server === '')
    return [{ patches: [{ kind: 'cluster', cluster: mark, epoch: state.epoch }] }];
  const sameUid = before.uid !== undefined && cluster.uid === before.uid;
  const otherUid = before.uid !== undefined && cluster.uid !== undefined && cluster.uid !== before.uid;
  if (otherUid || (!sameUid && before.server !== cluster.server)) {
    return [{ patches: forkPatches(state, 'cluster', mark) }];
  }
  if (before.server === mark.server && before.uid === mark.uid) return [];
  return [{ patches: [{ kind: 'cluster', cluster: mark, epoch: state.epoch }] }];
}

/**
 * A cursor that is newer than the newest version is of a history that is no more: such a watch is silent for ever. A newer
 * version proves nothing, and the cursor never moves to it: events up to it may still be on their way.
 */
function seenNewest(state: TriggerState, scope: string, version: string): readonly Step[] {
  const { cursor, relist } = state.scope(scope);
  if (relist !== undefined || compareResourceVersions(version, cursor) !== -1) return [];
  return [{ patches: forkPatches(state, 'restored') }];
}

function seenEvent(
  state: TriggerState,
  scope: string,
  event: WatchEvent,
  partial: boolean,
  context: PassContext,
): readonly Step[] {
  const cursor = versionOf(event.object);
  if (event.type === 'BOOKMARK') return [{ patches: [{ kind: 'cursor', scope, cursor }] }];
  const sighting: Sighting = { scope, gap: false, seed: false, partial };
  const { condition } = context.settings;
  if (!condition) return [watchedChange(state, sighting, event, context)];
  const moved: Step = { patches: [{ kind: 'cursor', scope, cursor }] };
  const order = compareResourceVersions(cursor, state.scope(scope).cursor);
  if (order === 0 || order === -1) return [moved];
  const steps =
    event.type === 'DELETED'
      ? vanishedObject(state, sighting, uidOf(event.object), condition, context)
      : examinedObject(state, sighting, event.object, condition, context);
  return [...steps, moved];
}

function relistFor(state: TriggerState, scope: string, cause: 'expired' | 'oversize'): readonly Step[] {
  if (state.scope(scope).relist !== undefined) return [];
  return [{ patches: [{ kind: 'relist', scope, cause }] }];
}

function seenTime(
  state: TriggerState,
  objects: ReadonlyMap<string, WatchEvent['object']>,
  context: PassContext,
): readonly Step[] {
  const { condition } = context.settings;
  if (!condition) return [];
  return [...state.scopes].flatMap(([scope, { incidents }]) =>
    [...incidents]
      .filter(([, memory]) => isDue(memory, condition, context.now))
      .flatMap(([uid]) => dueObject(state, scope, uid, objects.get(uid), condition, context)),
  );
}
