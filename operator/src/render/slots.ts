import { availableParallelism } from 'node:os';
import { ADDRESS_SPACE_BYTES } from './sandbox';

/** What the operator itself takes, with what the kernel counts to it. */
const OWN_BYTES = 512 * 1024 ** 2;

/**
 * How many charts may be rendered at once: one a core, and so many that all of them may take what a rendering may take at
 * the most without ending this process, where its memory is limited.
 *
 * @param memoryBytes the limit of memory; 0, or more than any machine has, when there is none
 */
export function renderingsAtOnce(cores = availableParallelism(), memoryBytes = process.constrainedMemory()): number {
  if (memoryBytes === 0) return cores;
  return Math.max(1, Math.min(cores, Math.floor((memoryBytes - OWN_BYTES) / ADDRESS_SPACE_BYTES)));
}

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
