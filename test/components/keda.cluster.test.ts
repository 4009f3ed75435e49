import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { RESOURCES, type KubeObject } from '../../core/kube';
import { useCluster } from '../cluster/jest';
import { installScaledObjects } from './scaledObjects';
import { Scene } from './scene';

// Whether ScaledObjects are served concerns the whole cluster, so this is one of its own.
const cluster = useCluster({ nodes: 1 });
let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open(cluster(), 'keda');
}, 600_000);

// Whatever a test looks at: the watcher has seen everything.
afterEach(async () => {
  await scene.verdict();
}, 60_000);

afterAll(async () => {
  await scene.close();
}, 60_000);

const PAUSE = 'autoscaling.keda.sh/paused-replicas';

interface Moment {
  readonly paused: string | undefined;
  readonly replicas: unknown;
}

/** What a ScaledObject and its workload show, in the order of versions. */
async function moments(work: () => Promise<void>): Promise<readonly Moment[]> {
  const seen: { readonly revision: number; readonly change: Partial<Moment> }[] = [];
  const ending = new AbortController();
  const base = `/namespaces/${scene.namespace}`;
  const follow = async (path: string, changeOf: (object: KubeObject) => Partial<Moment>): Promise<void> => {
    const { metadata } = await cluster().api.get<KubeObject>(path);
    const lines = cluster().api.lines(
      `${path}?watch=1&resourceVersion=${metadata.resourceVersion ?? ''}`,
      ending.signal,
    );
    try {
      for await (const line of lines) {
        const { object } = JSON.parse(line) as { object: KubeObject };
        seen.push({ revision: Number(object.metadata.resourceVersion), change: changeOf(object) });
      }
    } catch (error) {
      if (!ending.signal.aborted) throw error;
    }
  };
  const following = Promise.all([
    follow(`/apis/keda.sh/v1alpha1${base}/scaledobjects`, ({ metadata }) => ({
      paused: metadata.annotations?.[PAUSE],
    })),
    follow(`/apis/apps/v1${base}/deployments`, ({ spec }) => ({ replicas: (spec as { replicas?: unknown }).replicas })),
  ]);
  await work();
  ending.abort();
  await following;
  let last: Moment = { paused: undefined, replicas: undefined };
  const all = seen
    .sort((left, right) => left.revision - right.revision)
    .map(({ change }) => {
      last = { ...last, ...change };
      return last;
    });
  return all.filter((moment, at) => JSON.stringify(moment) !== JSON.stringify(all[at - 1]));
}

it('a component that wants KEDA waits until the cluster has it', async () => {
  await scene.create('web', {
    source: { chart: { path: 'web' } },
    pdb: { minAvailable: 1 },
    autoscaling: { minReplicas: 2, maxReplicas: 5, engine: 'KEDA' },
  });
  expect(await scene.stuck('web', 'blocked', 'AutoscalerMissing')).toMatchObject({ health: 'unknown', inventory: [] });
  expect(await scene.owned(RESOURCES.deployments, 'web')).toEqual([]);
  await installScaledObjects(cluster());
  await scene.done('web', 'install');
  const scaled = await scene.client.resource('scaledobjects.keda.sh');
  expect(await scene.client.get(scaled, { name: 'web' })).toMatchObject({
    metadata: { labels: { 'platform.navin.ai/component': 'web' } },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      ...{ minReplicaCount: 2, maxReplicaCount: 5 },
      triggers: [{ type: 'cpu', metricType: 'Utilization', metadata: { value: '80' } }],
    },
  });
}, 120_000);

it('KEDA is held still before a stop, and let go before a start', async () => {
  const stopped = await moments(async () => {
    await scene.write('web', { desiredState: 'Stopped' });
    await scene.done('web', 'stop');
  });
  expect(stopped).toEqual([
    { paused: '0', replicas: undefined },
    { paused: '0', replicas: 0 },
  ]);
  const started = await moments(async () => {
    await scene.write('web', { desiredState: 'Running' });
    await scene.done('web', 'start');
  });
  expect(started).toEqual([
    { paused: undefined, replicas: undefined },
    { paused: undefined, replicas: 2 },
  ]);
}, 120_000);

it('what KEDA sets is left alone, and goes back to the spec when KEDA goes', async () => {
  const scale = { name: 'web', subresource: 'scale' };
  await scene.client.patch(RESOURCES.deployments, scale, { type: 'merge', body: { spec: { replicas: 4 } } });
  await scene.write('web', { values: { greeting: 'Good evening' } });
  await scene.done('web', 'configure');
  expect(await scene.replicas('Deployment', 'web')).toBe(4);
  await scene.write('web', { autoscaling: null, replicas: 3 });
  await scene.done('web', 'scale');
  expect(await scene.replicas('Deployment', 'web')).toBe(3);
  expect(await scene.list(await scene.client.resource('scaledobjects.keda.sh'))).toEqual([]);
  await scene.delete('web');
  await scene.gone('web');
}, 120_000);
