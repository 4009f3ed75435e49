/**
 * Samples how long the event loop is held without a pause: the processor time of this thread between two samples, so that
 * other processes of a busy machine are not counted.
 */
export class LoopBlocks {
  /** The longest, ms of processor time, and of wall time. */
  longestMs = 0;
  longestWallMs = 0;
  private timer: NodeJS.Timeout | undefined;
  private cpu = process.threadCpuUsage();
  private wall = performance.now();

  start(): void {
    this.reset();
    this.timer = setInterval(() => {
      this.sample();
    }, 1);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Leaves out what was done since the last sample. */
  reset(): void {
    this.cpu = process.threadCpuUsage();
    this.wall = performance.now();
  }

  private sample(): void {
    const { user, system } = process.threadCpuUsage(this.cpu);
    const wall = performance.now() - this.wall;
    this.longestMs = Math.max(this.longestMs, Math.min((user + system) / 1000, wall));
    this.longestWallMs = Math.max(this.longestWallMs, wall);
    this.reset();
  }
}
