import { describe, expect, it } from '@jest/globals';
import { credentialFor, podManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';
import { onNode, useOwnNodes } from '../../testing/nodes';

const test = useTestCluster('node-get');
const ownNode = useOwnNodes(() => test().cluster);

describe('Node: Get and Get Many', () => {
  it('gives the fields people look for', async () => {
    const { credential } = test();
    const name = await ownNode();
    const [node] = await outputOf({
      credential,
      parameters: { resource: 'node', operation: 'get', name: named(name) },
    });
    expect(node).toMatchObject({
      name,
      status: 'Ready',
      schedulable: true,
      roles: [],
      cpu: '4',
      memory: '8Gi',
      taints: ['navin.test/own=yes:NoSchedule'],
    });
  });

  it('gives the whole node when asked to', async () => {
    const { credential } = test();
    const parameters = { resource: 'node', operation: 'get', name: named('node-1'), simplify: false };
    expect(await outputOf({ credential, parameters })).toMatchObject([
      { apiVersion: 'v1', kind: 'Node', metadata: { name: 'node-1' }, status: { nodeInfo: {} } },
    ]);
  });

  it('lists by labels', async () => {
    const { credential } = test();
    const name = await ownNode();
    const options = { labelSelector: `kubernetes.io/hostname=${name}` };
    const parameters = { resource: 'node', operation: 'getAll', options };
    expect((await outputOf({ credential, parameters })).map((node) => node.name)).toEqual([name]);
  });

  it('says which rule a credential of one namespace lacks', async () => {
    const { cluster, namespace } = test();
    const credential = await credentialFor(cluster, { namespace });
    await expect(execute({ credential, parameters: { resource: 'node', operation: 'getAll' } })).rejects.toMatchObject({
      description: expect.stringContaining('kind: ClusterRole'),
      context: { code: 'k8s_forbidden' },
    });
  });

  it('says that there is no such node', async () => {
    const { credential } = test();
    const parameters = { resource: 'node', operation: 'get', name: named('nobody') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});

describe('Node: Get Pods and Get Allocated Resources', () => {
  it('shows the pods of all namespaces, and the numbers kubectl shows', async () => {
    const { cluster, credential, namespace } = test();
    const name = await ownNode();
    const other = await cluster.freshNamespace('node-get');
    const asks = (cpu: string, memory: string) => ({
      containers: [
        { name: 'app', image: 'nginx:1', resources: { requests: { cpu, memory }, limits: { memory: '5Gi' } } },
      ],
    });
    const sidecar = {
      name: 'proxy',
      image: 'proxy:1',
      restartPolicy: 'Always',
      resources: { requests: { cpu: '150m' } },
    };
    const pods: readonly (readonly [string, object])[] = [
      [namespace, podManifest('web', { ...asks('500m', '1Gi'), ...onNode(name) })],
      [other, podManifest('db', { ...asks('1', '1500M'), initContainers: [sidecar], ...onNode(name) }, { app: 'db' })],
    ];
    for (const [place, pod] of pods) await cluster.api.create(`/api/v1/namespaces/${place}/pods`, pod);
    for (const [place, pod] of [
      [namespace, 'web'],
      [other, 'db'],
    ]) {
      const path = `/api/v1/namespaces/${String(place)}/pods/${String(pod)}`;
      await cluster.api.until<{ spec: { nodeName?: string } }>(path, (seen) => seen?.spec.nodeName === name);
    }
    const about = { resource: 'node', name: named(name) };
    const listed = await outputOf({ credential, parameters: { ...about, operation: 'getPods' } });
    expect(listed.map((pod) => pod.name).sort()).toEqual(['db', 'web']);
    const labelled = { ...about, operation: 'getPods', options: { labelSelector: 'app=db' } };
    expect(await outputOf({ credential, parameters: labelled })).toMatchObject([{ namespace: other, node: name }]);

    const [allocated] = await outputOf({ credential, parameters: { ...about, operation: 'getAllocatedResources' } });
    expect(allocated).toMatchObject({ name, pods: 2, podsAllocatable: '110' });
    const resources = allocated?.resources as {
      resource: string;
      requests: string;
      requestsPercent: number;
      limits: string;
      limitsPercent: number;
    }[];
    const described = await cluster.kubectl(['describe', 'node', name]);
    const lines = described.slice(described.indexOf('Allocated resources:')).split('\n');
    for (const { resource, requests, requestsPercent, limits, limitsPercent } of resources) {
      const line = lines.find((candidate) => candidate.trim().startsWith(`${resource} `)) ?? '';
      expect(line.trim().split(/\s{2,}/)).toEqual([
        resource,
        `${requests} (${String(requestsPercent)}%)`,
        `${limits} (${String(limitsPercent)}%)`,
      ]);
    }
    expect(resources.map(({ resource }) => resource)).toEqual(['cpu', 'memory', 'ephemeral-storage']);
  });

  it('finds no pods on a node that is not there, but no resources either', async () => {
    const { credential } = test();
    const about = { resource: 'node', name: named('nobody') };
    expect(await outputOf({ credential, parameters: { ...about, operation: 'getPods' } })).toEqual([]);
    await expect(
      execute({ credential, parameters: { ...about, operation: 'getAllocatedResources' } }),
    ).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});
