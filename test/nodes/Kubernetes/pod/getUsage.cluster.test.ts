import { beforeAll, describe, expect, it } from '@jest/globals';
import { credentialFor, podManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';
import { measurePod, serveMetrics } from '../../testing/metrics';

const test = useTestCluster('pod-usage');
const PARAMETERS = { resource: 'pod', operation: 'getUsage' };
const MANY = { ...PARAMETERS, select: 'selector' };
const MEBIBYTE = 1024 * 1024;

const rule = (group: string, verb: string) => ({ apiGroups: [group], resources: ['pods'], verbs: [verb] });

beforeAll(async () => {
  const { cluster, namespace } = test();
  await serveMetrics(cluster);
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  const resources = { requests: { cpu: '500m', memory: '256Mi' }, limits: { memory: '512Mi' } };
  const containers = [
    { name: 'app', image: 'nginx:1', resources },
    { name: 'proxy', image: 'proxy:1', resources: { requests: { cpu: '100m' } } },
  ];
  await cluster.api.create(pods, podManifest('web', { containers }, { app: 'web' }));
  await measurePod(
    cluster,
    { namespace, name: 'web', labels: { app: 'web' } },
    { app: { cpu: '250000000n', memory: '128Mi' }, proxy: { cpu: '50m', memory: '64Mi' } },
  );
  await cluster.api.create(pods, podManifest('db', {}, { app: 'db' }));
  await measurePod(cluster, { namespace, name: 'db', labels: { app: 'db' } }, { app: { cpu: '2', memory: '96Mi' } });
  // It has ended since it was measured.
  await measurePod(cluster, { namespace, name: 'gone', labels: { app: 'web' } }, { app: { cpu: '1m', memory: '1Gi' } });
  await cluster.api.create(pods, podManifest('new'));
});

describe('Pod: Get Usage', () => {
  it('gives what a pod and its containers use, against what they asked for', async () => {
    const { credential, namespace } = test();
    expect(await outputOf({ credential, parameters: { ...PARAMETERS, name: named('web') } })).toEqual([
      {
        name: 'web',
        namespace,
        cpu: '300m',
        cpuCores: 0.3,
        cpuMillicores: 300,
        memory: '192Mi',
        memoryBytes: 192 * MEBIBYTE,
        requests: { cpuMillicores: 600, cpuPercent: 50, memoryBytes: 256 * MEBIBYTE, memoryPercent: 75 },
        limits: {},
        containers: [
          {
            name: 'app',
            cpu: '250m',
            cpuCores: 0.25,
            cpuMillicores: 250,
            memory: '128Mi',
            memoryBytes: 128 * MEBIBYTE,
            requests: { cpuMillicores: 500, cpuPercent: 50, memoryBytes: 256 * MEBIBYTE, memoryPercent: 50 },
            limits: { memoryBytes: 512 * MEBIBYTE, memoryPercent: 25 },
          },
          {
            name: 'proxy',
            cpu: '50m',
            cpuCores: 0.05,
            cpuMillicores: 50,
            memory: '64Mi',
            memoryBytes: 64 * MEBIBYTE,
            requests: { cpuMillicores: 100, cpuPercent: 50 },
            limits: {},
          },
        ],
        measuredAt: '2026-01-31T12:00:00Z',
        window: '15.062s',
      },
    ]);
  });

  it('gives all that match, those that have ended since without percent', async () => {
    const { credential } = test();
    const found = await outputOf({ credential, parameters: { ...MANY, labelSelector: 'app=web' } });
    expect(found.map(({ name }) => name)).toEqual(['gone', 'web']);
    expect(found.map((pod) => 'requests' in pod)).toEqual([false, true]);
  });

  it.each([
    ['cpu', ['db', 'web']],
    ['memory', ['gone', 'web']],
    ['name', ['db', 'gone']],
  ])('gives the first of all, by %s', async (sortBy, names) => {
    const { credential } = test();
    const found = await outputOf({ credential, parameters: { ...MANY, limit: 2, options: { sortBy } } });
    expect(found.map(({ name }) => name)).toEqual(names);
  });

  it('looks into all namespaces for many, but not for one name', async () => {
    const { credential, namespace } = test();
    const everywhere = { namespace: named('*'), returnAll: true };
    const found = await outputOf({ credential, parameters: { ...MANY, ...everywhere } });
    expect(found.filter((pod) => pod.namespace === namespace).map(({ name }) => name)).toEqual(['db', 'gone', 'web']);
    const one = { ...PARAMETERS, ...everywhere, name: named('web') };
    await expect(execute({ credential, parameters: one })).rejects.toMatchObject({
      context: { code: 'k8s_parameter_invalid', details: { parameter: 'namespace' } },
    });
  });

  it('says that a pod has not been measured', async () => {
    const { credential } = test();
    await expect(execute({ credential, parameters: { ...PARAMETERS, name: named('new') } })).rejects.toMatchObject({
      message: 'The metrics server has no numbers of the Pod new',
      description: expect.stringContaining('after about a minute'),
      context: { code: 'k8s_not_found', details: { missing: 'metrics' } },
    });
  });

  it.each([
    ['one', 'get', { ...PARAMETERS, name: named('db') }],
    ['many', 'list', { ...MANY, labelSelector: 'app=db' }],
  ])(
    'needs only the right to read metrics of %s; without that on pods it says no percent',
    async (_what, verb, parameters) => {
      const { cluster, namespace } = test();
      const both = [rule('metrics.k8s.io', verb), rule('', verb)];
      const [full] = await outputOf({
        credential: await credentialFor(cluster, { namespace, rules: both }),
        parameters,
      });
      expect(full).toHaveProperty('requests', {});
      const able = await credentialFor(cluster, { namespace, rules: both.slice(0, 1) });
      const [lean, ...more] = await outputOf({ credential: able, parameters });
      expect([lean, more]).toEqual([expect.objectContaining({ name: 'db', cpuCores: 2 }), []]);
      expect(lean).not.toHaveProperty('requests');
      const unable = await credentialFor(cluster, { namespace, rules: both.slice(1) });
      await expect(execute({ credential: unable, parameters })).rejects.toMatchObject({
        httpCode: '403',
        description: expect.stringContaining('apiGroups: [metrics.k8s.io]'),
        context: { code: 'k8s_forbidden', details: { verb } },
      });
    },
  );
});
