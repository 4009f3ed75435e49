const LF = 0x0a;

/**
 * Splits bytes into lines at `\n` and nowhere else: JSON in a watch and texts in logs may hold `\r`, U+2028 and the like.
 * Lines are whole byte sequences, so a character that is cut by a chunk border is put together again.
 */
export class LineSplitter {
  private pending: Buffer[] = [];
  private size = 0;

  /** @param maxBytes of one line, without its `\n` */
  constructor(private readonly maxBytes: number) {}

  /** The lines that this chunk completes. The caller looks at the length of each, and at `tooLong` after the last. */
  *push(chunk: Buffer): Generator<Buffer, void, undefined> {
    let from = 0;
    for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, from)) {
      const piece = chunk.subarray(from, at);
      from = at + 1;
      yield this.take(piece);
    }
    if (from < chunk.length) this.keep(chunk.subarray(from));
  }

  /** What came after the last `\n`; empty when nothing did. */
  rest(): Buffer {
    return this.take(Buffer.alloc(0));
  }

  /** Whether the line that is being put together is larger than allowed already. */
  get tooLong(): boolean {
    return this.size > this.maxBytes;
  }

  private keep(piece: Buffer): void {
    this.pending.push(piece);
    this.size += piece.length;
  }

  private take(last: Buffer): Buffer {
    const line = this.pending.length === 0 ? last : Buffer.concat([...this.pending, last], this.size + last.length);
    this.pending = [];
    this.size = 0;
    return line;
  }
}
