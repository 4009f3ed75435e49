import { describe, expect, it } from '@jest/globals';
import { selectorMatches, selectorText, selectsAll } from './labelSelector';

const SELECTOR = {
  matchLabels: { app: 'web' },
  matchExpressions: [
    { key: 'tier', operator: 'In', values: ['front', 'back'] },
    { key: 'canary', operator: 'NotIn', values: ['yes'] },
    { key: 'team', operator: 'Exists' },
    { key: 'old', operator: 'DoesNotExist' },
  ],
};

describe('a label selector', () => {
  it('is written as lists take it', () => {
    expect(selectorText(SELECTOR)).toBe('app=web,tier in (front,back),canary notin (yes),team,!old');
    expect([selectorText({}), selectorText(undefined)]).toEqual([undefined, undefined]);
  });

  it.each([
    [{ app: 'web', tier: 'back', team: '' }, true],
    [{ app: 'web', tier: 'back', team: 'a', canary: 'no' }, true],
    [{ app: 'api', tier: 'back', team: 'a' }, false],
    [{ app: 'web', tier: 'side', team: 'a' }, false],
    [{ app: 'web', tier: 'back', team: 'a', canary: 'yes' }, false],
    [{ app: 'web', tier: 'back' }, false],
    [{ app: 'web', tier: 'back', team: 'a', old: '' }, false],
  ])('takes or leaves %j', (labels, taken) => {
    expect(selectorMatches(SELECTOR, labels)).toBe(taken);
  });

  it('takes all when it is empty and nothing when there is none', () => {
    expect([selectorMatches({}, {}), selectorMatches(null, {}), selectorMatches(undefined, {})]).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('takes a value that is no text for no text', () => {
    const numbers = { matchLabels: { build: 7 } };
    expect([selectorMatches(numbers, { build: '7' }), selectorMatches(numbers, { build: 7 })]).toEqual([false, true]);
    expect(
      selectorMatches({ matchExpressions: [{ key: 'build', operator: 'NotIn', values: [7] }] }, { build: '7' }),
    ).toBe(true);
    expect(selectorMatches({ matchExpressions: [{ key: 'build', operator: 'Gt', values: ['7'] }] }, {})).toBe(false);
  });

  it.each([
    [{}, true],
    [{ matchLabels: {}, matchExpressions: [] }, true],
    [{ matchLabels: { app: 'web' } }, false],
    [{ matchExpressions: [{ key: 'old', operator: 'DoesNotExist' }] }, false],
    [undefined, false],
  ])('%j takes every object: %s', (selector, all) => {
    expect(selectsAll(selector)).toBe(all);
  });
});
