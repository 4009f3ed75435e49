import { NavinError } from '../errors';
import { compareResourceVersions, type KubeObject, type WatchEvent } from '../kube';
import { factsOf, type Facts } from './facts';
import { compareFacts } from './comparison';
import { changeIdentity, endIdentity, uidOf } from './identity';
import type { Patch, TriggerState } from './state';
import type { Step } from './step';
import { makeEvent, type PassContext, type TriggerEvent } from './triggerEvent';

/** How an object was found: by a watch, or by a list that is compared. */
export interface Sighting {
  readonly scope: string;
  readonly gap: boolean;
  /** First list: what exists is told only when the user asked for it. */
  readonly seed: boolean;
  /** Only metadata could be read. */
  readonly partial: boolean;
  /** It has not changed since what was seen last: whatever it shows was there before. */
  readonly unchanged?: boolean;
}

/** The version of an object. @throws NavinError `k8s_response_invalid` when it has none: it cannot be watched then */
export function versionOf(object: KubeObject): string {
  const version = object.metadata.resourceVersion;
  if (version !== undefined && version !== '') return version;
  throw new NavinError(
    'k8s_response_invalid',
    'The API server sent an object without a resourceVersion: changes of this resource cannot be followed.',
  );
}

/** Whether a watch sends again what is known: a repeated line, or a change that a list has shown already. */
export function isRepeat(event: WatchEvent, known: Facts | undefined, cursor: string): boolean {
  const version = versionOf(event.object);
  if (known === undefined) {
    const order = compareResourceVersions(version, cursor);
    return order === -1 || order === 0;
  }
  const order = compareResourceVersions(version, known.version);
  // Servers before 1.24 sent a deletion with the version of the last change.
  return event.type === 'DELETED' ? order === -1 : order === -1 || order === 0;
}

/** What a watched change means. */
export function watchedChange(state: TriggerState, sighting: Sighting, event: WatchEvent, context: PassContext): Step {
  const { object } = event;
  const { settings } = context;
  const uid = uidOf(object);
  const before = state.scope(sighting.scope).known.get(uid);
  const cursor: Patch = { kind: 'cursor', scope: sighting.scope, cursor: versionOf(object) };
  if (isRepeat(event, before, state.scope(sighting.scope).cursor)) return { patches: [cursor] };
  if (event.type === 'DELETED') {
    const forget: Patch = { kind: 'known', scope: sighting.scope, uid, facts: undefined };
    const end =
      settings.types.has('deleted') && !settings.events
        ? deletion(state, sighting, uid, before, context, object)
        : undefined;
    return step(end, [forget, cursor]);
  }
  const entered = before === undefined || event.type === 'ADDED';
  const entry = entered ? versionOf(object) : before.entry;
  const added = before === undefined && event.type === 'ADDED';
  const after = factsOf(object, entry, settings, sighting.partial);
  const told = added
    ? addition(state, sighting, object, after, context)
    : modification(state, sighting, object, before, after, context);
  return step(told, [...remember(state, sighting.scope, object, after), cursor]);
}

/** What an object on a list means, compared with what is known of it. */
export function listedChange(
  state: TriggerState,
  sighting: Sighting,
  object: KubeObject,
  context: PassContext,
  unknown: 'added' | 'modified' | 'old',
): Step {
  const { settings } = context;
  const uid = uidOf(object);
  const version = versionOf(object);
  const before = state.scope(sighting.scope).known.get(uid);
  if (before === undefined) {
    const after = factsOf(object, version, settings, sighting.partial);
    const patches = remember(state, sighting.scope, object, after);
    if (unknown === 'old' || (sighting.seed && !settings.emitExisting)) return { patches };
    const told =
      unknown === 'added' || sighting.seed
        ? addition(state, sighting, object, after, context)
        : modification(state, sighting, object, undefined, after, context);
    return step(told, patches);
  }
  if (before.version === version) {
    if (sighting.partial) return { patches: [] };
    const after = factsOf(object, before.entry, settings, sighting.partial);
    return { patches: after.row === before.row ? [] : remember(state, sighting.scope, object, after) };
  }
  // It may have left the selector and come back in between, so its stay is named anew.
  const after = factsOf(object, version, settings, sighting.partial);
  const told = modification(state, sighting, object, before, after, context);
  return step(told, remember(state, sighting.scope, object, after));
}

