/** Where bytes begin to grow. */
const FIRST_BYTES = 64 * 1024;

/**
 * Bytes put together piece by piece, in memory of their own. What they grow out of is given back at once, and so can they
 * be: the collector does not hurry with memory outside of its heap, and pieces that wait to be put together outlive it.
 */
export class GrowingBytes {
  private memory = Buffer.allocUnsafeSlow(FIRST_BYTES);
  private used = 0;

  get length(): number {
    return this.used;
  }

  push(piece: Buffer): void {
    this.makeRoom(piece.length);
    this.used += piece.copy(this.memory, this.used);
  }

  pushText(text: string): void {
    this.makeRoom(Buffer.byteLength(text));
    this.used += this.memory.write(text, this.used);
  }

  /** All of them so far, in the same memory: nothing may be added as long as they are used. */
  bytes(): Buffer {
    return this.memory.subarray(0, this.used);
  }

  /** Gives the memory back. Nothing may use the bytes afterwards. */
  release(): void {
    discard(this.memory);
    this.memory = Buffer.alloc(0);
    this.used = 0;
  }

  private makeRoom(more: number): void {
    const needed = this.used + more;
    if (needed <= this.memory.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(needed, 2 * this.memory.length));
    this.memory.copy(larger, 0, 0, this.used);
    discard(this.memory);
    this.memory = larger;
  }
}

/** Gives the memory of a buffer back at once that is alone in it (older Node cannot, and waits for the collector). */
export function discard({ buffer }: Buffer): void {
  (buffer as Transferable).transfer?.(0);
}

interface Transferable {
  transfer?(bytes: number): unknown;
}
