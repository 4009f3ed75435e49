import { describe, expect, it } from '@jest/globals';
import { describePlan, planOf } from './plan';

describe('a plan', () => {
  it('is the same for a seed, for ever', () => {
    expect(planOf(7)).toEqual(planOf(7));
    expect(planOf(7)).not.toEqual(planOf(8));
    expect(describePlan({ ...planOf(2), watches: planOf(2).watches.slice(0, 7), lists: [], reads: [] })).toBe(
      [
        'fault plan of seed 2, pages of 1 at most',
        '  watches: 1 split (bytes 7), 2 no-bookmarks, 3 end (after 3), 4 garble (after 4), 5 stall-after (after 3), 7 hang-up',
        '  lists: no faults',
        '  reads: no faults',
      ].join('\n'),
    );
  });

  it('knows every fault there is', () => {
    const kinds = new Set<string>();
    for (let seed = 0; seed < 200; seed += 1) {
      const { watches, lists, reads } = planOf(seed);
      for (const fault of [...watches, ...lists, ...reads]) if (fault) kinds.add(fault.kind);
    }
    expect([...kinds].sort()).toEqual([
      'again',
      'bloat',
      'cut',
      'delay',
      'end',
      'error-event',
      'garble',
      'glue',
      'hang-up',
      'hold-page',
      'no-bookmarks',
      'refuse',
      'repeat',
      'reset',
      'reset-after',
      'slow',
      'split',
      'stall',
      'stall-after',
      'truncate',
    ]);
  });
});
