import type { Patch } from './state';
import type { Step } from './step';
import type { TriggerEvent } from './triggerEvent';
import { Flights, type Flight, type OpenFlight } from './flights';
import { QueueEntry } from './queueEntry';

/**
 * How a hand-over ended. `created`: n8n has a row of the execution (however it went on); `duplicate`: it had one already;
 * `rejected`: no row for certain, or nobody knows; `stopped`: a user stopped the execution, so there is a row.
 */
export type Outcome = 'created' | 'duplicate' | 'rejected' | 'stopped';

/** What the hand-over wants done, in order. */
export type Effect =
  /** The state moves on: everything up to here is handed over. */
  | { readonly kind: 'commit'; readonly patches: readonly Patch[] }
  | { readonly kind: 'emit'; readonly key: string; readonly events: readonly TriggerEvent[]; readonly attempt: number }
  /** n8n keeps refusing. Once, until it takes something again. */
  | { readonly kind: 'trouble'; readonly attempts: number };

/** How a hand-over behaves. Times in ms. */
export interface HandoverOptions {
  /** Whether n8n knows keys. Without, a stopped execution must not be started again. */
  readonly keyed: boolean;
  /** All events of a pass together in one execution. */
  readonly batch?: boolean;
  /** Keys that an earlier registration of this process emitted and that are not settled. */
  readonly carried?: Iterable<readonly [string, Flight]>;
  /** Keys that were settled in this process lately: not emitted again, whatever n8n remembers of them. */
  readonly recent?: Set<string>;
}

/** Emits that may be unsettled, in order. */
export const MAX_UNSETTLED = 20;
/** What may wait to be handed over; the rest waits in the history of the cluster. */
export const MAX_WAITING = 200;
export const MAX_WAITING_BYTES = 8 * 1024 * 1024;
/** A pass is split into executions of so many events. */
export const MAX_BATCH = 500;
const MAX_BATCH_BYTES = 4 * 1024 * 1024;
const MAX_RECENT = 2000;
/** Rows of n8n are sure to be there for so long after they settled; later a checkpoint could start an execution. */
const CHECKPOINT_MS = 600_000;
const MAX_RETRY_MS = 60_000;

/**
 * The hand-over of events to n8n, without n8n: steps in, effects out; no clock and no promise in it. What is committed is
 * always the longest row of steps from the start whose events are all handed over: so whatever is saved, and whenever,
 * an event that has no execution yet comes again.
 */
export class Handover {
  private readonly queue: QueueEntry[] = [];
  private readonly flights: Flights;
  private readonly recent: Set<string>;
  private nextToEmit = 0;
  private weight = 0;
  private closed = false;
  private troubled = false;
  private lastSettled: { readonly key: string; readonly at: number } | undefined;

  constructor(private readonly options: HandoverOptions) {
    this.recent = options.recent ?? new Set();
    this.flights = new Flights(options.carried ?? []);
  }

  /** Nothing waits and nothing is unsettled but what counts as created. */
  get idle(): boolean {
    return this.queue.length === 0;
  }

  /** Whether more can be taken. */
  get hasRoom(): boolean {
    return this.queue.length < MAX_WAITING && this.weight < MAX_WAITING_BYTES;
  }

  /** Whether so little waits that reading may begin again. */
  get isLow(): boolean {
    return this.queue.length <= MAX_WAITING / 4 && this.weight <= MAX_WAITING_BYTES / 4;
  }

  /** Takes a step. Steps without an event join the one before them: they are saved with it. */
  push(step: Step): void {
    const last = this.queue.at(-1);
    if (!step.event && last) {
      last.merge(step.patches);
      return;
    }
    const open = this.options.batch && last && last.key === undefined && last.events.length > 0 ? last : undefined;
    const entry = open ?? new QueueEntry();
    if (!open) this.queue.push(entry);
    const before = entry.weight;
    entry.add(step);
    this.weight += entry.weight - before;
    const full = entry.events.length >= MAX_BATCH || entry.weight >= MAX_BATCH_BYTES;
    if (!this.options.batch || full) entry.close();
  }

  /** The end of a pass: what was collected is handed over. */
  flush(): void {
    this.queue.at(-1)?.close();
  }

  /** No more emits. What is unsettled may still settle and be committed. */
  close(): void {
    this.closed = true;
  }

