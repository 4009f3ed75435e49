import { describe, expect, it } from '@jest/globals';
import { setImmediate as turn } from 'node:timers/promises';
import { inParallel } from '../../../nodes/shared/parallel';

describe('work done in parallel', () => {
  it('is begun in order, never more than so many at once, and gives results in order', async () => {
    const begun: number[] = [];
    let now = 0;
    let most = 0;
    const numbers = Array.from({ length: 40 }, (_, index) => index);
    const results = await inParallel(numbers, 8, async (number) => {
      begun.push(number);
      now += 1;
      most = Math.max(most, now);
      for (let turns = 0; turns < (number * 7) % 5; turns += 1) await turn();
      now -= 1;
      return number * 2;
    });
    expect([most, begun, results]).toEqual([8, numbers, numbers.map((number) => number * 2)]);
  });

  it('of nothing is nothing', async () => {
    expect(await inParallel([], 8, () => Promise.reject(new Error('never')))).toEqual([]);
  });
});
