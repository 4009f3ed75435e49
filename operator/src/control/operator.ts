import { isAborted, type Clock } from '../../../core/clock';
import { COMPONENTS } from '../../../core/components';
import { Lease, WorkQueue, type LeaseTerm } from '../../../core/controller';
import type { KubeClient } from '../../../core/kube';
import type { Rendering, RenderRequest } from '../render';
import type { OperatorEvents, OperatorHealth } from './events';
import { ClusterFacts } from './facts';
import { Reconciler } from './reconciler';
import { Renderings } from './renderings';
import { SightOfObjects } from './sight';
import { keyOf, Watches } from './watches';

/** What an {@link Operator} works with. */
export interface OperatorOptions {
  readonly client: KubeClient;
  /** Whose components it runs; nothing outside of them is ever looked at. */
  readonly namespaces: readonly string[];
  readonly renderer: { render(request: RenderRequest): Promise<Rendering> };
  /** Of several processes one acts: the one that holds this Lease. */
  readonly lease: { readonly namespace: string; readonly name: string; readonly holder: string };
  readonly clock: Clock;
  readonly random: () => number;
  /** Secrets that charts may use for pulling images. */
  readonly pullSecrets?: readonly string[];
  /** Components that are worked on at once. Default 10. */
  readonly concurrency?: number;
  /** Every object is looked at so often, though nothing was heard of it, in ms. Default 10 min. */
  readonly resyncMs?: number;
  readonly events?: OperatorEvents;
}

const CONCURRENCY = 10;
const RESYNC_MS = 600_000;
const GRACE_MS = 10_000;
/** A namespace that cannot be read yet is looked at again so late, in ms. */
const UNREADABLE_MS = 5_000;
/** A lease that ended by itself is not sought again at once, in ms. */
const PAUSE_MS = 1_000;

/** What is there while this process holds the lease. */
interface Reign {
  readonly reconciler: Reconciler;
  readonly queue: WorkQueue;
}

/** Runs the components of some namespaces: watches always, and acts while it holds the lease. */
export class Operator {
  private readonly watches: Watches;
  private readonly facts: ClusterFacts;
  private readonly ending = new AbortController();
  private readonly events: OperatorEvents;
  private reign: Reign | undefined;
  private graceMs = GRACE_MS;
  private running: Promise<void> | undefined;

  constructor(private readonly options: OperatorOptions) {
    const { client, clock } = options;
    this.events = options.events ?? {};
    this.facts = new ClusterFacts(client, clock);
    this.watches = new Watches({
      ...options,
      events: this.events,
      onChange: (component, gone) => {
        if (gone !== undefined) this.reign?.reconciler.doubt(component, gone);
        this.reign?.queue.add(component);
      },
    });
  }

  /** Begins to watch and to wait for the lease; returns at once. */
  start(): void {
    this.watches.start();
    this.running ??= this.run();
  }

  /**
   * Ends: nothing new is begun, what is under way may finish within the time given, then the lease is given up.
   *
   * @param graceMs for what is under way. Default 10 s
   */
  async stop(graceMs = GRACE_MS): Promise<void> {
    this.graceMs = graceMs;
    this.ending.abort();
    await this.running;
    await this.watches.stop();
  }

  /** Looks at everything of every component once more, as it does by itself from time to time. */
  lookAgain(): void {
    this.reign?.reconciler.expire();
    for (const { metadata } of this.watches.list()) this.reign?.queue.add(keyOf(metadata));
  }

  health(): OperatorHealth {
    const missing = this.watches.missing();
    const { depth = 0, active = 0, delayed = 0, failing = 0, oldestActiveMs = 0 } = this.reign?.queue ?? {};
    return {
      synced: missing.length === 0,
      leading: this.reign !== undefined,
      missing,
      components: this.watches.list(),
      queue: { depth, active, delayed, failing, oldestActiveMs },
    };
  }

  private async run(): Promise<void> {
    const { client, clock, random, lease } = this.options;
    const { signal } = this.ending;
    const onFault = (error: unknown): void => this.events.onLeaseFault?.(error);
    while (!isAborted(signal)) {
      const term = await new Lease({ client, clock, random, ...lease, onFault }).acquire(signal);
      if (term === undefined) return;
      await this.rule(term);
      await clock.sleep(PAUSE_MS, signal);
    }
  }

  /** Acts until the lease is lost or the operator ends. */
  private async rule(term: LeaseTerm): Promise<void> {
    const reign = this.reignOf(term);
    const { queue } = reign;
    this.reign = reign;
    this.events.onLeading?.();
    queue.start();
    for (const { metadata } of this.watches.list()) queue.add(keyOf(metadata));
    const ended = new Promise<void>((resolve) => {
      const end = (): void => {
        resolve();
      };
      this.ending.signal.addEventListener('abort', end, { once: true });
      term.signal.addEventListener('abort', end, { once: true });
      if (isAborted(this.ending.signal) || isAborted(term.signal)) resolve();
    });
    await ended;
    await queue.stop(isAborted(term.signal) ? 0 : this.graceMs);
    this.reign = undefined;
    await term.release();
    this.events.onFollowing?.(await term.ended);
  }

  private reignOf(term: LeaseTerm): Reign {
    const {
      client,
      clock,
      random,
      renderer,
      pullSecrets = [],
      concurrency = CONCURRENCY,
      resyncMs = RESYNC_MS,
    } = this.options;
    const { events, facts, watches } = this;
    const onStep = events.onStep?.bind(events) ?? (() => undefined);
    const reconciler = new Reconciler({
      ...{ client, clock, random, pullSecrets, resyncMs, events, facts },
      resource: COMPONENTS,
      components: watches.components,
      sight: new SightOfObjects({ client, informers: watches.objects, clock, resyncMs }),
      renderings: new Renderings({ renderer, clock, onStep, capabilities: () => facts.capabilities() }),
      mayAct: () => term.mayAct(),
      isEnding: () => isAborted(this.ending.signal) || isAborted(term.signal),
      again: (key) => {
        queue.add(key);
      },
    });
    const queue: WorkQueue = new WorkQueue({
      ...{ clock, random, concurrency },
      work: async (key, signal) => {
        if (!watches.hasSynced(key.split('/', 1)[0] ?? '')) return UNREADABLE_MS;
        return reconciler.work(key, AbortSignal.any([signal, term.signal]));
      },
      onFailure: ({ key, ...failure }) => {
        // What was stopped because the lease is gone has not failed.
        if (!isAborted(term.signal)) events.onPassFailed?.({ component: key, ...failure });
      },
      onStarted: (_, waitedMs) => events.onWaited?.(waitedMs),
      onFinished: (key, tookMs, succeeded) => events.onPass?.({ component: key, tookMs, succeeded }),
    });
    return { reconciler, queue };
  }
}
