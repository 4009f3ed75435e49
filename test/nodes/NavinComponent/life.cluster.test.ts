import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import type { KubeClient } from '../../../core/kube';
import { clusterClient } from '../../../core/kube/testing/clusterClient';
import { installComponents, startTestOperator, type TestOperator } from '../../../operator/src/testing/testOperator';
import { REAL_CHARTS } from '../../components/scene';
import { useTestCluster } from '../testing/cluster';
import { execute, named, outputOf } from '../testing/context';

const test = useTestCluster('life');
const SECRET = 'correct-horse-battery-staple';
const WAIT = { wait: true, timeoutSeconds: 60, options: { intervalSeconds: 1 } };
let operator: TestOperator;
let client: KubeClient;

beforeAll(async () => {
  const { cluster, namespace } = test();
  client = clusterClient(cluster);
  await installComponents(client);
  operator = await startTestOperator(cluster, { namespaces: [namespace] });
}, 120_000);

afterAll(async () => {
  await operator.stop();
  client.close();
}, 60_000);

async function component(operation: string, parameters: IDataObject = {}, name = 'web'): Promise<IDataObject> {
  const { credential } = test();
  const chosen = operation === 'getAll' ? {} : { name: operation === 'install' ? name : named(name) };
  const [item = {}] = await outputOf({
    credential,
    parameters: { resource: 'component', operation, ...chosen, ...parameters },
  });
  return item;
}

async function refusal(operation: string, parameters: IDataObject = {}, name = 'web'): Promise<IDataObject> {
  const { credential } = test();
  const [item] = await execute({
    credential,
    parameters: {
      resource: 'component',
      operation,
      name: operation === 'install' ? name : named(name),
      ...parameters,
    },
    onError: 'continueRegularOutput',
  });
  expect(JSON.stringify(item)).not.toContain(SECRET);
  const { details = {} } = item?.json ?? {};
  return details as IDataObject;
}

