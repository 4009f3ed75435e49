import type { Clock } from '../../../nodes/shared/operation';

/** A clock that moves only when something sleeps on it. */
export class TestClock implements Clock {
  readonly slept: number[] = [];

  constructor(private time = Date.parse('2026-01-31T12:00:00Z')) {}

  now(): number {
    return this.time;
  }

  async sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.time += ms;
    await Promise.resolve();
  }
}
