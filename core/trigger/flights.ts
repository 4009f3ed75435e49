import type { QueueEntry } from './queueEntry';
import type { TriggerEvent } from './triggerEvent';

/** An emit that is not settled yet. It outlives a registration of the trigger. */
export interface Flight {
  readonly attempt: number;
  /** Monotonic clock, ms. */
  readonly since: number;
}

/** An emit that is not settled, and what depends on it. */
export interface OpenFlight extends Flight {
  /** What it would be repeated with; undefined: nobody here knows, or it was let go. */
  readonly events: readonly TriggerEvent[] | undefined;
  /** What is handed over with it, as far as the state has not moved on past it. */
  readonly entries: readonly QueueEntry[];
  /** It counts as created by its age. */
  readonly late: boolean;
  /** Refused more than once: tried again then. Monotonic clock, ms. */
  readonly retryAt: number | undefined;
}

/** An emit that is pending for so long, in ms, counts as created: n8n settles some promises late (a long workflow) or never. */
export const COUNTS_AS_CREATED_MS = 10_000;
/** Of the emits that count as created: how many, and how many bytes, can still be repeated when they are refused after all. */
const MAX_REPEATABLE = 200;
const MAX_REPEATABLE_BYTES = 8 * 1024 * 1024;
/** Emits that are remembered at all: in queue mode some never settle. */
const MAX_FLIGHTS = 5000;

/** The emits that are not settled. */
export class Flights {
  /** Oldest first. Only so many as may be unsettled at a time. */
  private readonly open = new Map<string, OpenFlight>();
  /** Those that count as created, in the order in which they began to. There may be thousands, looked at only by key. */
  private readonly late = new Map<string, OpenFlight>();
  /** Of the late ones those that can be repeated, with what they weigh. */
  private readonly repeatable = new Map<string, number>();
  private repeatableBytes = 0;

  constructor(carried: Iterable<readonly [string, Flight]>) {
    for (const [key, flight] of carried) {
      this.open.set(key, { ...flight, events: undefined, entries: [], late: false, retryAt: undefined });
    }
  }

  get(key: string): OpenFlight | undefined {
    return this.open.get(key) ?? this.late.get(key);
  }

  /** Those that hold others back. */
  get pending(): number {
    let count = 0;
    for (const flight of this.open.values()) if (flight.entries.length > 0) count += 1;
    return count;
  }

  /** A new emit, or a repeated one: it is the youngest now. */
  start(key: string, flight: Pick<OpenFlight, 'attempt' | 'since' | 'events' | 'entries'>): void {
    this.end(key);
    this.open.set(key, { ...flight, late: false, retryAt: undefined });
    for (const oldest of this.late.keys()) {
      if (this.open.size + this.late.size <= MAX_FLIGHTS) return;
      this.end(oldest);
    }
  }

  /** The same events are waited for by more entries. */
  join(key: string, flight: OpenFlight, entry: QueueEntry): void {
    const joined = { ...flight, events: flight.events ?? entry.events, entries: [...flight.entries, entry] };
    if (flight.late) this.putLate(key, joined);
    else this.open.set(key, joined);
  }

  /** It was refused and is tried again then. */
  postpone(key: string, flight: OpenFlight, retryAt: number, entries: readonly QueueEntry[]): void {
    this.end(key);
    this.open.set(key, { ...flight, entries, late: false, retryAt });
  }

  end(key: string): void {
    this.open.delete(key);
    this.late.delete(key);
    this.dropRepeatable(key);
  }

  /** What is pending for long counts as created from now on; of many such the oldest can no longer be repeated. */
  age(now: number): void {
    for (const [key, flight] of this.open) {
      if (flight.retryAt !== undefined || now - flight.since < COUNTS_AS_CREATED_MS) continue;
      for (const entry of flight.entries) entry.done = true;
      this.open.delete(key);
      this.putLate(key, { ...flight, late: true });
    }
  }

  /** Refused emits whose time has come to be tried again. */
  dueForRetry(now: number): readonly (readonly [string, OpenFlight])[] {
    return [...this.open].filter(([, { retryAt }]) => retryAt !== undefined && retryAt <= now);
  }

  /** When time alone changes something, monotonic ms; undefined: never. */
  nextWake(): number | undefined {
    let next: number | undefined;
    for (const { retryAt, since } of this.open.values()) {
      const at = retryAt ?? since + COUNTS_AS_CREATED_MS;
      if (next === undefined || at < next) next = at;
    }
    return next;
  }

  private putLate(key: string, flight: OpenFlight): void {
    this.late.set(key, flight);
    this.dropRepeatable(key);
    if (!flight.events) return;
    const weight = flight.entries.reduce((sum, entry) => sum + entry.weight, 0);
    this.repeatable.set(key, weight);
    this.repeatableBytes += weight;
    for (const oldest of this.repeatable.keys()) {
      if (this.repeatable.size <= MAX_REPEATABLE && this.repeatableBytes <= MAX_REPEATABLE_BYTES) return;
      this.dropRepeatable(oldest);
      const flightLetGo = this.late.get(oldest);
      if (flightLetGo) this.late.set(oldest, { ...flightLetGo, events: undefined, entries: [] });
    }
  }

  private dropRepeatable(key: string): void {
    this.repeatableBytes -= this.repeatable.get(key) ?? 0;
    this.repeatable.delete(key);
  }
}
