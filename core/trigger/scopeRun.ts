import { isNavinError, NavinError, type ErrorCode } from '../errors';
import { KubeApiError, type KubeObject, type WatchEvent } from '../kube';
import { isAborted, type Clock, type ClusterPort } from './ports';
import { observe, type Observation } from './pass';
import type { Pump } from './pump';
import { Relist } from './relist';
import type { TriggerState } from './state';
import type { Note, Step } from './step';
import type { PassContext } from './triggerEvent';
import { weigh } from './weight';

/** What all scopes of a trigger share. */
export interface RunOptions {
  readonly state: TriggerState;
  readonly cluster: ClusterPort;
  readonly pump: Pump;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly context: () => PassContext;
  readonly windowSeconds: number;
  readonly onNote: (note: Note) => void;
  /** Looks which cluster answers. */
  readonly identify: () => Promise<void>;
}

/** A window that has not ended so long after its time is given up, ms. The client gives up sooner. */
const WINDOW_GRACE_MS = 20_000;
/** Work without letting others have their turn, ms. */
const BUSY_MS = 8;
/** Objects of the first page, when nothing is known of their size, and of the largest. */
const FIRST_PAGE_SIZE = 100;
const LARGEST_PAGE_SIZE = 500;
/** A page is parsed in one go: so many bytes take some ten milliseconds. */
const PAGE_BYTES = 1024 * 1024;
/** After the first pass without any sign of life the newest version is looked at, then every so many. */
const QUIET_EVERY = 10;

/** One scope: lists it when it must, else watches it from its cursor. */
export class ScopeRun {
  /** Passes in a row in which nothing came. Before the first the newest version is looked at too. */
  private quiet = 0;
  private doubt = true;
  private pageSize = FIRST_PAGE_SIZE;
  private busySince: number;
  private unreadableAt: string | undefined;

  constructor(
    private readonly scope: string,
    private readonly options: RunOptions,
  ) {
    this.busySince = options.clock.monotonic();
  }

  /** One pass. Returned: whether more waits in the cluster than can be handed over at the moment. */
  async pass(): Promise<'done' | 'backlog'> {
    try {
      return await this.look();
    } catch (error) {
      // While nothing could be seen the cluster may have been set back.
      this.doubt = true;
      throw error;
    }
  }

  private async look(): Promise<'done' | 'backlog'> {
    const { state } = this.options;
    if (state.scope(this.scope).relist === undefined && this.mustLookAtNewest()) await this.lookAtNewest();
    if (state.scope(this.scope).relist !== undefined) await this.list();
    if (this.options.signal.aborted) return 'done';
    try {
      return await this.watch();
    } catch (error) {
      const cause = this.causeOfRelist(error);
      if (cause === undefined) throw error;
      await this.observe({ kind: cause, scope: this.scope });
      // A history that is gone may be that of another cluster.
      await this.options.identify();
      await this.list();
      return 'done';
    }
  }

  /** Lists the scope and compares it with what is known. */
  async list(): Promise<void> {
    const { cluster, signal, state, context, onNote } = this.options;
    const metadataOnly = state.scope(this.scope).relist === 'oversize';
    const relist = new Relist(state, this.scope, context, metadataOnly);
    let begun = false;
    try {
      for await (const page of cluster.pages(this.scope, { pageSize: this.pageSize, metadataOnly }, signal)) {
        const listed = { items: page.items, version: page.resourceVersion, inconsistent: page.inconsistent };
        if (!begun) await this.take(relist.begin(listed));
        if (isAborted(signal)) return;
        begun = true;
        for (const note of relist.notes.splice(0)) onNote(note);
        if (!metadataOnly) this.pageSize = fittingPageSize(listed.items, this.pageSize);
        await this.take(relist.page(listed));
        if (isAborted(signal)) return;
      }
    } catch (error) {
      if (codeOf(error) === 'k8s_response_too_large' && this.pageSize > 1) this.pageSize = Math.ceil(this.pageSize / 5);
      throw error;
    }
    if (isAborted(signal)) return;
    if (!begun) throw new NavinError('k8s_response_invalid', 'The list has no page.');
    await this.take(relist.end());
    for (const note of relist.notes.splice(0)) onNote(note);
    this.quiet = 0;
    this.doubt = false;
  }

  private mustLookAtNewest(): boolean {
    return this.doubt || this.quiet === 1 || (this.quiet > 0 && this.quiet % QUIET_EVERY === 0);
  }

