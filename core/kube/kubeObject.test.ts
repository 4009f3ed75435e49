import { describe, expect, it } from '@jest/globals';
import { compareResourceVersions } from './kubeObject';

describe('compareResourceVersions', () => {
  it.each([
    ['5', '5', 0],
    ['9', '10', -1],
    ['10', '9', 1],
    ['123', '124', -1],
    ['340282366920938463463374607431768211455', '340282366920938463463374607431768211454', 1],
    ['abc', 'abc', 0],
    ['abc', '5', undefined],
    ['05', '5', undefined],
    ['0', '5', undefined],
    ['', '5', undefined],
    ['-5', '5', undefined],
  ])('%s and %s', (left, right, order) => {
    expect(compareResourceVersions(left, right)).toBe(order);
  });
});