async function replicas(): Promise<unknown> {
  const { cluster, namespace } = test();
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments/web`;
  return (await cluster.api.get<{ spec: { replicas: number } }>(path)).spec.replicas;
}

const STARTED = {
  state: 'started',
  health: 'ok',
  operationState: 'succeeded',
  securityState: 'compliant',
  converged: true,
};

it('a component lives its whole life through the node, and each answer says what is', async () => {
  const { cluster, namespace } = test();
  const components = `/apis/platform.navin.ai/v1alpha1/namespaces/${namespace}/managedcomponents`;
  const generation = async (): Promise<unknown> =>
    (await cluster.api.get<{ metadata: { generation: number } }>(`${components}/web`)).metadata.generation;

  // Nothing is there.
  expect(await refusal('get')).toMatchObject({ code: 'k8s_not_found', missing: 'object' });

  const install = {
    chartPath: 'web',
    valueFields: { value: [{ path: 'greeting', value: 'Good morning' }] },
    scaling: 'replicas',
    replicas: 3,
    budget: 'minAvailable',
    budgetPods: '2',
  };
  expect(await component('install', { ...install, options: { dryRun: true } })).toMatchObject({ dryRun: true });
  expect((await cluster.request('GET', `${components}/web`)).status).toBe(404);
  const installed = await component('install', { ...install, ...WAIT });
  expect(installed).toMatchObject({
    ...STARTED,
    request: 'install',
    changed: true,
    confirmed: true,
    asked: { source: 'web', replicas: 3, pdb: { minAvailable: 2 }, desiredState: 'Running', maintenance: false },
    chart: { name: 'web' },
    workloads: [{ kind: 'Deployment', name: 'web', desired: 3, available: 3, required: 2, complete: true }],
  });
  expect(installed.progress).toContainEqual(expect.stringMatching(/^\d+ s: (not seen|installing)/));
  expect(await refusal('install', install)).toMatchObject({ code: 'k8s_already_exists' });

  // What was asked for is not what is.
  const asked = await component('stop');
  expect(asked).toMatchObject({ state: 'started', observed: false, converged: false, confirmed: false });
  expect(asked).toMatchObject({
    asked: { desiredState: 'Stopped' },
    pending: { state: 'waiting', reason: 'NotObserved' },
  });
  expect(await component('wait', { until: 'stopped', timeoutSeconds: 60 })).toMatchObject({ state: 'stopped' });
  expect(await component('stop', WAIT)).toMatchObject({ state: 'stopped', changed: false, confirmed: true });
  expect(await replicas()).toBe(0);
  expect(await component('start', WAIT)).toMatchObject({ ...STARTED, confirmed: true });

  const restarts = [await component('restart'), await component('rollingRestart', WAIT)];
  expect(restarts[1]).toMatchObject({ ...STARTED, confirmed: true });
  const [first, second] = restarts.map(({ asked: what }) =>
    Date.parse((what as { restartRequestedAt: string }).restartRequestedAt),
  );
  expect(first).toBeLessThan(second ?? 0);

  // Several at once: none gets lost, and two restarts are two.
  const together = await Promise.all([
    component('restart'),
    component('scale', { replicas: 5 }),
    component('rollingRestart'),
    component('configure', { budget: 'minAvailable', budgetPods: '1' }),
  ]);
  const times = together.map(({ asked: what }) => (what as { restartRequestedAt: string }).restartRequestedAt);
  expect(times[0]).not.toBe(times[2]);
  expect(await component('wait', { timeoutSeconds: 60 })).toMatchObject({
    ...STARTED,
    asked: { replicas: 5, pdb: { minAvailable: 1 } },
  });
  await component('configure', { budget: 'minAvailable', budgetPods: '2' });

  const autoscaling = { minReplicas: 2, maxReplicas: 6, targetCPUUtilizationPercentage: 80, engine: 'HPA' };
  const autoscaled = await component('scale', { scaling: 'autoscaling', minReplicas: 2, maxReplicas: 6, ...WAIT });
  expect(autoscaled).toMatchObject({ confirmed: true, asked: { autoscaling } });
  expect(autoscaled.asked).not.toHaveProperty('replicas');
  expect(await component('scale', { replicas: 3, ...WAIT })).toMatchObject({ confirmed: true, asked: { replicas: 3 } });

  // Refused before anything is sent.
  const before = await generation();
  expect(await refusal('scale', { replicas: 1 })).toMatchObject({
    code: 'k8s_parameter_invalid',
    path: 'spec.replicas',
  });
  const inline = { valuesFrom: 'text', values: `auth: { password: ${SECRET} }` };
  expect(await refusal('configure', inline)).toEqual(
    expect.objectContaining({ code: 'k8s_values_secret', path: 'spec.values.auth.password' }),
  );
  expect(await component('setMaintenance', WAIT)).toMatchObject({ confirmed: true, asked: { maintenance: true } });
  const configuration = { valuesFrom: 'text', values: 'greeting: Good evening' };
  for (const [operation, parameters] of [
    ['stop', {}],
    ['restart', {}],
    ['rollingRestart', {}],
    ['scale', { replicas: 2 }],
    ['configure', configuration],
    ['remove', {}],
  ] as const) {
    expect(await refusal(operation, parameters)).toMatchObject({
      code: 'k8s_maintenance',
      reason: 'MaintenanceActive',
    });
  }
  expect(await generation()).toBe((before as number) + 1);
  expect(await component('scale', { replicas: 4, ...WAIT })).toMatchObject({ confirmed: true, asked: { replicas: 4 } });
  // Somebody writes a stop all the same: the operator blocks it, and a wait ends at once with the reason.
  await cluster.api.patch(`${components}/web`, { spec: { desiredState: 'Stopped' } });
  expect(await refusal('wait', { timeoutSeconds: 60 })).toMatchObject({
    code: 'k8s_wait_failed',
    state: 'started',
    health: 'ok',
    pending: { state: 'blocked', reason: 'MaintenanceActive' },
  });
  await component('start');
  expect(await component('setMaintenance', { enabled: false, ...WAIT })).toMatchObject({ confirmed: true });

  expect(await component('configure', { ...configuration, options: { dryRun: true } })).toMatchObject({
    dryRun: true,
    changes: [{ path: 'spec.values.greeting', before: 'Good morning', after: 'Good evening' }],
  });
  expect(await component('configure', { ...configuration, ...WAIT })).toMatchObject({ ...STARTED, confirmed: true });
  expect((await component('get', { simplify: false })).spec).toMatchObject({ values: { greeting: 'Good evening' } });

  // What the operator refuses ends the waiting with the reason.
  const broken = await refusal('configure', { version: '9.9.9', ...WAIT });
  expect(broken).toMatchObject({
    code: 'k8s_wait_failed',
    operationState: 'failed',
    state: 'started',
    health: 'ok',
    pending: { state: 'failed', reason: 'VersionMismatch' },
  });
  expect(await component('getAll', { filters: { operationState: ['failed', 'blocked'] } })).toMatchObject({
    name: 'web',
  });
  expect(await component('getAll', { filters: { convergence: 'converged' } })).toEqual({});
  expect(await component('configure', { version: '*', ...WAIT })).toMatchObject(STARTED);

  expect(await component('remove')).toMatchObject({ request: 'remove', deleted: false, confirmed: false });
  expect(await component('remove', { ...WAIT, options: { ignoreNotFound: true } })).toMatchObject({ deleted: true });
  expect((await cluster.request('GET', `${components}/web`)).status).toBe(404);
}, 240_000);

it('a chart that renders what is not allowed ends the waiting with what and where', async () => {
  const { cluster } = test();
  const namespace = await cluster.freshNamespace('ingress');
  const strict = await startTestOperator(cluster, { namespaces: [namespace], chartsDir: REAL_CHARTS });
  try {
    const where = { namespace: named(namespace) };
    expect(await refusal('install', { ...where, chartPath: 'ingress', ...WAIT }, 'ingress')).toMatchObject({
      code: 'k8s_wait_failed',
      securityState: 'non_compliant',
      pending: { state: 'failed', reason: 'ForbiddenKind' },
      security: { reason: 'ForbiddenKind', object: 'ClusterRole/ingress-controller', path: 'kind' },
    });
    const wrong = { ...where, filters: { securityState: ['non_compliant'] } };
    expect(await component('getAll', wrong)).toMatchObject({ name: 'ingress', health: 'unknown' });
    expect(await component('remove', { ...where, ...WAIT }, 'ingress')).toMatchObject({ deleted: true });
  } finally {
    await strict.stop();
  }
});
