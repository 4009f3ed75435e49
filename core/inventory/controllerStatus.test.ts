import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../kube';
import { controllerStatus, flagOf } from './controllerStatus';

const NOW = Date.parse('2026-01-01T00:00:20Z');
const LEASE = {
  metadata: { name: 'navin-operator' },
  spec: { holderIdentity: 'pod-1', renewTime: '2026-01-01T00:00:10.000000Z', leaseDurationSeconds: 15 },
};

function deployment(status: object = {}, args: readonly unknown[] = []): KubeObject {
  const containers = [{ name: 'operator', image: 'registry.example/navin/platform-operator:0.1.0', args }];
  return {
    metadata: { name: 'navin-operator', namespace: 'navin-system', generation: 3 },
    spec: { replicas: 2, template: { spec: { containers } } },
    status: {
      observedGeneration: 3,
      replicas: 2,
      readyReplicas: 2,
      updatedReplicas: 2,
      availableReplicas: 2,
      ...status,
    },
  };
}

describe('a program of the platform', () => {
  it('is ready when all replicas are and one of them leads', () => {
    expect(controllerStatus(deployment(), 'operator', LEASE, NOW)).toEqual({
      state: 'ready',
      installed: true,
      name: 'navin-operator',
      namespace: 'navin-system',
      image: 'registry.example/navin/platform-operator:0.1.0',
      version: '0.1.0',
      replicas: 2,
      readyReplicas: 2,
      updatedReplicas: 2,
      availableReplicas: 2,
      leader: { holder: 'pod-1', renewedAt: '2026-01-01T00:00:10.000000Z', expired: false },
    });
  });

  it.each<[string, object, KubeObject | null | undefined, string]>([
    ['one replica is missing', { readyReplicas: 1, availableReplicas: 1 }, LEASE, 'degraded'],
    ['an update is under way', { updatedReplicas: 1 }, LEASE, 'degraded'],
    ['nobody has looked at the last change', { observedGeneration: 2 }, LEASE, 'degraded'],
    ['nobody leads', {}, null, 'degraded'],
    ['the leader is gone', {}, { ...LEASE, spec: { ...LEASE.spec, renewTime: '2026-01-01T00:00:04Z' } }, 'degraded'],
    ['the Lease says nothing of use', {}, { ...LEASE, spec: { holderIdentity: 'a', renewTime: 'soon' } }, 'degraded'],
    ['no replica is available', { readyReplicas: 0, availableReplicas: 0 }, LEASE, 'down'],
    ['who leads may not be read', {}, undefined, 'ready'],
  ])('when %s', (_what, status, lease, state) => {
    expect(controllerStatus(deployment(status), 'operator', lease, NOW).state).toBe(state);
  });

  it('is not installed where its Deployment is not', () => {
    expect(controllerStatus(undefined, 'operator', null, NOW)).toEqual({
      state: 'not_installed',
      installed: false,
      leader: null,
    });
  });

  it.each([
    [['--namespaces=a,b'], 'a,b'],
    [['--namespaces', 'a'], 'a'],
    [['--namespaces=a', '--namespaces=b'], 'b'],
    [['--other=a', 7], undefined],
  ])('has the flag of %j', (args, value) => {
    expect(flagOf(deployment({}, args), 'operator', 'namespaces')).toBe(value);
  });
});
