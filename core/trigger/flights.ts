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
/** Of the emits that count as created: how many can still be repeated when they are refused after all. */
const MAX_REPEATABLE = 200;
/** Emits that are remembered at all: in queue mode some never settle. */
const MAX_FLIGHTS = 5000;

/** The emits that are not settled, oldest first. */
export class Flights {
  private readonly open = new Map<string, OpenFlight>();

  constructor(carried: Iterable<readonly [string, Flight]>) {
    for (const [key, flight] of carried) {
      this.open.set(key, { ...flight, events: undefined, entries: [], late: false, retryAt: undefined });
    }
  }

  get(key: string): OpenFlight | undefined {
    return this.open.get(key);
  }

  /** Those that hold others back. */
  get pending(): number {
    let count = 0;
    for (const flight of this.open.values()) if (!flight.late && flight.entries.length > 0) count += 1;
    return count;
  }

  /** A new emit, or a repeated one: it is the youngest now. */
  start(key: string, flight: Pick<OpenFlight, 'attempt' | 'since' | 'events' | 'entries'>): void {
    this.open.delete(key);
    this.open.set(key, { ...flight, late: false, retryAt: undefined });
    for (const [oldest, { late }] of this.open) {
      if (this.open.size <= MAX_FLIGHTS) return;
      if (late) this.open.delete(oldest);
    }
  }

  change(key: string, change: Partial<OpenFlight>): void {
    const flight = this.open.get(key);
    if (flight) this.open.set(key, { ...flight, ...change });
  }

  end(key: string): void {
    this.open.delete(key);
  }

  /** What is pending for long counts as created from now on; of many such the oldest can no longer be repeated. */
  age(now: number): void {
    let late = 0;
    for (const [key, flight] of [...this.open].reverse()) {
      if (flight.retryAt !== undefined) continue;
      if (!flight.late && now - flight.since >= COUNTS_AS_CREATED_MS) {
        for (const entry of flight.entries) entry.done = true;
        this.change(key, { late: true });
      }
      if (this.open.get(key)?.late) late += 1;
      if (late > MAX_REPEATABLE && flight.events) this.change(key, { events: undefined, entries: [] });
    }
  }

  /** Refused emits whose time has come to be tried again. */
  dueForRetry(now: number): readonly (readonly [string, OpenFlight])[] {
    return [...this.open].filter(([, { retryAt }]) => retryAt !== undefined && retryAt <= now);
  }

  /** When time alone changes something, monotonic ms; undefined: never. */
  nextWake(): number | undefined {
    const times = [...this.open.values()].flatMap((flight) =>
      flight.late ? [] : [flight.retryAt ?? flight.since + COUNTS_AS_CREATED_MS],
    );
    return times.length === 0 ? undefined : Math.min(...times);
  }
}
