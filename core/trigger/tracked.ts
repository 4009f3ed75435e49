/** A row each object has in the state. */
interface Row {
  readonly row: string;
}

/** Bytes a tracked object may take on average, so that 300 of them stay under 64 KB with everything around them. */
const BYTES_PER_OBJECT = 190;
/** Room for a few long rows where only a few objects are tracked. */
const BYTES_AT_LEAST = 2000;

/** Rows by uid, bounded by number and by size: whoever puts one asks first whether it fits. */
export class Tracked<Entry extends Row> implements Iterable<readonly [string, Entry]> {
  private readonly entries = new Map<string, Entry>();
  private bytes = 0;

  constructor(private readonly limit: number) {}

  get size(): number {
    return this.entries.size;
  }

  get(uid: string): Entry | undefined {
    return this.entries.get(uid);
  }

  has(uid: string): boolean {
    return this.entries.has(uid);
  }

  /** Whether there is room for an entry, in place of the one it may replace. */
  fits(uid: string, entry: Entry): boolean {
    const before = this.entries.get(uid);
    const bytes = this.bytes + sizeOf(entry) - (before === undefined ? 0 : sizeOf(before));
    return bytes <= BYTES_AT_LEAST + this.limit * BYTES_PER_OBJECT && (before !== undefined || this.size < this.limit);
  }

  /** Keeps, replaces or (undefined) forgets an entry. */
  put(uid: string, entry: Entry | undefined): void {
    const before = this.entries.get(uid);
    if (before !== undefined) this.bytes -= sizeOf(before);
    if (entry === undefined) {
      this.entries.delete(uid);
      return;
    }
    this.entries.set(uid, entry);
    this.bytes += sizeOf(entry);
  }

  copyFrom(other: Tracked<Entry>): void {
    for (const [uid, entry] of other.entries) this.entries.set(uid, entry);
    this.bytes = other.bytes;
  }

  [Symbol.iterator](): IterableIterator<[string, Entry]> {
    return this.entries.entries();
  }
}

/** Of a row in JSON: rows hold no character that JSON escapes, but each is ended by a line break, which it does. */
function sizeOf(entry: Row): number {
  return Buffer.byteLength(entry.row) + 2;
}
