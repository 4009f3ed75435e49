import type { KubeObject, ListPage, WatchEvent } from '../kube';
import type { Outcome } from './handover';
import type { ClusterMark } from './state';
import type { StoredState } from './stateCodec';
import type { TriggerEvent } from './triggerEvent';

/** What the engine needs of a cluster. Every call ends soon after its signal aborts; errors are NavinErrors. */
export interface ClusterPort {
  /** Which cluster answers. The uid is undefined when the right to read it is missing. */
  identity(signal: AbortSignal): Promise<ClusterMark>;
  /** resourceVersion of the collection now, by a consistent list of one object. */
  newest(scope: string, signal: AbortSignal): Promise<string>;
  /** A consistent list of the scope, page by page; all pages carry the version of the first, also when inconsistent. */
  pages(
    scope: string,
    options: { readonly pageSize: number; readonly metadataOnly: boolean },
    signal: AbortSignal,
  ): AsyncIterable<ListPage>;
  /** One window of a watch from a version. */
  watch(
    scope: string,
    version: string,
    seconds: number,
    signal: AbortSignal,
  ): AsyncIterable<WatchEvent, void, undefined>;
  /** One object of the collection as it is now; undefined when there is none. */
  read(namespace: string, name: string, signal: AbortSignal): Promise<KubeObject | undefined>;
}

/**
 * What the engine needs of n8n. In each call the state is the one to be saved: it is to be put into the static data of the
 * workflow in the same tick, before n8n's emit.
 */
export interface HandoverPort {
  /** Whether n8n knows keys and settles promises. False (older n8n, engine v2): at least once, not exactly once. */
  readonly keyed: boolean;
  /** Puts the state where n8n saves it at its next occasion. Nothing is saved for it. */
  keep(state: StoredState): void;
  /**
   * Starts an execution. The promise may settle late or never; it does not reject. Without a state the static data are
   * left alone: n8n writes them as a whole whenever they changed, and in a burst that would be most of the work.
   */
  emit(key: string, events: readonly TriggerEvent[], state: StoredState | undefined): Promise<Outcome>;
  /** Saves the state by an emit that n8n drops because of its key. Absent where that is not possible. */
  checkpoint?(key: string, state: StoredState): Promise<Outcome>;
}

export { isAborted, systemClock, type Clock } from '../clock';
