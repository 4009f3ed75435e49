import { describe, expect, it } from '@jest/globals';
import { distributionOf, isSupported, parseVersion } from './version';

describe('distributionOf', () => {
  it.each([
    ['v1.35.0-eks-3a10415', 'eks'],
    ['v1.24.10-eks-48e63af', 'eks'],
    ['v1.26.0-eks-1-123', 'eks'],
    ['v1.35.1-gke.1396000', 'gke'],
    ['1.30.2-gke.1587003', 'gke'],
    ['v1.28.3+gke.99', 'gke'],
    ['v1.34.4+k3s1', 'k3s'],
    ['v1.2.3+k3s0', 'k3s'],
    ['v1.36.3-k3s1', 'k3s'],
    ['v1.27.10+rke2r1', 'rke2'],
    ['v1.23.8+k0s.0', 'k0s'],
    ['v1.26.0+k0s', 'k0s'],
    ['v1.30.11+IKS', 'iks'],
    ['v1.36.2-aliyun.1', 'ack'],
    ['v1.22.5-tke.9', 'tke'],
    ['v1.20.12+vmware.1', 'tanzu'],
    ['v1.35.5+vmware.1-vkr.1', 'tanzu'],
    ['v1.24.0+3882f8f', 'custom'],
    ['v1.37.2', 'unknown'],
    ['v1.37.0-alpha.1', 'unknown'],
    ['', 'unknown'],
  ])('%s', (gitVersion, distribution) => {
    expect(distributionOf(gitVersion)).toBe(distribution);
  });
});

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
      distribution: 'eks',
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
