const MAX_LINES = 1500;

/** What happened in a run, in order, for whoever looks into one that went wrong. */
export class Trace {
  private readonly lines: string[] = [];
  private dropped = 0;

  private readonly begun = performance.now();

  /** @param speed how many times faster than ours the time is that is noted */
  constructor(private readonly speed: number) {}

  add(text: string): void {
    const ms = (performance.now() - this.begun) * this.speed;
    this.lines.push(`  ${(ms / 1000).toFixed(2).padStart(8)} s  ${text}`);
    if (this.lines.length <= MAX_LINES) return;
    this.lines.shift();
    this.dropped += 1;
  }

  toString(): string {
    const head = this.dropped === 0 ? [] : [`  (${this.dropped} earlier lines are left out)`];
    return [...head, ...this.lines].join('\n');
  }
}
