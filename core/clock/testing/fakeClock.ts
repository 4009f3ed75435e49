import type { Clock } from '../clock';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** A clock that stands still until it is told to go on. Starts on 2026-01-01. */
export class FakeClock implements Clock {
  private time = 0;
  private wallOffset = Date.parse('2026-01-01T00:00:00Z');
  private readonly sleepers = new Set<Sleeper>();

  now(): number {
    return this.wallOffset + this.time;
  }

  monotonic(): number {
    return this.time;
  }

  /** How many sleep. */
  get sleeping(): number {
    return this.sleepers.size;
  }

  /** The wall clock is set to another time; nothing else changes. */
  jump(ms: number): void {
    this.wallOffset += ms;
  }

  breathe(): Promise<void> {
    return Promise.resolve();
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted || !(ms > 0)) {
        resolve();
        return;
      }
      const sleeper: Sleeper = {
        at: this.time + ms,
        wake: () => {
          this.sleepers.delete(sleeper);
          signal?.removeEventListener('abort', sleeper.wake);
          resolve();
        },
      };
      signal?.addEventListener('abort', sleeper.wake, { once: true });
      this.sleepers.add(sleeper);
    });
  }

  /** Lets so much time go by, waking whoever sleeps, in order. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    await settled();
    for (let next = this.next(end); next; next = this.next(end)) {
      this.time = Math.max(this.time, next.at);
      next.wake();
      await settled();
    }
    this.time = end;
  }

  private next(end: number): Sleeper | undefined {
    let first: Sleeper | undefined;
    for (const sleeper of this.sleepers) {
      if (sleeper.at <= end && (first === undefined || sleeper.at < first.at)) first = sleeper;
    }
    return first;
  }
}

/** Everything that can go on without time going by has gone on. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
