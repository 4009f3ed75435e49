/** Lets work through while it is open. Closing waits until all that went through has ended. */
export class Gate {
  private open = Promise.resolve();
  private reopen: () => void = () => undefined;
  private readonly under = new Set<Promise<unknown>>();

  /** Does some work, as soon as the gate is open. */
  async pass<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let seen: unknown; seen !== this.open;) {
      seen = this.open;
      await this.open;
    }
    const done = work();
    this.under.add(done);
    try {
      return await done;
    } finally {
      this.under.delete(done);
    }
  }

  /** Does some work while nothing else goes through. */
  async alone(work: () => Promise<void>): Promise<void> {
    this.open = new Promise((resolve) => {
      this.reopen = resolve;
    });
    try {
      await Promise.allSettled(this.under);
      await work();
    } finally {
      this.reopen();
    }
  }
}
