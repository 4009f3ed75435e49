import { NavinError } from '../errors';
import { compareResourceVersions } from '../kube';
import { withoutDetails, type Facts } from './facts';
import type { IncidentMemory } from './memory';
import { Tracked } from './tracked';

/**
 * Why a scope is listed and compared instead of watched: its history is gone (`expired`), the cluster was set back
 * (`restored`) or exchanged (`cluster`), other things are remembered of objects (`filter`), an event is too large to be
 * watched (`oversize`), it is listed for the first time (`seed`), or once more because that was broken off (`reseed`).
 */
export type RelistCause = 'seed' | 'reseed' | 'expired' | 'restored' | 'cluster' | 'filter' | 'oversize';

/**
 * What is remembered of a scope (a namespace, or all). Each has room of its own: what is tracked in one then depends on
 * its own history alone, and is the same when that is gone through once more.
 */
export class ScopeState {
  /** The version up to which everything is known; '' before the first list. */
  cursor = '';
  /** Set while it must be listed, or a list is not through. */
  relist: RelistCause | undefined = 'seed';
  /** Not all of its objects are tracked. */
  overflow = false;
  readonly known: Tracked<Facts>;
  readonly incidents: Tracked<IncidentMemory>;

  constructor(readonly limit: number) {
    this.known = new Tracked(limit);
    this.incidents = new Tracked(limit);
  }

  clone(): ScopeState {
    const copy = new ScopeState(this.limit);
    copy.cursor = this.cursor;
    copy.relist = this.relist;
    copy.overflow = this.overflow;
    copy.known.copyFrom(this.known);
    copy.incidents.copyFrom(this.incidents);
    return copy;
  }
}

/** Which cluster it is: a hash of its address, and the uid of the namespace kube-system where that can be read. */
export interface ClusterMark {
  readonly server: string;
  readonly uid: string | undefined;
}

/**
 * One change of the state. Patches are what a step of a pass decides, and what is saved once its event is handed over.
 * Whether there is room is decided with the step: applying patches later, or merged, comes to the same.
 */
export type Patch =
  | {
      readonly kind: 'known';
      readonly scope: string;
      readonly uid: string;
      readonly facts: Facts | undefined;
    }
  /** An object was created later than all others. */
  | { readonly kind: 'created'; readonly at: string }
  | {
      readonly kind: 'incident';
      readonly scope: string;
      readonly uid: string;
      readonly memory: IncidentMemory | undefined;
    }
  | { readonly kind: 'overflow'; readonly scope: string }
  | { readonly kind: 'cursor'; readonly scope: string; readonly cursor: string }
  | { readonly kind: 'relist'; readonly scope: string; readonly cause: RelistCause }
  | { readonly kind: 'listed'; readonly scope: string; readonly cursor: string; readonly overflow: boolean }
  | { readonly kind: 'cluster'; readonly cluster: ClusterMark; readonly epoch: number }
  | { readonly kind: 'filter'; readonly filter: string };

/** What names a state and never changes. */
export interface StateIdentity {
  /** Hash of workflow id and node id: a state copied into another workflow is not its state. */
  readonly owner: string;
  /** Made up at the first list: tells two states apart that have the same owner. */
  readonly lineage: string;
  /** {@link CheckedSettings.collection} */
  readonly collection: string;
}

/**
 * Everything a trigger remembers. It changes by {@link apply} only; {@link clone} gives an independent copy, whose rows
 * are shared because they never change.
 */
export class TriggerState {
  /** Rises with each batch of patches applied. */
  commits = 0;
  /** Rises when the cluster was set back or exchanged: repeated versions must not be taken for known ones. */
  epoch = 1;
  filter = '';
  cluster: ClusterMark | undefined;
  /** The newest creationTimestamp seen: of the server's clock, compared with the server's clock only. */
  newestCreation = '';
  readonly scopes = new Map<string, ScopeState>();

  /** @param limit objects that are tracked in each scope */
  constructor(
    readonly identity: StateIdentity,
    scopes: readonly string[],
    limit: number,
  ) {
    for (const name of scopes) this.scopes.set(name, new ScopeState(limit));
  }

  clone(): TriggerState {
    const copy = new TriggerState(this.identity, [], 0);
    copy.commits = this.commits;
    copy.epoch = this.epoch;
    copy.filter = this.filter;
    copy.cluster = this.cluster;
    copy.newestCreation = this.newestCreation;
    for (const [name, scope] of this.scopes) copy.scopes.set(name, scope.clone());
    return copy;
  }

  scope(name: string): ScopeState {
    const scope = this.scopes.get(name);
    if (scope) return scope;
    throw new NavinError('k8s_internal', 'The state has no such scope.');
  }

  apply(patches: readonly Patch[]): void {
    this.commits += 1;
    for (const patch of patches) this.applyOne(patch);
  }

  private applyOne(patch: Patch): void {
    switch (patch.kind) {
      case 'known':
        this.scope(patch.scope).known.put(patch.uid, patch.facts);
        return;
      case 'created':
        this.newestCreation = patch.at;
        return;
      case 'incident':
        this.scope(patch.scope).incidents.put(patch.uid, patch.memory);
        return;
      case 'overflow':
        this.scope(patch.scope).overflow = true;
        return;
      case 'cursor': {
        const scope = this.scope(patch.scope);
        scope.cursor = later(scope.cursor, patch.cursor);
        return;
      }
      case 'relist':
        this.scope(patch.scope).relist = patch.cause;
        return;
      case 'listed': {
        const { cursor, overflow } = patch;
        Object.assign(this.scope(patch.scope), { cursor, overflow, relist: undefined });
        return;
      }
      case 'cluster':
        this.cluster = patch.cluster;
        this.epoch = patch.epoch;
        return;
      case 'filter':
        this.filter = patch.filter;
        for (const { known } of this.scopes.values()) {
          for (const [uid, facts] of [...known]) known.put(uid, withoutDetails(uid, facts));
        }
        return;
    }
  }
}

/** The later of two versions; of versions that cannot be compared, the one that came last. */
export function later(before: string, after: string): string {
  return before !== '' && compareResourceVersions(after, before) === -1 ? before : after;
}
