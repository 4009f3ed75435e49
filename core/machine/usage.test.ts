import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../kube';
import { nodeUsage, podUsage } from './usage';

const measured = (containers: Readonly<Record<string, object>>): KubeObject => ({
  metadata: { name: 'web', namespace: 'shop' },
  containers: Object.entries(containers).map(([name, usage]) => ({ name, usage })),
});
const pod = (spec: object): KubeObject => ({ metadata: { name: 'web', namespace: 'shop' }, spec });
const asks = (name: string, requests: object, limits: object = {}) => ({ name, resources: { requests, limits } });

describe('the usage of a pod', () => {
  it('is in cores and bytes, for each container and together', () => {
    const metrics = measured({
      app: { cpu: '1250000001n', memory: '132416Ki' },
      proxy: { cpu: '500u', memory: '512' },
    });
    expect(podUsage(metrics, undefined)).toEqual({
      cpu: '1251m',
      cpuCores: 1.250500001,
      cpuMillicores: 1_251,
      memory: '129.3Mi',
      memoryBytes: 132_416 * 1_024 + 512,
      containers: [
        {
          name: 'app',
          cpu: '1251m',
          cpuCores: 1.250000001,
          cpuMillicores: 1_251,
          memory: '129.3Mi',
          memoryBytes: 132_416 * 1_024,
        },
        { name: 'proxy', cpu: '1m', cpuCores: 0.0005, cpuMillicores: 1, memory: '512', memoryBytes: 512 },
      ],
    });
  });

  it('is compared with what the containers that run ask for, sidecars included', () => {
    const metrics = measured({
      app: { cpu: '300m', memory: '96Mi' },
      proxy: { cpu: '100m', memory: '32Mi' },
    });
    const spec = {
      containers: [asks('app', { cpu: '400m', memory: '128Mi' }, { cpu: '1', memory: '256Mi' })],
      initContainers: [
        asks('migrate', { cpu: '4', memory: '4Gi' }, { cpu: '4', memory: '4Gi' }),
        { ...asks('proxy', { cpu: '100m' }, { memory: '64Mi' }), restartPolicy: 'Always' },
      ],
    };
    expect(podUsage(metrics, pod(spec))).toMatchObject({
      requests: { cpuMillicores: 500, cpuPercent: 80, memoryBytes: 128 * 1024 ** 2, memoryPercent: 100 },
      limits: { memoryBytes: 320 * 1024 ** 2, memoryPercent: 40 },
      containers: [
        { name: 'app', requests: { cpuPercent: 75, memoryPercent: 75 }, limits: { cpuPercent: 30, memoryPercent: 37 } },
        { name: 'proxy', requests: { cpuMillicores: 100, cpuPercent: 100 }, limits: { memoryPercent: 50 } },
      ],
    });
  });

  it('has no limit in all where one container has none', () => {
    const metrics = measured({ app: { cpu: '1', memory: '1Gi' }, proxy: { cpu: '1', memory: '1Gi' } });
    const spec = { containers: [asks('app', {}, { cpu: '1' }), asks('proxy', {})] };
    expect(podUsage(metrics, pod(spec))).toMatchObject({ requests: {}, limits: {} });
    expect(podUsage(metrics, pod(spec)).limits).toEqual({});
  });

  it('is compared with what the pod as a whole may take, where it says so', () => {
    const metrics = measured({ app: { cpu: '1', memory: '1Gi' } });
    const spec = { containers: [{ name: 'app' }], resources: { limits: { cpu: '4', 'example.com/gpu': '1' } } };
    expect(podUsage(metrics, pod(spec)).limits).toEqual({ cpuMillicores: 4_000, cpuPercent: 25 });
  });

  it('goes over 100 percent, and has none of nothing', () => {
    const metrics = measured({ app: { cpu: '250m', memory: '1Gi' } });
    const spec = { containers: [asks('app', { cpu: '100m', memory: '0' })] };
    expect(podUsage(metrics, pod(spec)).requests).toEqual({ cpuMillicores: 100, cpuPercent: 250, memoryBytes: 0 });
  });

  it.each([
    ['nothing', {}],
    ['no list', { containers: 'many' }],
    [
      'a list of anything',
      { containers: [null, 1, 'app', { name: 3, usage: 7 }, { usage: { cpu: {}, memory: 'x' } }] },
    ],
  ])('is taken from %s without failing', (_what, fields) => {
    const metrics: KubeObject = { metadata: { name: 'web' }, ...fields };
    expect(podUsage(metrics, { metadata: {}, spec: { containers: [null] } })).toMatchObject({
      requests: {},
      limits: {},
    });
    expect(podUsage(metrics, undefined)).not.toHaveProperty('cpu');
  });
});

describe('the usage of a node', () => {
  const metrics: KubeObject = { metadata: { name: 'node-1' }, usage: { cpu: '1500m', memory: '6Gi' } };

  it('is compared with what the node can give', () => {
    const node = { metadata: {}, status: { allocatable: { cpu: '4', memory: '8Gi', pods: '110' } } };
    expect(nodeUsage(metrics, node)).toEqual({
      cpu: '1500m',
      cpuCores: 1.5,
      cpuMillicores: 1_500,
      memory: '6Gi',
      memoryBytes: 6 * 1024 ** 3,
      allocatable: {
        cpuMillicores: 4_000,
        cpuPercent: 37,
        memoryBytes: 8 * 1024 ** 3,
        memoryPercent: 75,
      },
    });
  });

  it('is given without what the node can give where that is not known', () => {
    expect(nodeUsage(metrics, undefined)).not.toHaveProperty('allocatable');
    expect(nodeUsage(metrics, { metadata: {} })).toMatchObject({ cpuCores: 1.5, allocatable: {} });
  });
});
