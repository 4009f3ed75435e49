import { describe, expect, it } from '@jest/globals';
import { isSupported, parseVersion } from './version';

describe('parseVersion', () => {
  it('reads numbers with a plus', () => {
    expect(
      parseVersion({ major: '1', minor: '24+', gitVersion: 'v1.24.10-eks-48e63af', platform: 'linux/arm64' }),
    ).toEqual({
      gitVersion: 'v1.24.10-eks-48e63af',
      major: 1,
      minor: 24,
      platform: 'linux/arm64',
      gitCommit: '',
      buildDate: '',
      goVersion: '',
    });
  });

  it('takes gitVersion where there are no numbers', () => {
    expect(parseVersion({ gitVersion: 'v1.31.2' })).toMatchObject({ major: 1, minor: 31 });
    expect(parseVersion({ major: '', minor: '', gitVersion: 'v1.31.2' })).toMatchObject({ major: 1, minor: 31 });
  });

  it.each([
    undefined,
    null,
    'v1.31',
    [],
    {},
    { major: '1', minor: '31' },
    { gitVersion: 'unknown' },
    { gitVersion: 7 },
  ])('%j is no version', (answer) => {
    expect(parseVersion(answer)).toBeUndefined();
  });

  it.each([
    [1, 23, false],
    [1, 24, true],
    [1, 37, true],
    [2, 0, true],
    [0, 99, false],
  ])('%d.%d is supported: %p', (major, minor, supported) => {
    expect(isSupported({ major, minor })).toBe(supported);
  });
});
