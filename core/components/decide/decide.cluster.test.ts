import { beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../../../test/cluster';
import { sharedCluster } from '../../../test/cluster/jest';
import { RESOURCES, type ApiResource, type KubeClient } from '../../kube';
import { clusterClient } from '../../kube/testing/clusterClient';
import { webChart } from '../testing/charts';
import { installDefinition } from '../testing/definition';
import { RealOperator } from '../testing/realOperator';

const cluster = sharedCluster();
let client: KubeClient;
let components: ApiResource;

beforeAll(async () => {
  client = clusterClient(cluster(), { namespace: await cluster().freshNamespace('decide') });
  components = await installDefinition(client);
}, 120_000);

it.each(['Deployment', 'StatefulSet'] as const)(
  'a component of a %s lives its life on a real API server, and nothing is done in vain',
  async (kind) => {
    const name = kind.toLowerCase();
    const operator = new RealOperator(client, components, name, (spec) =>
      webChart(spec).map((object) => ({ ...object, metadata: { ...object.metadata, name: `${name}-web` } })),
    );
    const workloads = kind === 'Deployment' ? RESOURCES.deployments : RESOURCES.statefulsets;
    const replicas = async (): Promise<unknown> =>
      ((await client.get(workloads, { name: `${name}-web` })).spec as { replicas: number }).replicas;
    const write = (spec: object) => client.patch(components, { name }, { type: 'merge', body: { spec } });
    const done = async (operation: string, state: string): Promise<void> => {
      await eventually(
        async () => {
          const isQuiet = (await operator.pass()) === 0;
          const { status, metadata } = await operator.component();
          const isSeen = status?.observedGeneration === metadata.generation;
          const isDone = isSeen && status?.operation?.type === operation && status.state === state;
          return isQuiet && isDone && status.converged === true;
        },
        operation,
        60_000,
        () => operator.log.join(', '),
      );
      // A new operator has nothing to do either, and says the same.
      operator.restart();
      const { actions, status, component } = await operator.look();
      expect([actions, status]).toEqual([[], component.status]);
    };

    const spec = { source: { chart: { path: 'web' } }, values: { kind }, pdb: { minAvailable: 2 } };
    await client.create(
      components,
      {},
      {
        apiVersion: 'platform.navin.ai/v1alpha1',
        kind: 'ManagedComponent',
        metadata: { name },
        spec,
      },
    );
    await done('install', 'started');
    await write({ replicas: 4 });
    await done('scale', 'started');
    await write({ restartRequestedAt: '2026-01-01T10:00:00Z' });
    await done('restart', 'started');
    await write({ values: { level: 'debug' } });
    await done('configure', 'started');
    await write({ replicas: null, autoscaling: { minReplicas: 3, maxReplicas: 6 } });
    await done('scale', 'started');
    // What an autoscaler sets is neither reset nor overruled.
    await client.patch(
      workloads,
      { name: `${name}-web`, subresource: 'scale' },
      { type: 'merge', body: { spec: { replicas: 5 } } },
    );
    await write({ values: { image: 'web:2' } });
    await done('configure', 'started');
    expect(await replicas()).toBe(5);
    await write({ desiredState: 'Stopped' });
    await done('stop', 'stopped');
    await write({ desiredState: 'Running' });
    await done('start', 'started');
    expect(await replicas()).toBe(3);
    await write({ autoscaling: null, replicas: 2 });
    await done('scale', 'started');
    expect(await replicas()).toBe(2);
    expect(operator.log.filter((line) => line.startsWith('apply ConfigMap'))).toHaveLength(2);
    await client.delete(components, { name });
    await eventually(
      async () => {
        const { items } = await client.list(components, { namespace: client.target.namespace });
        if (items.every(({ metadata }) => metadata.name !== name)) return true;
        await operator.pass();
        return false;
      },
      'the removal',
      60_000,
      () => operator.log.join(', '),
    );
    const left = await client.list(workloads, { namespace: client.target.namespace });
    expect(left.items.filter(({ metadata }) => metadata.name === `${name}-web`)).toEqual([]);
  },
  300_000,
);
