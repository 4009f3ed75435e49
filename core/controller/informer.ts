import type { Clock } from '../clock';
import type { KubeObject } from '../kube';
import { Mirror, type OnChange } from './mirror';
import { Reflector, type ScopeFault } from './reflector';
import type { Source } from './source';
import { keyOf, Store, type Indexer } from './store';

/** What an {@link Informer} works with. */
export interface InformerOptions {
  readonly source: Source;
  /** Namespaces, or only '' for all of them and for resources that have none. */
  readonly scopes: readonly string[];
  readonly clock: Clock;
  readonly random: () => number;
  /** Called for each change, in order; the store shows the new state already. It should only note keys. */
  readonly onChange: OnChange;
  /** A scope cannot be read at the moment. */
  readonly onFault?: (fault: ScopeFault) => void;
  /** `onChange` threw: the informer goes on. */
  readonly onHandlerError?: (error: unknown) => void;
  readonly indexers?: Readonly<Record<string, Indexer>>;
  /** Of each scope. Default 20,000. */
  readonly maxObjects?: number;
}

/** How a scope is doing. */
export interface ScopeHealth {
  readonly scope: string;
  /** Whether it was listed whole. */
  readonly synced: boolean;
  /** How long nothing was heard of it, in ms; about a minute is normal. */
  readonly silentMs: number;
}

const MAX_OBJECTS = 20_000;

/**
 * The objects of a resource, kept as the cluster has them, and told of each change. Reads are from memory; they may be a
 * moment old, so whatever disrupts something reads again.
 */
export class Informer {
  /** True once every scope was listed; false when the informer was stopped before. */
  readonly synced: Promise<boolean>;
  private readonly store: Store;
  private readonly reflectors: ReadonlyMap<string, Reflector>;
  private readonly listed = new Set<string>();
  private readonly stopping = new AbortController();
  private running: Promise<unknown> | undefined;
  private settleSynced: (synced: boolean) => void = () => undefined;

  constructor(private readonly options: InformerOptions) {
    const { scopes, source, clock, random, onFault } = options;
    if (scopes.includes('') && scopes.length > 1) throw new Error('the scope of all namespaces stands alone');
    this.store = new Store(options.indexers);
    this.synced = new Promise((resolve) => {
      this.settleSynced = resolve;
    });
    const { signal } = this.stopping;
    const mirrorOptions = {
      store: this.store,
      maxObjects: options.maxObjects ?? MAX_OBJECTS,
      onChange: (before: KubeObject | undefined, after: KubeObject | undefined) => {
        this.tell(before, after);
      },
    };
    this.reflectors = new Map(
      [...new Set(scopes)].map((scope) => [
        scope,
        new Reflector({
          scope,
          source,
          mirror: new Mirror(mirrorOptions),
          clock,
          random,
          signal,
          onListed: () => {
            this.noteListed(scope);
          },
          onFault: (fault) => onFault?.(fault),
        }),
      ]),
    );
  }

  start(): void {
    if (this.reflectors.size === 0) this.settleSynced(true);
    this.running ??= Promise.all([...this.reflectors.values()].map((reflector) => reflector.run()));
  }

  /** Ends everything at once: no change is told after the call. Resolves when nothing is under way any more. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.settleSynced(false);
    await this.running;
  }

  /** Whether a scope was listed whole, so that what is missing is missing. */
  hasSynced(scope: string): boolean {
    return this.listed.has(scope);
  }

  health(): readonly ScopeHealth[] {
    const now = this.options.clock.monotonic();
    return [...this.reflectors].map(([scope, { heardAt }]) => ({
      scope,
      synced: this.listed.has(scope),
      silentMs: now - heardAt,
    }));
  }

  get size(): number {
    return this.store.size;
  }

  get(namespace: string | undefined, name: string): KubeObject | undefined {
    return this.store.get(keyOf(namespace, name));
  }

  byUid(uid: string): KubeObject | undefined {
    return this.store.byUid(uid);
  }

  /** @param index one of `indexers` */
  by(index: string, value: string): readonly KubeObject[] {
    return this.store.by(index, value);
  }

  list(): readonly KubeObject[] {
    return this.store.list();
  }

  private noteListed(scope: string): void {
    this.listed.add(scope);
    if (this.listed.size === this.reflectors.size) this.settleSynced(true);
  }

  private tell(before: KubeObject | undefined, after: KubeObject | undefined): void {
    if (this.stopping.signal.aborted) return;
    try {
      this.options.onChange(before, after);
    } catch (error) {
      this.options.onHandlerError?.(error);
    }
  }
}