  /** Everything that can be done now. @param now monotonic clock, ms */
  advance(now: number): readonly Effect[] {
    this.flights.age(now);
    const emits = [...this.retry(now), ...this.emitNext(now)];
    return [...this.commit(), ...emits];
  }

  /** An emit has settled. @param now monotonic clock, ms */
  settle(key: string, outcome: Outcome, now: number): readonly Effect[] {
    const flight = this.flights.get(key);
    if (!flight) return [];
    const refused = outcome === 'rejected' || (outcome === 'stopped' && this.options.keyed);
    if (refused) return [...this.refuse(key, flight, now), ...this.advance(now)];
    this.flights.end(key);
    for (const entry of flight.entries) entry.done = true;
    this.remember(key);
    this.lastSettled = { key, at: now };
    this.troubled = false;
    return this.advance(now);
  }

  /** When {@link advance} has something to do though nothing happens, monotonic ms; undefined: never. */
  nextWake(): number | undefined {
    return this.flights.nextWake();
  }

  /** A key under which n8n surely has a row: emitted once more it saves the state and starts nothing. */
  checkpointKey(now: number): string | undefined {
    if (this.lastSettled === undefined || now - this.lastSettled.at > CHECKPOINT_MS) return undefined;
    return this.lastSettled.key;
  }

  private *retry(now: number): Generator<Effect, void, undefined> {
    if (this.closed) return;
    for (const [key, flight] of this.flights.dueForRetry(now)) yield* this.emit(key, flight.attempt + 1, flight, now);
  }

  private *emitNext(now: number): Generator<Effect, void, undefined> {
    while (!this.closed && this.nextToEmit < this.queue.length && this.flights.pending < MAX_UNSETTLED) {
      const entry = this.queue[this.nextToEmit];
      if (!entry) return;
      if (entry.events.length > 0 && entry.key === undefined) return;
      this.nextToEmit += 1;
      if (entry.key === undefined || this.recent.has(entry.key)) {
        entry.done = true;
        continue;
      }
      const flight = this.flights.get(entry.key);
      if (flight) this.join(entry.key, flight, entry);
      else yield* this.emit(entry.key, 1, { events: entry.events, entries: [entry] }, now);
    }
  }

  /** The same key again while it is not settled: n8n would replace a row that has not begun, and the workflow could run twice. */
  private join(key: string, flight: OpenFlight, entry: QueueEntry): void {
    entry.done = flight.late;
    this.flights.join(key, flight, entry);
  }

  private *emit(
    key: string,
    attempt: number,
    flight: Pick<OpenFlight, 'events' | 'entries'>,
    now: number,
  ): Generator<Effect, void, undefined> {
    const { events, entries } = flight;
    if (!events) return;
    this.flights.start(key, { attempt, since: now, events, entries });
    yield { kind: 'emit', key, events, attempt };
  }

  /** The first refusal is answered at once: where there is a row in spite of it, n8n says so. Then it takes its time. */
  private *refuse(key: string, flight: OpenFlight, now: number): Generator<Effect, void, undefined> {
    if (this.closed || !flight.events) {
      // A later registration sees the event again; so does this one, of an emit that it took over and nobody asked for yet.
      this.flights.end(key);
      return;
    }
    const entries = flight.entries.filter(({ committed }) => !committed);
    for (const entry of entries) entry.done = false;
    if (flight.attempt === 1) {
      yield* this.emit(key, 2, { events: flight.events, entries }, now);
      return;
    }
    const pause = Math.min(MAX_RETRY_MS, 1000 * 2 ** Math.min(flight.attempt - 2, 10));
    this.flights.postpone(key, flight, now + pause, entries);
    if (!this.troubled) yield { kind: 'trouble', attempts: flight.attempt };
    this.troubled = true;
  }

  private commit(): readonly Effect[] {
    const patches: Patch[] = [];
    let count = 0;
    for (const entry of this.queue) {
      if (!entry.done) break;
      entry.committed = true;
      patches.push(...entry.patches);
      this.weight -= entry.weight;
      count += 1;
    }
    if (count === 0) return [];
    this.queue.splice(0, count);
    this.nextToEmit -= count;
    return [{ kind: 'commit', patches }];
  }

  private remember(key: string): void {
    this.recent.delete(key);
    this.recent.add(key);
    for (const oldest of this.recent) {
      if (this.recent.size <= MAX_RECENT) return;
      this.recent.delete(oldest);
    }
  }
}
