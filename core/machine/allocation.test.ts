import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../kube';
import { allocationOf } from './allocation';

const NODE = { metadata: {}, status: { allocatable: { pods: '110', memory: '8Gi', 'acme.com/gpu': '4', cpu: '4' } } };

function asks(cpu: string, extra: object = {}): object {
  return { resources: { requests: { cpu }, limits: { cpu } }, ...extra };
}

function cpuOf(spec: object, status: object = { phase: 'Running' }) {
  const [cpu] = allocationOf(NODE, [{ metadata: {}, spec, status } as KubeObject]);
  return cpu;
}

const CASES: readonly (readonly [string, object, string])[] = [
  ['containers are added up', { containers: [asks('500m'), asks('1')] }, '1500m'],
  ['an init container that needs less counts not', { containers: [asks('1')], initContainers: [asks('500m')] }, '1'],
  ['an init container that needs more counts', { containers: [asks('1')], initContainers: [asks('2')] }, '2'],
  [
    'a sidecar is added',
    { containers: [asks('1')], initContainers: [asks('200m', { restartPolicy: 'Always' })] },
    '1200m',
  ],
  [
    'a sidecar runs beside a later init container',
    { containers: [asks('1')], initContainers: [asks('200m', { restartPolicy: 'Always' }), asks('2')] },
    '2200m',
  ],
  ['what the pod as a whole asks for comes first', { ...asks('3'), containers: [asks('1')] }, '3'],
  ['overhead is added', { containers: [asks('1')], overhead: { cpu: '250m' } }, '1250m'],
  ['what cannot be read counts nothing', { containers: [asks('lots'), asks('1'), null] }, '1'],
];

describe('what the pods of a node have asked for', () => {
  it.each(CASES)('%s', (_name, spec, requests) => {
    expect(cpuOf(spec)).toMatchObject({ requests, limits: requests });
  });

  it('adds overhead to limits only where there are some', () => {
    const unlimited = { resources: { requests: { cpu: '1' } } };
    expect(cpuOf({ containers: [unlimited], overhead: { cpu: '250m' } })).toMatchObject({
      requests: '1250m',
      limits: '0',
    });
  });

  it.each(['Succeeded', 'Failed'])('leaves out a pod that is %s', (phase) => {
    expect(cpuOf({ containers: [asks('1')] }, { phase })).toMatchObject({ requests: '0', requestsPercent: 0 });
  });

  it('lists what the node can give, the usual first, in percent of it', () => {
    const containers = [{ resources: { requests: { cpu: '1500m', memory: '1Gi' }, limits: { memory: '12Gi' } } }];
    expect(allocationOf(NODE, [{ metadata: {}, spec: { containers } }])).toEqual([
      { resource: 'cpu', allocatable: '4', requests: '1500m', requestsPercent: 37, limits: '0', limitsPercent: 0 },
      {
        resource: 'memory',
        allocatable: '8Gi',
        requests: '1Gi',
        requestsPercent: 12,
        limits: '12Gi',
        limitsPercent: 150,
      },
      { resource: 'acme.com/gpu', allocatable: '4', requests: '0', requestsPercent: 0, limits: '0', limitsPercent: 0 },
    ]);
  });

  it('takes the capacity of a node that says nothing else', () => {
    expect(allocationOf({ metadata: {}, status: { capacity: { cpu: '0' } } }, [])).toEqual([
      { resource: 'cpu', allocatable: '0', requests: '0', requestsPercent: 0, limits: '0', limitsPercent: 0 },
    ]);
  });
});
