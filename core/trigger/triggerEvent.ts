import type { JsonValue } from '../errors';
import { apiVersionOf, type KubeObject } from '../kube';
import { keyOf, type TriggerOwner } from './identity';
import type { CheckedSettings } from './settings';
import type { TriggerState } from './state';

/** A chosen field that changed. */
export interface FieldChange {
  readonly path: string;
  /** Absent when the field was not there, or when `previousUnknown`. */
  readonly previous?: JsonValue;
  /** The value before was too long to be remembered, or the object was not tracked. */
  readonly previousUnknown?: true;
  /** Absent when the field is not there any more. */
  readonly current?: JsonValue;
}

/** The incident an event is about. */
export interface IncidentReport {
  /** Name of the condition, for instance `podCrashLoop`. */
  readonly condition: string;
  /** Names the incident; the same at its start and its end. */
  readonly key: string;
  /** Where in the object, for instance the container. */
  readonly slot: string;
  readonly facts: Readonly<Record<string, JsonValue>>;
}

/** What a workflow is started with. */
export interface TriggerEvent {
  /** `started` and `ended` are of incidents; `gap`: something may have happened that nobody can know any more. */
  readonly type: 'added' | 'modified' | 'deleted' | 'started' | 'ended' | 'gap';
  /** Deduplicates it in n8n. */
  readonly key: string;
  /** What the key is made from: the same event has the same identity by watch and by relist. */
  readonly identity: string;
  /** Found by comparing a list after a gap: what happened in between is not known. */
  readonly gap: boolean;
  /** It existed when the trigger was first activated. */
  readonly existing?: true;
  /** A selector is set, so it was deleted or no longer matches: the API server does not say which. */
  readonly left?: true;
  /** The object was not tracked, so whether what was asked for changed is not known. */
  readonly previousUnknown?: true;
  /** Only the metadata of the object could be read: it is too large. */
  readonly partial?: true;
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  /** Absent for a deletion found by a relist. */
  readonly resourceVersion?: string;
  /** Our clock, ISO 8601: when it was seen, not when it happened. */
  readonly observedAt: string;
  /** Without managedFields. Absent where nobody has it any more (a deletion found by a relist, the end of an incident). */
  readonly object?: KubeObject;
  readonly changed?: readonly FieldChange[];
  /** What all watched fields were, by path, where not all of them count. */
  readonly before?: Readonly<Record<string, JsonValue>>;
  readonly incident?: IncidentReport;
  /** For `gap`: what could not be known. */
  readonly message?: string;
}

/** What deciding needs beside state and observation. */
export interface PassContext {
  readonly owner: TriggerOwner;
  readonly settings: CheckedSettings;
  /** A clock that goes on steadily, ms since 1970: what incidents wait by. */
  readonly now: number;
  /** Wall clock, ms since 1970: when something is said to be seen. */
  readonly wall: number;
}

/** The parts of an event its maker decides. */
export type EventDraft = Omit<TriggerEvent, 'key' | 'observedAt' | 'namespace' | 'name'> & {
  readonly namespace: string | undefined;
  readonly name: string | undefined;
};

/** Completes an event: its key, under the present epoch, and when it was seen. */
export function makeEvent(draft: EventDraft, state: TriggerState, context: PassContext): TriggerEvent {
  const { object, ...rest } = draft;
  return {
    ...rest,
    namespace: draft.namespace ?? '',
    name: draft.name ?? '',
    key: keyOf(context.owner, state.epoch, draft.identity),
    observedAt: new Date(context.wall).toISOString(),
    ...(object === undefined ? {} : { object: asTold(object, context.settings) }),
  };
}

/** Without managedFields (20 to 40 % of an object); with its kind, which items of lists lack. */
function asTold(object: KubeObject, { resource }: CheckedSettings): KubeObject {
  const { managedFields, ...metadata } = object.metadata;
  void managedFields;
  const { apiVersion = apiVersionOf(resource), kind = resource.kind, ...rest } = object;
  return { apiVersion, kind, ...rest, metadata };
}