/** What it means that a known object is not on a list. */
export function missingChange(
  state: TriggerState,
  sighting: Sighting,
  uid: string,
  before: Facts,
  context: PassContext,
): Step {
  const forget: Patch = { kind: 'known', scope: sighting.scope, uid, facts: undefined };
  if (!context.settings.types.has('deleted') || context.settings.events) return { patches: [forget] };
  return step(deletion(state, sighting, uid, before, context), [forget]);
}

function addition(
  state: TriggerState,
  sighting: Sighting,
  object: KubeObject,
  after: Facts,
  context: PassContext,
): TriggerEvent | undefined {
  const { settings } = context;
  if (!settings.types.has('added')) return undefined;
  const uid = uidOf(object);
  return makeEvent(
    {
      type: 'added',
      identity: changeIdentity(uid, object, after, settings, true),
      ...common(sighting, object, uid),
      ...(sighting.seed ? { existing: true } : {}),
    },
    state,
    context,
  );
}

function modification(
  state: TriggerState,
  sighting: Sighting,
  object: KubeObject,
  before: Facts | undefined,
  after: Facts,
  context: PassContext,
): TriggerEvent | undefined {
  const { settings } = context;
  if (!settings.types.has('modified')) return undefined;
  const { counts, unknown, changed, before: values } = compareFacts(before, after, object, settings, sighting.partial);
  if (!counts) return undefined;
  const uid = uidOf(object);
  return makeEvent(
    {
      type: 'modified',
      identity: changeIdentity(uid, object, after, settings, false),
      ...common(sighting, object, uid),
      ...(unknown ? { previousUnknown: true } : {}),
      ...(changed === undefined ? {} : { changed }),
      ...(values === undefined ? {} : { before: values }),
    },
    state,
    context,
  );
}

function deletion(
  state: TriggerState,
  sighting: Sighting,
  uid: string,
  before: Facts | undefined,
  context: PassContext,
  object?: KubeObject,
): TriggerEvent {
  const { settings } = context;
  const version = object?.metadata.resourceVersion;
  const place =
    object === undefined
      ? { namespace: before?.namespace, name: before?.name, uid, gap: sighting.gap }
      : common(sighting, object, uid);
  return makeEvent(
    {
      type: 'deleted',
      identity: endIdentity(uid, before?.entry ?? '', version ?? '', settings),
      ...place,
      ...(settings.selective ? { left: true } : {}),
    },
    state,
    context,
  );
}

function common(
  sighting: Sighting,
  object: KubeObject,
  uid: string,
): Pick<TriggerEvent, 'gap' | 'uid' | 'resourceVersion' | 'object' | 'partial'> & {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
} {
  return {
    gap: sighting.gap,
    uid,
    namespace: object.metadata.namespace,
    name: object.metadata.name,
    resourceVersion: versionOf(object),
    object,
    ...(sighting.partial ? { partial: true } : {}),
  };
}

/** Keeps what is known of an object; where there is no room for it, that is what is kept. */
function remember(state: TriggerState, scope: string, object: KubeObject, facts: Facts): readonly Patch[] {
  const uid = uidOf(object);
  const { creationTimestamp: at = '' } = object.metadata;
  const created: readonly Patch[] = at > state.newestCreation ? [{ kind: 'created', at }] : [];
  if (state.scope(scope).known.fits(uid, facts)) return [{ kind: 'known', scope, uid, facts }, ...created];
  return [{ kind: 'known', scope, uid, facts: undefined }, { kind: 'overflow', scope }, ...created];
}

function step(event: TriggerEvent | undefined, patches: readonly Patch[]): Step {
  return event === undefined ? { patches } : { event, patches };
}
