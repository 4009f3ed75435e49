/** Draws from a random source. */
export class Dice {
  /** @param random 0 ≤ random() < 1 */
  constructor(readonly random: () => number) {}

  /** One of some values; what stands there more often comes more often. */
  of<const Value>(values: readonly [Value, ...Value[]]): Value {
    return values[Math.floor(this.random() * values.length)] ?? values[0];
  }

  /** A whole number from 0 to the most. */
  upTo(most: number): number {
    return Math.floor(this.random() * (most + 1));
  }

  chance(share: number): boolean {
    return this.random() < share;
  }
}
