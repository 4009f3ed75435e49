import type { Clock } from '../clock';
import { KeyBackoff, type BackoffCurve } from './backoff';
import { Delays } from './delays';

/** A piece of work that failed; it is tried again. */
export interface WorkFailure {
  readonly key: string;
  readonly error: unknown;
  /** In a row, this one included. */
  readonly failures: number;
  /** Before the next try. */
  readonly pauseMs: number;
}

/** What a {@link WorkQueue} works with. */
export interface WorkQueueOptions {
  /**
   * Works on one key; never twice at once on the same. Returned: look at it again after so many ms. A rejection is tried
   * again after a pause that grows. The signal aborts when the queue has to end.
   */
  readonly work: (key: string, signal: AbortSignal) => Promise<number | undefined>;
  /** Keys that are worked on at once at most. */
  readonly concurrency: number;
  readonly clock: Clock;
  readonly random: () => number;
  /** Default 200 ms to 5 min. */
  readonly backoff?: BackoffCurve;
  readonly onFailure?: (failure: WorkFailure) => void;
  /** For metrics: how long a key waited after it was ready. */
  readonly onStarted?: (key: string, waitedMs: number) => void;
  readonly onFinished?: (key: string, tookMs: number, succeeded: boolean) => void;
}

const BACKOFF: BackoffCurve = { baseMs: 200, maxMs: 300_000 };

/**
 * Keys to work on, as the work queue of client-go has it: a key that waits already is not added again; one that is worked
 * on is marked, and comes again afterwards, so that no change between is missed; failures come again after a pause of
 * their own that doubles; what comes later waits without a place in the line.
 */
export class WorkQueue {
  /** Ready, first in first out, with the time since when. */
  private readonly ready = new Map<string, number>();
  /** Worked on, with the time since when. */
  private readonly running = new Map<string, number>();
  /** Added while worked on. */
  private readonly marked = new Set<string>();
  private readonly delays = new Delays();
  private readonly backoff: KeyBackoff;
  private readonly ending = new AbortController();
  private readonly onIdle: (() => void)[] = [];
  private timer: AbortController | undefined;
  private timerAt: number | undefined;
  private started = false;
  private closed = false;
  private stopped = false;

  constructor(private readonly options: WorkQueueOptions) {
    this.backoff = new KeyBackoff(options.backoff ?? BACKOFF, options.random);
  }

  /** Keys that are ready and wait for their turn. */
  get depth(): number {
    return this.ready.size;
  }

  /** Keys that are worked on. */
  get active(): number {
    return this.running.size;
  }

  /** How long the key is worked on that is worked on longest, in ms; 0 when none is. */
  get oldestActiveMs(): number {
    const now = this.options.clock.monotonic();
    return Math.max(0, ...[...this.running.values()].map((since) => now - since));
  }

  /** Keys that come later. */
  get delayed(): number {
    return this.delays.size;
  }

  /** Keys that failed and have not succeeded since. */
  get failing(): number {
    return this.backoff.size;
  }

  /** Begins to work. Keys may be added before. */
  start(): void {
    this.started = true;
    this.dispatch();
  }

  add(key: string): void {
    if (this.closed) return;
    this.enqueue(key);
    this.dispatch();
  }

  /** Adds a key later. Of several times the earliest counts. */
  addAfter(key: string, ms: number): void {
    if (this.closed) return;
    if (!(ms > 0)) {
      this.add(key);
      return;
    }
    this.delays.add(key, this.options.clock.monotonic() + ms);
    this.schedule();
  }

  /** Takes nothing more, finishes what is ready and what is worked on; what was to come later does not. */
  async drain(): Promise<void> {
    this.close();
    this.start();
    await this.idle();
  }

  /** Takes and begins nothing more; what is worked on has so long to finish before it is told to stop. */
  async stop(graceMs = 0): Promise<void> {
    this.close();
    this.stopped = true;
    this.ready.clear();
    this.marked.clear();
    this.settle();
    const over = new AbortController();
    if (this.running.size > 0) {
      const idle = this.idle().then(() => {
        over.abort();
      });
      await this.options.clock.sleep(graceMs, over.signal);
      this.ending.abort();
      await idle;
    }
    this.ending.abort();
  }

  private close(): void {
    this.closed = true;
    this.delays.clear();
    this.schedule();
  }

  private enqueue(key: string): void {
    if (this.running.has(key)) this.marked.add(key);
    else if (!this.ready.has(key)) this.ready.set(key, this.options.clock.monotonic());
  }

  private dispatch(): void {
    if (!this.started) return;
    for (const [key, since] of this.ready) {
      if (this.running.size >= this.options.concurrency) return;
      this.ready.delete(key);
      this.running.set(key, this.options.clock.monotonic());
      void this.process(key, since);
    }
  }

  private async process(key: string, since: number): Promise<void> {
    const { clock, onStarted, onFinished } = this.options;
    try {
      // Work that needs no I/O must not keep everything else from its turn.
      await clock.breathe();
      if (this.stopped) return;
      const begun = clock.monotonic();
      onStarted?.(key, begun - since);
      const succeeded = await this.attempt(key);
      onFinished?.(key, clock.monotonic() - begun, succeeded);
    } finally {
      this.running.delete(key);
      if (this.marked.delete(key)) this.enqueue(key);
      this.dispatch();
      this.settle();
    }
  }

  private async attempt(key: string): Promise<boolean> {
    const { work, onFailure } = this.options;
    try {
      const again = await work(key, this.ending.signal);
      this.backoff.forget(key);
      if (again !== undefined) this.addAfter(key, again);
      return true;
    } catch (error) {
      // What was told to stop has not failed.
      if (this.ending.signal.aborted) return false;
      const failed = this.backoff.failed(key, error);
      this.addAfter(key, failed.pauseMs);
      onFailure?.({ key, error, ...failed });
      return false;
    }
  }

  private get isIdle(): boolean {
    return this.running.size === 0 && this.ready.size === 0;
  }

  /** Until nothing is ready or worked on. Only once nothing more is taken: so it stays that way. */
  private async idle(): Promise<void> {
    if (this.isIdle) return;
    await new Promise<void>((resolve) => this.onIdle.push(resolve));
  }

  private settle(): void {
    if (this.isIdle) for (const resolve of this.onIdle.splice(0)) resolve();
  }

  /** One sleep at a time, until the first delayed key is due. */
  private schedule(): void {
    const at = this.delays.next();
    if (at === this.timerAt) return;
    this.timer?.abort();
    this.timerAt = at;
    if (at === undefined) return;
    const timer = new AbortController();
    this.timer = timer;
    const { clock } = this.options;
    void clock.sleep(Math.max(1, Math.ceil(at - clock.monotonic())), timer.signal).then(() => {
      if (timer.signal.aborted) return;
      this.timerAt = undefined;
      for (const key of this.delays.take(clock.monotonic())) this.enqueue(key);
      this.dispatch();
      this.schedule();
    });
  }
}
