/** A time of a log line, exact to the nanosecond. */
interface LogTime {
  readonly seconds: number;
  /** `seconds` and nine digits of nanoseconds: equal for equal times. */
  readonly key: string;
}

/** So many times at most are remembered; of a container that logs more lines in two seconds the oldest count as handed out. */
const MAX_REMEMBERED = 200_000;
const TIMESTAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d) /;
/** Longer than any timestamp with its space. */
const TIMESTAMP_BYTES = 40;

/**
 * Remembers where a log was read to, so that after a broken connection no line is lost and none comes twice.
 *
 * The API server can only go on by the second, and stdout and stderr may be written a little out of order. So the log is
 * read again from a second before the newest line; of each time that was handed out already, as many lines are left out
 * as were handed out. What is older than the first line ever seen is left out too where only the end of the log was asked
 * for.
 */
export class LogCursor {
  private first: LogTime | undefined;
  private newestSecond: number | undefined;
  /** Lines handed out, by time, from `floor` on. */
  private readonly seen = new Map<string, number>();
  private expected = new Map<string, number>();
  /** The latest time that is not remembered any more. */
  private forgotten = '';
  private replayFrom: number | undefined;
  private lastSkipped = false;
  /** The newest line that comes again when the log is read anew; undefined as soon as it did. */
  private newest: string | undefined;
  private awaited: string | undefined;
  /** Lines handed out. */
  count = 0;

  /** @param part of the log that was asked for */
  constructor(private readonly part: 'all' | 'end') {}

  /** The time to read from after a break (RFC 3339); undefined when no line with a time was seen. */
  get since(): string | undefined {
    return this.newestSecond === undefined ? undefined : new Date(this.floor(this.newestSecond) * 1000).toISOString();
  }

  /** From now on lines may come again: the log is read anew from {@link since}. */
  beginReplay(): void {
    this.expected = new Map(this.seen);
    this.replayFrom = this.newestSecond === undefined ? undefined : this.floor(this.newestSecond);
    this.lastSkipped = false;
    this.awaited = this.newest;
  }

  /**
   * Whether the newest line that was handed out has not come again since {@link beginReplay}. When something newer came, or
   * the log ended, the node has rotated it away, and perhaps lines behind it that nobody has read.
   */
  get hasGap(): boolean {
    return this.awaited !== undefined;
  }

  /**
   * Takes a line with its timestamp.
   *
   * @returns where its text begins, or undefined when it was handed out already
   */
  accept(line: Buffer): number | undefined {
    const found = TIMESTAMP.exec(line.toString('latin1', 0, TIMESTAMP_BYTES));
    const time = found ? timeOf(found) : undefined;
    if (!found || !time) {
      // The rest of a line that was too long, or a word of the kubelet: it belongs to the line before.
      if (this.lastSkipped) return undefined;
      this.count += 1;
      return 0;
    }
    this.lastSkipped = this.wasHandedOut(time);
    if (this.lastSkipped) return undefined;
    this.remember(time);
    return found[0].length;
  }

  private wasHandedOut(time: LogTime): boolean {
    if (this.replayFrom === undefined) return false;
    if (time.key === this.awaited) this.awaited = undefined;
    const left = this.expected.get(time.key) ?? 0;
    if (left > 0) {
      this.expected.set(time.key, left - 1);
      return true;
    }
    if (time.seconds < this.replayFrom || time.key <= this.forgotten) return true;
    return this.part === 'end' && this.first !== undefined && time.key < this.first.key;
  }

  private remember(time: LogTime): void {
    this.count += 1;
    this.first ??= time;
    if (this.newestSecond === undefined || time.seconds > this.newestSecond) {
      this.newestSecond = time.seconds;
      this.forgetBefore(this.floor(time.seconds));
    }
    // One that is much too late does not come again: it is older than what the log is read from.
    if (time.seconds >= this.floor(this.newestSecond)) this.newest = time.key;
    this.seen.set(time.key, (this.seen.get(time.key) ?? 0) + 1);
    if (this.seen.size > MAX_REMEMBERED) this.forgetOldest();
  }

  /** A tenth at once: a Map finds its first key slowly when many before it were taken out. */
  private forgetOldest(): void {
    for (const key of this.seen.keys()) {
      if (this.seen.size <= 0.9 * MAX_REMEMBERED) return;
      this.seen.delete(key);
      if (key > this.forgotten) this.forgotten = key;
    }
  }

  private forgetBefore(second: number): void {
    for (const key of this.seen.keys()) {
      if (Number(key.slice(0, key.indexOf('.'))) < second) this.seen.delete(key);
    }
  }

  private floor(second: number): number {
    return second - 1;
  }
}

function timeOf([, dateTime = '', fraction = '', zone = '']: RegExpExecArray): LogTime | undefined {
  const seconds = Date.parse(`${dateTime}${zone}`) / 1000;
  if (Number.isNaN(seconds)) return undefined;
  return { seconds, key: `${String(seconds).padStart(12, '0')}.${fraction.padEnd(9, '0')}` };
}
