import { describe, expect, it } from '@jest/globals';
import { isBelowBudget, requiredOf, rollingUpdate } from './budget';

describe('what must stay available', () => {
  it.each([
    [undefined, 5, 0],
    [{ minAvailable: 2 }, 5, 2],
    [{ minAvailable: 2 }, 1, 2],
    [{ minAvailable: '50%' }, 5, 3],
    [{ minAvailable: '1%' }, 5, 1],
    [{ minAvailable: '0%' }, 5, 0],
    [{ minAvailable: '100%' }, 5, 5],
    [{ minAvailable: '50%' }, 0, 0],
    [{ minAvailable: '29%' }, 100, 29],
    [{ maxUnavailable: 1 }, 5, 4],
    [{ maxUnavailable: 9 }, 5, 0],
    [{ maxUnavailable: 0 }, 5, 5],
    [{ maxUnavailable: '50%' }, 5, 2],
    [{ maxUnavailable: '1%' }, 5, 4],
    [{ maxUnavailable: '100%' }, 5, 0],
    [{ maxUnavailable: '30%' }, 1, 0],
  ])('%j of %i is %i', (budget, replicas, required) => {
    expect(requiredOf(budget, replicas)).toBe(required);
  });

  it('can be more than there is only by a number', () => {
    expect(isBelowBudget({ minAvailable: 3 }, 2)).toBe(true);
    expect(isBelowBudget({ minAvailable: 3 }, 3)).toBe(false);
    expect(isBelowBudget({ minAvailable: '100%' }, 2)).toBe(false);
    expect(isBelowBudget(undefined, 0)).toBe(false);
  });

  it('bounds the rolling update', () => {
    expect(rollingUpdate(2, 10)).toEqual({ maxSurge: 1, maxUnavailable: 8 });
    expect(rollingUpdate(3, 3)).toEqual({ maxSurge: 1, maxUnavailable: 0 });
    expect(rollingUpdate(5, 3)).toEqual({ maxSurge: 1, maxUnavailable: 0 });
  });
});
