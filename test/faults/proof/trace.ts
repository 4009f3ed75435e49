const MAX_LINES = 1500;

/** What happened in a run, in order, for whoever looks into one that went wrong. */
export class Trace {
  private readonly lines: string[] = [];
  private dropped = 0;

  /** @param now ms of the run's own clock */
  constructor(private readonly now: () => number) {}

  add(text: string): void {
    this.lines.push(`  ${(this.now() / 1000).toFixed(2).padStart(8)} s  ${text}`);
    if (this.lines.length <= MAX_LINES) return;
    this.lines.shift();
    this.dropped += 1;
  }

  toString(): string {
    const head = this.dropped === 0 ? [] : [`  (${this.dropped} earlier lines are left out)`];
    return [...head, ...this.lines].join('\n');
  }
}
