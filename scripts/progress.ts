import { MultiBar, Presets, type SingleBar } from 'cli-progress';

/** Progress of one long task as its worker reports it. */
export interface TaskProgress {
  /** What is being done, e.g. `kube-apiserver`. */
  readonly task: string;
  /** Share that is done, 0 to 1. */
  readonly fraction: number;
  /** Estimated seconds to the end, where known. */
  readonly secondsLeft?: number;
}

/** How often a line is printed where there is no terminal, in milliseconds. */
const LINE_INTERVAL_MS = 30_000;

/**
 * Shows the progress of long tasks: bars with an estimate on a terminal, else a line each half minute.
 */
export class ProgressDisplay {
  private bars: MultiBar | undefined;
  private readonly byTask = new Map<string, SingleBar>();
  private readonly lastLine = new Map<string, number>();

  /** Shows where a task stands. Call it as often as you like. */
  report(progress: TaskProgress): void {
    if (process.stdout.isTTY) this.bar(progress);
    else this.line(progress);
  }

  /** Removes the bars; a later report shows them again. */
  stop(): void {
    this.bars?.stop();
    this.bars = undefined;
    this.byTask.clear();
  }

  private bar({ task, fraction, secondsLeft }: TaskProgress): void {
    this.bars ??= new MultiBar(
      { format: '{task} {bar} {percentage} % {left}', hideCursor: true, clearOnComplete: true },
      Presets.shades_classic,
    );
    const payload = { task: task.padEnd(26), left: left(secondsLeft) };
    const bar = this.byTask.get(task) ?? this.bars.create(100, 0, payload);
    this.byTask.set(task, bar);
    bar.update(Math.min(100, Math.floor(fraction * 100)), payload);
  }

  private line({ task, fraction, secondsLeft }: TaskProgress): void {
    const now = performance.now();
    const last = this.lastLine.get(task);
    if (fraction < 1 && last !== undefined && now - last < LINE_INTERVAL_MS) return;
    this.lastLine.set(task, fraction < 1 ? now : Infinity);
    if (last !== Infinity) console.log(`${task}: ${Math.floor(fraction * 100)} % ${left(secondsLeft)}`.trimEnd());
  }
}

function left(seconds: number | undefined): string {
  if (seconds === undefined || seconds <= 0) return '';
  return seconds < 90 ? `about ${Math.ceil(seconds)} s left` : `about ${Math.ceil(seconds / 60)} min left`;
}
