import type { Clock } from '../../../core/clock';
import type { OperatorEvents, OperatorHealth } from '../control';

/** Work that neither begins nor ends anything for so long, in ms, is stuck. */
const STUCK_MS = 10 * 60_000;

/** Notices an operator that has work under way and gets nowhere. */
export class Progress {
  private movedAt: number;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {
    this.movedAt = clock.monotonic();
  }

  /** Whatever begins or ends is progress. */
  readonly events: OperatorEvents = {
    onLeading: () => {
      this.move();
    },
    onWaited: () => {
      this.move();
    },
    onPass: () => {
      this.move();
    },
    onPassFailed: () => {
      this.move();
    },
    onStep: () => {
      this.move();
    },
  };

  isStuck({ leading, queue }: Pick<OperatorHealth, 'leading' | 'queue'>): boolean {
    if (!leading || queue.active === 0) this.move();
    return this.clock.monotonic() - this.movedAt > STUCK_MS;
  }

  private move(): void {
    this.movedAt = this.clock.monotonic();
  }
}
