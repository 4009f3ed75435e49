import { describe, expect, it } from '@jest/globals';
import { describePlan, planOf } from './plan';

describe('a plan', () => {
  it('is the same for a seed, for ever', () => {
    expect(planOf(7)).toEqual(planOf(7));
    expect(planOf(7)).not.toEqual(planOf(8));
    expect(describePlan({ ...planOf(2), watches: planOf(2).watches.slice(0, 12), lists: [], reads: [] })).toBe(
      [
        'fault plan of seed 2, pages of 1 at most',
        '  watches: 1 split (bytes 7), 3 refuse (as unavailable), 7 stall-after (after 3), 9 hang-up, 10 glue (lines 3)',
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
