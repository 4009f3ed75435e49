import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import type { ComponentSpec } from '../../core/components';
import { RESOURCES } from '../../core/kube';
import { BEHAVIOUR_LABEL, eventually } from '../cluster';
import { sharedCluster } from '../cluster/jest';
import { REAL_CHARTS, Scene } from './scene';
import { makeVolumes, STORAGE_CLASS } from './storage';

const cluster = sharedCluster();
let scene: Scene;

beforeAll(async () => {
  scene = await Scene.open(cluster(), 'hindered', { chartsDir: REAL_CHARTS });
  await makeVolumes(cluster(), scene.namespace, 4, '8Gi');
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'access' }, data: { password: '', other: '' } };
  await scene.client.create(RESOURCES.secrets, {}, secret);
}, 600_000);

// Whatever a test looks at: the watcher has seen everything.
afterEach(async () => {
  await scene.verdict();
}, 60_000);

afterAll(async () => {
  await scene.close();
}, 60_000);

const webapp = (values: Readonly<Record<string, unknown>> = {}): ComponentSpec => ({
  source: { chart: { path: 'webapp' } },
  values,
});
const names = async (name: string): Promise<readonly string[]> =>
  (await scene.podsOf(name)).map(({ metadata }) => metadata.name ?? '').sort();

it('a restart waits while too few Pods are available, and goes on by itself', async () => {
  await scene.create('waits', { ...webapp(), replicas: 3, pdb: { minAvailable: 2 } });
  await scene.done('waits', 'install');
  await scene.watcher.excusing('illness', async () => {
    await scene.setReady('waits', 2, false);
    await scene.until('waits', 'ill', ({ health }) => health === 'critical');
  });
  const before = await names('waits');
  await scene.write('waits', { restartRequestedAt: '2026-01-01T10:00:00Z' });
  const blocked = await scene.stuck('waits', 'blocked', 'DisruptionBudgetExhausted');
  expect(blocked).toMatchObject({
    ...{ state: 'started', health: 'critical', converged: false },
    operation: { message: 'Deployment/waits-webapp has 1 available Pods, and its budget requires 2.' },
  });
  expect(await names('waits')).toEqual(before);
  await scene.setReady('waits', 2, true);
  expect(await scene.done('waits', 'restart')).toMatchObject({ health: 'ok' });
  expect((await names('waits')).filter((name) => before.includes(name))).toEqual([]);
}, 120_000);

it('a restart of a StatefulSet that never can be says so, and goes on when there are more replicas', async () => {
  await scene.create('db', {
    source: { chart: { path: 'database' } },
    values: { persistence: { storageClass: STORAGE_CLASS }, podLabels: { [BEHAVIOUR_LABEL]: 'steady' } },
    secretRefs: [{ secretName: 'access', key: 'password', valuePath: 'auth.existingSecret' }],
    replicas: 2,
    pdb: { minAvailable: 2 },
  });
  await scene.done('db', 'install');
  await scene.write('db', { restartRequestedAt: '2026-01-01T10:00:00Z' });
  const blocked = await scene.stuck('db', 'blocked', 'DisruptionBudgetExhausted');
  expect(blocked.operation?.message).toBe(
    'StatefulSet/db-database has 2 replicas, and its budget requires 2: a StatefulSet ends a Pod before it starts the ' +
      'next one, so this never can be. Raise the replicas or change pdb.',
  );
  await scene.write('db', { replicas: 3 });
  await scene.until('db', 'more replicas and the restart', ({ converged }) => converged === true);
  // Fewer replicas and a restart, each of which takes a Pod.
  await scene.write('db', { replicas: 4 });
  await scene.done('db', 'scale');
  await scene.write('db', { replicas: 3, restartRequestedAt: '2026-01-01T11:00:00Z' });
  await scene.until('db', 'fewer replicas and the restart', ({ converged }) => converged === true);
  expect(await scene.replicas('StatefulSet', 'db-database')).toBe(3);
  const { judged } = await scene.verdict();
  expect(judged.fewest.get('db StatefulSet/db-database')).toMatchObject({ required: 2 });
}, 120_000);

it('a stop is not told before the last Pod is gone', async () => {
  await scene.create('stops', webapp());
  await scene.done('stops', 'install');
  const [pod] = await scene.podsOf('stops');
  const name = pod?.metadata.name ?? '';
  const hold = async (finalizers: readonly string[]): Promise<void> => {
    const body = { metadata: { finalizers } };
    await scene.client.patch(RESOURCES.pods, { name }, { type: 'merge', body });
  };
  await hold(['navin.test/held']);
  await scene.write('stops', { desiredState: 'Stopped' });
  const status = await scene.until('stops', 'no replicas', ({ workloads = [] }) =>
    workloads.every(({ current }) => current === 0),
  );
  expect(status).toMatchObject({ state: 'stopping', operationState: 'running', converged: false });
  await hold([]);
  expect(await scene.done('stops', 'stop')).toMatchObject({ state: 'stopped', health: 'ok' });
}, 120_000);

