import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ComponentSpec } from '../../core/components';
import { RESOURCES } from '../../core/kube';
import { sharedCluster } from '../cluster/jest';
import { REAL_CHARTS, Scene } from './scene';
import { makeVolumes, STORAGE_CLASS } from './storage';

const cluster = sharedCluster();
const NEEDLE = 'correct-horse-battery-staple';
let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open(cluster(), 'real', { chartsDir: REAL_CHARTS, needles: [NEEDLE] });
  await makeVolumes(cluster(), scene.namespace, 6, '8Gi');
  const keys = ['password', 'replication-password', 'erlang-cookie', 'token'];
  const data = Object.fromEntries(keys.map((key) => [key, Buffer.from(NEEDLE).toString('base64')]));
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'access' }, data };
  await scene.client.create(RESOURCES.secrets, {}, secret);
}, 600_000);

// Whatever a test looks at: the watcher has seen everything.
afterEach(async () => {
  await scene.verdict();
}, 60_000);

afterAll(async () => {
  await scene.close();
}, 60_000);

const from = (path: string, spec: Partial<ComponentSpec> = {}): ComponentSpec => ({
  source: { chart: { path } },
  ...spec,
});
const access = (key: string, valuePath: string) => ({ secretRefs: [{ secretName: 'access', key, valuePath }] });
const storage = { persistence: { storageClass: STORAGE_CLASS } };

it.each<[string, ComponentSpec]>([
  [
    'webapp',
    from('webapp', {
      values: {
        persistence: { enabled: true, storageClass: STORAGE_CLASS },
        networkPolicy: { enabled: true },
        ingress: { enabled: true },
      },
      pdb: { minAvailable: 1 },
      version: '2.3.1',
    }),
  ],
  [
    'database',
    from('database', { values: storage, ...access('password', 'auth.existingSecret'), pdb: { maxUnavailable: 1 } }),
  ],
  ['queue', from('queue', { values: storage, ...access('erlang-cookie', 'existingSecret'), replicas: 2 })],
  ['agent', from('agent', { ...access('token', 'existingSecret'), autoscaling: { minReplicas: 2, maxReplicas: 4 } })],
])(
  'the chart %s is installed, told as it is, and removed',
  async (name, spec) => {
    await scene.create(name, spec);
    expect(await scene.done(name, 'install')).toMatchObject({
      ...{ state: 'started', health: 'ok', securityState: 'compliant', chart: { name } },
    });
    await scene.verdict();
  },
  120_000,
);

it('storage that a chart does not render any more is kept, and told', async () => {
  await scene.write('webapp', { values: {} });
  const { inventory = [], conditions = [] } = await scene.done('webapp', 'configure');
  expect(inventory.filter(({ retained }) => retained).map(({ kind, name }) => `${kind}/${name}`)).toEqual([
    'PersistentVolumeClaim/webapp',
  ]);
  expect(conditions.find(({ type }) => type === 'RetainedStorage')).toMatchObject({ status: 'True' });
  expect(await scene.find(RESOURCES.persistentvolumeclaims, 'webapp')).toMatchObject({ status: { phase: 'Bound' } });
  for (const resource of [RESOURCES.ingresses, RESOURCES.networkpolicies]) {
    expect(await scene.owned(resource, 'webapp')).toEqual([]);
  }
}, 120_000);

it('an ingress controller is refused with the reason, and nothing of it is applied', async () => {
  await scene.create('ingress', from('ingress'));
  expect(await scene.stuck('ingress', 'failed', 'ForbiddenKind')).toMatchObject({
    ...{ state: 'failed', securityState: 'non_compliant', converged: false, inventory: [] },
    security: { reason: 'ForbiddenKind', object: 'ClusterRole/ingress-controller', path: 'kind' },
  });
  for (const resource of [RESOURCES.deployments, RESOURCES.services, RESOURCES.configmaps, RESOURCES.serviceaccounts]) {
    expect(await scene.owned(resource, 'ingress')).toEqual([]);
  }
}, 120_000);

it('all of them go, and leave the volumes of the StatefulSets', async () => {
  const all = ['webapp', 'database', 'queue', 'agent', 'ingress'];
  await Promise.all(all.map((name) => scene.delete(name)));
  await Promise.all(all.map((name) => scene.gone(name)));
  const { judged } = await scene.verdict();
  expect(judged.claims.converged).toBeGreaterThan(3);
  const items = await scene.list(RESOURCES.persistentvolumeclaims);
  expect(
    items
      .map(({ metadata, status }) => `${metadata.name ?? ''} ${String((status as { phase?: unknown }).phase)}`)
      .sort(),
  ).toEqual([
    ...['data-database-0 Bound', 'data-database-1 Bound', 'data-database-2 Bound'],
    ...['data-queue-0 Bound', 'data-queue-1 Bound'],
  ]);
}, 120_000);
