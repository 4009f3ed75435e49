import type { JsonValue } from '../../errors';
import type { KubeObject } from '../../kube';

/** Something a condition sees in an object now. */
export interface Finding {
  /** Where in the object, for instance the name of a container. One incident at a time lives in a slot. */
  readonly slot: string;
  /**
   * Names the incident within slot and object, made from what the API server says and never from our clock: the same
   * incident has the same key after a restart and after a relist.
   */
  readonly key: string;
  /** Names the incident where `key` may come back later (a StatefulSet rolled back to an old version). Default: `key`. */
  readonly name?: string;
  /** For `deadline` rules: the moment the time is counted from, ms since 1970 (a certificate: its end). */
  readonly since?: number;
  /** It happened before we looked for the first time: remembered, never told. */
  readonly past?: boolean;
  /** It cannot be told whether it has happened or is about to: on the first list it has, later it has not yet. */
  readonly unsure?: boolean;
  /** What the workflow is told about it. Never a secret. */
  readonly facts: Readonly<Record<string, JsonValue>>;
}

/** What an object shows at one moment. */
export interface Examination {
  readonly findings: readonly Finding[];
  /** Slots that cannot be judged at the moment: their incidents stay as they are. */
  readonly unclear?: readonly string[];
}

/** How long until something is told, as the user chose. */
export interface ConditionTiming {
  /** For "longer than N": ms. */
  readonly holdMs: number;
  /** For "within N days": ms. */
  readonly aheadMs: number;
}

/** A ready-made condition: a pure rule about one object, see {@link file://../incidents.ts} for incidents and re-arming. */
export interface ConditionRule {
  /** Which objects: names for discovery, for instance `pods` or `deployments.apps`. The first is the default. */
  readonly resources: readonly string[];
  /** A sentence for the user interface. */
  readonly about: string;
  /** `hold`: told when it has lasted `holdMs`; `deadline`: told `aheadMs` before `since`; undefined: told at once. */
  readonly timer?: 'hold' | 'deadline';
  /** True: as long as the slot shows anything it is the same incident, whatever the key (a Node that is False, then Unknown). */
  readonly oneAtATime?: boolean;
  /** True: the key alone repeats for later incidents, so incidents of a slot are numbered. */
  readonly counted?: boolean;
  /** True: once told, a key is remembered as long as the object exists, also while it is not seen. */
  readonly sticky?: boolean;
  /** True: the incident has an end that can be told. */
  readonly lasting?: boolean;
  /** The end is believed only after the finding was away so long, ms (a crash loop that runs for a moment). Default 0. */
  readonly clearMs?: number;
  /** @param kind of the objects: items of lists do not say it */
  examine(object: KubeObject, kind: string): Examination;
  /** The object as it may be shown. Default: the object itself. */
  show?(object: KubeObject): KubeObject;
}
