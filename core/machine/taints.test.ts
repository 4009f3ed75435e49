import { describe, expect, it } from '@jest/globals';
import { findTaint, taintsOf, taintText, withoutTaint, withTaint } from './taints';

const DEDICATED = { key: 'dedicated', value: 'gpu', effect: 'NoSchedule' };
const DEDICATED_HARD = { key: 'dedicated', value: 'gpu', effect: 'NoExecute' };
const OTHER = { key: 'other', effect: 'NoSchedule' };
const ALL = [DEDICATED, DEDICATED_HARD, OTHER];

describe('taints', () => {
  it('are told apart by key and effect', () => {
    const changed = { key: 'dedicated', value: 'cpu', effect: 'NoSchedule' };
    expect(withTaint(ALL, changed)).toEqual([DEDICATED_HARD, OTHER, changed]);
    expect(findTaint(ALL, changed)).toBe(DEDICATED);
  });

  it.each([
    ['dedicated', undefined, [OTHER]],
    ['dedicated', 'NoExecute', [DEDICATED, OTHER]],
    ['nobody', undefined, ALL],
  ])('are taken away by key %s and effect %s', (key, effect, left) => {
    expect(withoutTaint(ALL, key, effect)).toEqual(left);
  });

  it('are written as kubectl does', () => {
    expect([DEDICATED, OTHER].map(taintText)).toEqual(['dedicated=gpu:NoSchedule', 'other:NoSchedule']);
  });

  it('are read from a node that may hold anything', () => {
    expect(taintsOf({ metadata: {}, spec: { taints: [null, 1, { key: 1 }, OTHER] } })).toEqual([OTHER]);
    expect(taintsOf({ metadata: {} })).toEqual([]);
  });
});
