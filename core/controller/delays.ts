interface Delay {
  readonly key: string;
  readonly at: number;
}

/**
 * Keys and when each is due: one time a key, the earliest that was asked for. A binary heap beside a map; an entry of the
 * heap that the map no longer confirms is passed over.
 */
export class Delays {
  private readonly times = new Map<string, number>();
  private heap: Delay[] = [];

  get size(): number {
    return this.times.size;
  }

  add(key: string, at: number): void {
    const known = this.times.get(key);
    if (known !== undefined && known <= at) return;
    this.times.set(key, at);
    this.push({ key, at });
    // Entries that were overtaken by earlier ones are swept before they outnumber the rest.
    if (this.heap.length > 2 * this.times.size + 16) this.rebuild();
  }

  /** When the first key is due. */
  next(): number | undefined {
    for (let first = this.heap[0]; first; first = this.heap[0]) {
      if (this.times.get(first.key) === first.at) return first.at;
      this.pop();
    }
    return undefined;
  }

  /** Takes out the keys that are due, in order. */
  take(now: number): readonly string[] {
    const due: string[] = [];
    for (let at = this.next(); at !== undefined && at <= now; at = this.next()) {
      const { key } = this.pop() ?? { key: '' };
      this.times.delete(key);
      due.push(key);
    }
    return due;
  }

  clear(): void {
    this.times.clear();
    this.heap = [];
  }

  private push(delay: Delay): void {
    const { heap } = this;
    let index = heap.push(delay) - 1;
    while (index > 0) {
      const above = (index - 1) >> 1;
      const parent = heap[above];
      if (!parent || parent.at <= delay.at) break;
      heap[index] = parent;
      heap[above] = delay;
      index = above;
    }
  }

  private pop(): Delay | undefined {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop();
    if (!last || heap.length === 0) return first;
    heap[0] = last;
    let index = 0;
    for (;;) {
      const left = 2 * index + 1;
      const right = left + 1;
      const leftAt = heap[left]?.at ?? Number.POSITIVE_INFINITY;
      const rightAt = heap[right]?.at ?? Number.POSITIVE_INFINITY;
      const below = rightAt < leftAt ? right : left;
      const child = heap[below];
      if (!child || child.at >= last.at) return first;
      heap[index] = child;
      heap[below] = last;
      index = below;
    }
  }

  private rebuild(): void {
    const live = [...this.times].map(([key, at]) => ({ key, at }));
    this.heap = [];
    for (const delay of live) this.push(delay);
  }
}
