/** Lets so many things be done at once; the others wait in order. */
export class Slots {
  private readonly waiting: (() => void)[] = [];
  private taken = 0;

  constructor(private readonly count: number) {}

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.taken < this.count) this.taken += 1;
    // Whoever ends hands the slot on.
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next === undefined) this.taken -= 1;
      else next();
    }
  }
}
