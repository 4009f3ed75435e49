/** A gap as the trigger reported it. */
export interface ReportedGap {
  readonly scope: string;
  /** Nothing between these versions could be watched. */
  readonly from: number;
  readonly to: number;
  readonly cause: string;
  /** The list that was compared broke in two: its later pages are of a moment after `to`. */
  readonly torn?: boolean;
}

/**
 * Holds the gaps there really were against those that were reported. A watch that is told that its history is gone is a
 * real gap as soon as anything goes on from behind it: until then the trigger may ask again from where it was, for
 * instance because its process was killed before it could tell.
 */
export class GapLedger {
  readonly reported: ReportedGap[] = [];
  /** Real gaps, and those of them that were reported. */
  real = 0;
  met = 0;
  /** What was gone past without a word. */
  readonly missed: string[] = [];
  private readonly pending = new Map<string, number>();

  /** A watch that had seen all up to a version is told that its history is gone. */
  expired(scope: string, version: string): void {
    this.pending.set(scope, Number(version));
  }

  /** A watch goes on from a version. */
  watchOpened(scope: string, version: string): void {
    const at = this.pending.get(scope);
    if (at === undefined) return;
    this.pending.delete(scope);
    if (Number(version) <= at) return;
    this.real += 1;
    this.missed.push(`after ${at} history was gone${scope === '' ? '' : ` in ${scope}`}, and no gap was reported`);
  }

  report(gap: ReportedGap): void {
    this.reported.push(gap);
    const at = this.pending.get(gap.scope);
    const ended = at !== undefined && gap.from <= at && at <= gap.to;
    if (ended) this.pending.delete(gap.scope);
    // An event that is too large to be read is a gap that no server tells of.
    if (!ended && gap.cause !== 'oversize') return;
    this.real += 1;
    this.met += 1;
  }

  /** A page of the list that is compared came too late: the API server gave a token for another moment. */
  listTorn(scope: string): void {
    const at = this.reported.findLastIndex((gap) => gap.scope === scope);
    const gap = this.reported[at];
    if (gap) this.reported[at] = { ...gap, torn: true };
  }

  /** The process is gone, and with it what it had been told. */
  forget(): void {
    this.pending.clear();
  }
}