  private async lookAtNewest(): Promise<void> {
    const version = await this.options.cluster.newest(this.scope, this.options.signal);
    await this.observe({ kind: 'newest', scope: this.scope, version });
    this.doubt = false;
  }

  private async watch(): Promise<'done' | 'backlog'> {
    const { cluster, signal, state, windowSeconds, pump } = this.options;
    const window = new Window(this.options);
    const from = state.scope(this.scope).cursor;
    const events = cluster.watch(this.scope, from, windowSeconds, window.signal)[Symbol.asyncIterator]();
    let signs = 0;
    try {
      for (;;) {
        const next = await window.next(events);
        if (isAborted(signal)) return 'done';
        if (next === 'over') throw new NavinError('k8s_timeout', 'The watch did not end in time.');
        if (next.done) return 'done';
        signs += 1;
        await this.observe({ kind: 'event', scope: this.scope, event: next.value });
        if (!pump.hasRoom) return 'backlog';
      }
    } finally {
      this.quiet = signs === 0 ? this.quiet + 1 : 0;
      window.close();
      // It ends in its own time: nobody waits for a stream that stalls.
      events.return?.(undefined).catch(() => undefined);
    }
  }

  private causeOfRelist(error: unknown): 'expired' | 'oversize' | undefined {
    const code = codeOf(error);
    if (code === 'k8s_expired') return 'expired';
    // 504 of an API server that lags behind, or of a cluster that was set back: the newest version tells.
    if (error instanceof KubeApiError && error.hasCause('ResourceVersionTooLarge')) this.doubt = true;
    if (!isTooLong(error)) return undefined;
    const { cursor } = this.options.state.scope(this.scope);
    const again = this.unreadableAt === cursor;
    this.unreadableAt = cursor;
    return again ? 'oversize' : undefined;
  }

  private async observe(observation: Exclude<Observation, { kind: 'list' }>): Promise<void> {
    for (const step of observe(this.options.state, observation, this.options.context())) {
      this.options.state.apply(step.patches);
      this.options.pump.push(step);
    }
    await this.rest();
  }

  /** Applies steps one by one; waits when n8n has enough. */
  private async take(steps: Iterable<Step>): Promise<void> {
    const { state, pump, signal } = this.options;
    for (const step of steps) {
      state.apply(step.patches);
      pump.push(step);
      await this.rest();
      if (!pump.hasRoom) await pump.room(signal);
      if (signal.aborted) return;
    }
  }

  private async rest(): Promise<void> {
    const { clock } = this.options;
    if (clock.monotonic() - this.busySince < BUSY_MS) return;
    await clock.breathe();
    this.busySince = clock.monotonic();
  }
}

/** How many objects a page of the next list may have, by what some of this one weigh. */
function fittingPageSize(items: readonly KubeObject[], pageSize: number): number {
  const sample = items.slice(0, 10);
  if (sample.length === 0) return pageSize;
  const each = sample.reduce((sum, item) => sum + weigh(item), 0) / sample.length;
  return Math.max(1, Math.min(LARGEST_PAGE_SIZE, Math.floor(PAGE_BYTES / each)));
}

/** The code of an error; `k8s_internal` for one that is not ours. */
export function codeOf(error: unknown): ErrorCode {
  return isNavinError(error) ? error.code : 'k8s_internal';
}

/** An event that is larger than the client reads. */
function isTooLong(error: unknown): boolean {
  if (!isNavinError(error)) return false;
  return error.code === 'k8s_response_too_large' || error.details.reason === 'too-long';
}

/** The time of one window: over when the trigger is stopped or the window is long past its end. */
class Window {
  private readonly controller = new AbortController();
  private readonly outer: AbortSignal;
  private isOver = false;
  private tell: () => void = () => undefined;

  constructor({ signal, clock, windowSeconds }: RunOptions) {
    this.outer = signal;
    if (signal.aborted) this.close();
    signal.addEventListener('abort', this.end, { once: true });
    void clock.sleep(windowSeconds * 1000 + WINDOW_GRACE_MS, this.controller.signal).then(this.end);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  next(events: AsyncIterator<WatchEvent, void, undefined>): Promise<IteratorResult<WatchEvent, void> | 'over'> {
    if (this.isOver) return Promise.resolve('over');
    return new Promise((resolve, reject) => {
      this.tell = () => {
        resolve('over');
      };
      events.next().then(resolve, reject);
    });
  }

  close(): void {
    this.outer.removeEventListener('abort', this.end);
    this.controller.abort();
  }

  private readonly end = (): void => {
    this.isOver = true;
    this.close();
    this.tell();
  };
}
