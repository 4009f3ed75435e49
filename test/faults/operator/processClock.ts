import type { Clock } from '../../../core/clock';

/** The clock of a process that can be suspended: all of its time jumps then, and nothing of it has noticed. */
export class ProcessClock implements Clock {
  private jumped = 0;

  constructor(private readonly clock: Clock) {}

  /** The process was suspended for so long, in ms of its own time. */
  suspend(ms: number): void {
    this.jumped += ms;
  }

  now(): number {
    return this.clock.now() + this.jumped;
  }

  monotonic(): number {
    return this.clock.monotonic() + this.jumped;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.clock.sleep(ms, signal);
  }

  breathe(): Promise<void> {
    return this.clock.breathe();
  }
}