it('a scale in and a restart at once stay within the budget', async () => {
  await scene.create('both', { ...webapp(), replicas: 10, pdb: { minAvailable: 3 } });
  await scene.done('both', 'install');
  // For ten Pods a rollout may end seven at a time; for three none.
  await scene.write('both', { replicas: 3, restartRequestedAt: '2026-01-01T10:00:00Z' });
  await scene.until('both', 'both', ({ converged }) => converged === true);
  expect(await scene.replicas('Deployment', 'both-webapp')).toBe(3);
  await scene.write('both', { replicas: 8 });
  await scene.done('both', 'scale');
  await scene.write('both', { replicas: 3 });
  await eventually(async () => (await scene.replicas('Deployment', 'both-webapp')) === 3, 'the scale in');
  await scene.write('both', { restartRequestedAt: '2026-01-01T11:00:00Z' });
  await scene.done('both', 'restart');
}, 120_000);

it('what somebody edits is told, with manager and field, and not forced back', async () => {
  await scene.create('edited', webapp());
  await scene.done('edited', 'install');
  await scene.watcher.excusing('hands', async () => {
    const container = { name: 'webapp', image: 'registry.example/team/other:1' };
    await scene.client.patch(
      RESOURCES.deployments,
      { name: 'edited-webapp' },
      { type: 'strategic', body: { spec: { template: { spec: { containers: [container] } } } } },
      { fieldManager: 'somebody' },
    );
    const status = await scene.until('edited', 'drifted', ({ conditions = [] }) =>
      conditions.some(({ type, status: holds }) => type === 'Drifted' && holds === 'True'),
    );
    const drifted = status.conditions?.find(({ type }) => type === 'Drifted');
    expect([drifted?.reason, drifted?.message]).toEqual([
      'ApplyConflict',
      expect.stringMatching(
        /^Deployment\/edited-webapp changed by somebody else\. .*\[name=.webapp.\]\.image \(somebody\)\.$/,
      ),
    ]);
    await scene.until(
      'edited',
      'rolled out',
      ({ health, workloads = [] }) => health === 'ok' && workloads.every(({ complete }) => complete),
    );
  });
}, 120_000);

it('what somebody deletes is put back', async () => {
  await scene.create('deleted', { ...webapp(), pdb: { minAvailable: 1 } });
  await scene.done('deleted', 'install');
  await scene.watcher.excusing('hands', async () => {
    for (const [resource, name] of [
      [RESOURCES.poddisruptionbudgets, 'deleted-webapp-deployment'],
      [RESOURCES.deployments, 'deleted-webapp'],
      [RESOURCES.configmaps, 'deleted-webapp'],
    ] as const) {
      const before = await scene.client.get(resource, { name });
      await scene.client.delete(resource, { name });
      // Nobody watches ConfigMaps: they are looked at from time to time.
      if (resource === RESOURCES.configmaps) scene.lookAgain();
      const isBack = async (): Promise<boolean> => {
        const found = await scene.find(resource, name);
        return found !== undefined && found.metadata.uid !== before.metadata.uid;
      };
      await eventually(isBack, `${name} to be back`);
    }
    await scene.until('deleted', 'whole again', ({ converged, health }) => converged === true && health === 'ok');
  });
}, 120_000);

it('an object of somebody else is left alone, and nothing else is applied either', async () => {
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'foreign-webapp' },
    data: { mine: 'yes' },
  };
  await scene.client.create(RESOURCES.configmaps, {}, configMap);
  const path = `/api/v1/namespaces/${scene.namespace}/configmaps/foreign-webapp`;
  await scene.watcher.guard(path);
  await scene.create('foreign', webapp());
  expect(await scene.stuck('foreign', 'failed', 'ObjectOwned')).toMatchObject({
    state: 'failed',
    operation: {
      message: 'ConfigMap/foreign-webapp exists and is not controlled by this component. Nothing was applied.',
    },
  });
  for (const resource of [RESOURCES.deployments, RESOURCES.services, RESOURCES.serviceaccounts]) {
    expect(await scene.owned(resource, 'foreign')).toEqual([]);
  }
  await scene.delete('foreign');
  await scene.gone('foreign');
}, 120_000);

it('a second component that renders the same objects is refused, and the first one goes on', async () => {
  await scene.create('first', webapp({ fullnameOverride: 'shared' }));
  await scene.done('first', 'install');
  const objects = ['configmaps', 'services', 'serviceaccounts'];
  for (const plural of objects) await scene.watcher.guard(`/api/v1/namespaces/${scene.namespace}/${plural}/shared`);
  await scene.create('second', webapp({ fullnameOverride: 'shared' }));
  expect(await scene.stuck('second', 'failed', 'ObjectOwned')).toMatchObject({ inventory: [] });
  await scene.delete('second');
  await scene.gone('second');
  expect((await scene.get('first')).status).toMatchObject({ converged: true, health: 'ok' });
}, 120_000);
