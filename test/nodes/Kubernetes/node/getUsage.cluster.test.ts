import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { credentialFor, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';
import { measureNode, serveMetrics } from '../../testing/metrics';
import { useOwnNodes } from '../../testing/nodes';

const test = useTestCluster('node-usage');
const ownNode = useOwnNodes(() => test().cluster);
const GIBIBYTE = 1024 ** 3;
let name = '';

const rule = (group: string, verb: string) => ({ apiGroups: [group], resources: ['nodes'], verbs: [verb] });

beforeAll(async () => {
  const { cluster } = test();
  await serveMetrics(cluster);
  name = await ownNode({ cpu: '4', memory: '8Gi', pods: '10' });
  const labels = { 'kubernetes.io/hostname': name };
  await measureNode(cluster, { name, labels }, { cpu: '1500000001n', memory: '6Gi' });
});

afterAll(async () => {
  await test().cluster.api.delete(`/apis/metrics.k8s.io/v1beta1/nodes/${name}`);
});

const one = () => ({ resource: 'node', operation: 'getUsage', name: named(name) });
const many = () => ({
  resource: 'node',
  operation: 'getUsage',
  select: 'selector',
  labelSelector: `kubernetes.io/hostname=${name}`,
});

describe('Node: Get Usage', () => {
  it('gives what a node uses of what it can give, by name and by labels', async () => {
    const { credential } = test();
    const usage = {
      name,
      cpu: '1501m',
      cpuCores: 1.500000001,
      cpuMillicores: 1_501,
      memory: '6Gi',
      memoryBytes: 6 * GIBIBYTE,
      allocatable: { cpuMillicores: 4_000, cpuPercent: 37, memoryBytes: 8 * GIBIBYTE, memoryPercent: 75 },
      measuredAt: '2026-01-31T12:00:00Z',
      window: '15.062s',
    };
    expect(await outputOf({ credential, parameters: one() })).toEqual([usage]);
    expect(await outputOf({ credential, parameters: many() })).toEqual([usage]);
  });

  it('says no percent when it was not asked for, and reads no node then', async () => {
    const { cluster, namespace } = test();
    const rules = [rule('metrics.k8s.io', 'list')];
    const credential = await credentialFor(cluster, { namespace, clusterRules: rules });
    const [usage] = await outputOf({ credential, parameters: { ...many(), options: { compare: false } } });
    expect(usage).toMatchObject({ name, cpuMillicores: 1_501 });
    expect(usage).not.toHaveProperty('allocatable');
  });

  it('says that a node was not measured', async () => {
    const { credential } = test();
    await expect(execute({ credential, parameters: { ...one(), name: named('nobody') } })).rejects.toMatchObject({
      message: 'The metrics server has no numbers of the Node nobody',
      context: { code: 'k8s_not_found' },
    });
  });

  it.each([
    ['get', one],
    ['list', many],
  ])('needs only the right to %s metrics; without that on nodes it says no percent', async (verb, parameters) => {
    const { cluster, namespace } = test();
    const able = await credentialFor(cluster, { namespace, clusterRules: [rule('metrics.k8s.io', verb)] });
    const [lean] = await outputOf({ credential: able, parameters: parameters() });
    expect(lean).toMatchObject({ name, cpuMillicores: 1_501 });
    expect(lean).not.toHaveProperty('allocatable');
    const unable = await credentialFor(cluster, { namespace, clusterRules: [rule('', verb)] });
    await expect(execute({ credential: unable, parameters: parameters() })).rejects.toMatchObject({
      httpCode: '403',
      description: expect.stringMatching(/kind: ClusterRole[^]*metrics\.k8s\.io/),
      context: { code: 'k8s_forbidden', details: { verb } },
    });
  });
});
