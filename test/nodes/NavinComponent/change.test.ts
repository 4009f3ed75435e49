import { beforeEach, describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { NavinComponent } from '../../../nodes/NavinComponent/NavinComponent.node';
import { execute, executionContext, named, outputOf } from '../testing/context';
import { type FakeAnswer, type FakeRequest, statusAnswer, useFakeApi } from '../testing/fakeApi';

const api = useFakeApi();
const PATH = '/apis/platform.navin.ai/v1alpha1/namespaces/shop/managedcomponents';
const CONFLICT = statusAnswer(409, 'Conflict', 'the object has been modified', {
  name: 'web',
  kind: 'managedcomponents',
});

/** A component that is started and confirmed. */
const STARTED = {
  apiVersion: 'platform.navin.ai/v1alpha1',
  kind: 'ManagedComponent',
  metadata: { name: 'web', namespace: 'shop', uid: 'u-1', resourceVersion: '7', generation: 2 },
  spec: { source: { chart: { path: 'web' } }, replicas: 3 },
  status: {
    observedGeneration: 2,
    state: 'started',
    health: 'ok',
    operationState: 'succeeded',
    securityState: 'compliant',
    converged: true,
    accepted: { configuration: 'c', desiredState: 'Running', scale: 's', maintenance: false, operation: 'install' },
    workloads: [{ kind: 'Deployment', name: 'web', desired: 3, available: 3, required: 0, complete: true }],
  },
};
type Component = typeof STARTED;

/** What is read one after another; the last of them from then on. */
let reads: unknown[];
/** What writes are answered with, one after another. */
let writes: FakeAnswer[];

beforeEach(() => {
  reads = [STARTED];
  writes = [];
  api().answer(({ method, path }) => {
    if (method !== 'GET') return writes.shift();
    if (path !== `${PATH}/web`) return undefined;
    const json = reads.length > 1 ? reads.shift() : reads[0];
    return { json };
  });
});

function having(spec: object, metadata: object = {}, status: object = {}): object {
  return {
    ...STARTED,
    metadata: { ...STARTED.metadata, ...metadata },
    spec: { ...STARTED.spec, ...spec },
    status: { ...STARTED.status, ...status },
  };
}

function parameters(operation: string, more: IDataObject = {}): IDataObject {
  return { resource: 'component', operation, name: named('web') as IDataObject, ...more };
}

async function run(operation: string, more: IDataObject = {}): Promise<IDataObject> {
  const [item = {}] = await outputOf({ credential: api().credential(), parameters: parameters(operation, more) });
  return item;
}

async function failure(operation: string, more: IDataObject = {}): Promise<IDataObject> {
  const [item] = await execute({
    credential: api().credential(),
    parameters: parameters(operation, more),
    onError: 'continueRegularOutput',
  });
  const { error, details } = item?.json ?? {};
  return { error, ...(details as IDataObject) };
}

function written(): readonly Pick<FakeRequest, 'method' | 'body'>[] {
  return api()
    .requests.filter(({ method }) => method !== 'GET')
    .map(({ method, body }) => ({ method, body }));
}

describe('a change of a component', () => {
  it('is bound to the version that was read', async () => {
    writes = [{ json: having({ desiredState: 'Stopped' }, { resourceVersion: '8', generation: 3 }) }];
    expect(await run('stop')).toMatchObject({
      request: 'stop',
      changed: true,
      observed: false,
      state: 'started',
      converged: false,
      confirmed: false,
      pending: { state: 'waiting', reason: 'NotObserved' },
      asked: { desiredState: 'Stopped' },
    });
    expect(written()).toEqual([
      {
        method: 'PATCH',
        body: [
          { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
          { op: 'add', path: '/spec/desiredState', value: 'Stopped' },
        ],
      },
    ]);
  });

  it('is not written where it is asked for already', async () => {
    expect(await run('start')).toMatchObject({ changed: false, confirmed: true, state: 'started' });
    expect(written()).toEqual([]);
  });

  it('is tried again when only the status has changed meanwhile', async () => {
    reads = [STARTED, having({}, { resourceVersion: '9' }, { health: 'warning' })];
    writes = [CONFLICT, { json: having({ desiredState: 'Stopped' }, { generation: 3 }) }];
    expect(await run('stop')).toMatchObject({ changed: true });
    expect(written().map(({ body }) => (body as { value: unknown }[])[0]?.value)).toEqual(['7', '9']);
  });

  it.each<[string, object]>([
    ['the same field', having({ replicas: 7 }, { resourceVersion: '9', generation: 3 })],
    ['another component', having({}, { resourceVersion: '9', uid: 'u-2' })],
  ])('is not tried again when somebody else has changed the same: %s', async (_what, now) => {
    reads = [STARTED, now];
    writes = [CONFLICT];
    expect(await failure('scale', { replicas: 5 })).toMatchObject({
      code: 'k8s_conflict',
      error: 'Somebody else has changed the same of the component web meanwhile',
    });
    expect(written()).toHaveLength(1);
  });

  it('is refused when maintenance has begun between two tries', async () => {
    reads = [STARTED, having({ maintenance: true }, { resourceVersion: '9', generation: 3 })];
    writes = [CONFLICT];
    expect(await failure('stop')).toMatchObject({ code: 'k8s_conflict' });
  });

  it('gives up after ten conflicts', async () => {
    writes = Array.from({ length: 20 }, () => CONFLICT);
    expect(await failure('stop')).toMatchObject({ code: 'k8s_conflict' });
    expect(written()).toHaveLength(10);
  });

  it('two restarts within the same second are two', async () => {
    const restarted = having({ restartRequestedAt: '2999-01-01T00:00:00Z' });
    reads = [restarted];
    writes = [{ json: restarted }];
    await run('rollingRestart');
    const [, change] = (written()[0]?.body ?? []) as { value: string }[];
    expect(change?.value).toBe('2999-01-01T00:00:00.001Z');
  });

  it('shows no secret that somebody wrote among the values, wherever they are shown', async () => {
    const leaky = having({ values: { auth: { password: 'hunter2-hunter2', user: 'app' } } });
    reads = [leaky];
    const changed = having({ values: { auth: { user: 'app' } } }, { generation: 3 });
    writes = [{ json: changed }];
    const shown = [
      await run('get', { simplify: false }),
      await run('configure', { removeValues: ['auth.password'], options: { dryRun: true } }),
    ];
    expect(JSON.stringify(shown)).not.toContain('hunter2');
    expect(shown).toMatchObject([
      { spec: { values: { auth: { password: '(masked)', user: 'app' } } } },
      { dryRun: true, changes: [{ path: 'spec.values.auth.password', before: '(masked)' }] },
    ]);
    expect(api().requests.at(-1)?.query.get('dryRun')).toBe('All');
  });
});

describe('a removal', () => {
  it('is of the very component, in the version whose maintenance was looked at', async () => {
    writes = [{ json: having({}, { deletionTimestamp: '2026-01-01T00:00:00Z' }) }];
    expect(await run('remove')).toMatchObject({ request: 'remove', deleted: false, confirmed: false });
    expect(written()).toEqual([
      {
        method: 'DELETE',
        body: expect.objectContaining({ preconditions: { uid: 'u-1', resourceVersion: '7' } }),
      },
    ]);
  });

  it('does not hit another component that has its name by now', async () => {
    reads = [STARTED, having({}, { uid: 'u-2' })];
    writes = [CONFLICT];
    expect(await failure('remove')).toMatchObject({
      code: 'k8s_conflict',
      error: 'Another component has the name web by now',
    });
    expect(written()).toHaveLength(1);
  });

  it('is refused in maintenance, also when that began between two tries', async () => {
    reads = [STARTED, having({ maintenance: true })];
    writes = [CONFLICT];
    expect(await failure('remove')).toMatchObject({ code: 'k8s_maintenance', operation: 'remove' });
  });
});

describe('waiting', () => {
  const WAIT = { wait: true, timeoutSeconds: 1, options: { intervalSeconds: 1, blockedSeconds: 0 } };
  const asked = (status: object): object =>
    having({ desiredState: 'Stopped' }, { generation: 3, resourceVersion: '8' }, status);
  const operation = (reason: string) => ({ type: 'stop', key: 'k', reason, message: 'says why.' });

  it.each<[string, object, string]>([
    [
      'failed',
      { observedGeneration: 3, converged: false, operationState: 'failed', operation: operation('ApplyRefused') },
      'not as wanted: ApplyRefused',
    ],
    [
      'blocked',
      { observedGeneration: 3, converged: false, operationState: 'blocked', operation: operation('MaintenanceActive') },
      'blocked: MaintenanceActive',
    ],
  ])('ends at once with the reason when it is %s', async (state, status, reason) => {
    writes = [{ json: asked({}) }];
    reads = [STARTED, asked(status)];
    expect(await failure('stop', { ...WAIT, timeoutSeconds: 3_600 })).toMatchObject({
      code: 'k8s_wait_failed',
      error: `The component web is ${reason}: says why.`,
      pending: { state, message: 'says why.' },
      confirmed: false,
      waitedSeconds: 0,
    });
  });

  it('says where to look when no operator sees the component', async () => {
    writes = [{ json: asked({}) }];
    reads = [STARTED, asked({})];
    expect(await failure('stop', WAIT)).toMatchObject({
      code: 'k8s_wait_failed',
      description: expect.stringMatching(/navin-operator runs, that one of its Pods leads.*namespace shop/),
      progress: ['0 s: not seen by the operator yet'],
      waitedSeconds: 1,
    });
  });

  it('tells each step in the log of n8n at once', async () => {
    writes = [{ json: asked({}) }];
    const stopping = { observedGeneration: 3, state: 'stopping', operationState: 'running', converged: false };
    reads = [STARTED, asked(stopping), asked({ observedGeneration: 3, state: 'stopped' })];
    const context = executionContext({ credential: api().credential(), parameters: parameters('stop', WAIT) });
    const [[item] = []] = await new NavinComponent().execute.call(context);
    const steps = [
      '0 s: stopping, ok, nothing running, 3 of 3 Pods',
      '1 s: stopped, ok, nothing succeeded, 3 of 3 Pods',
    ];
    expect(item?.json).toMatchObject({ confirmed: true, progress: steps });
    expect(context.logged.filter((line) => line.startsWith('shop/'))).toEqual(steps.map((step) => `shop/web ${step}`));
  });

  it('ends when somebody else asks for something else', async () => {
    writes = [{ json: asked({}) }];
    reads = [STARTED, having({ desiredState: 'Running' }, { generation: 4 }, { observedGeneration: 4 })];
    expect(await run('stop', { ...WAIT, onFailure: 'output' })).toMatchObject({
      state: 'started',
      confirmed: false,
      pending: { state: 'failed', reason: 'Superseded' },
    });
  });

  it('lets a block that ends by itself last as long as is allowed', async () => {
    writes = [{ json: asked({}) }];
    const exhausted = operation('DisruptionBudgetExhausted');
    const blocked = { observedGeneration: 3, converged: false, operationState: 'blocked', operation: exhausted };
    reads = [STARTED, asked(blocked), asked({ observedGeneration: 3, state: 'stopped' })];
    const waiting = { ...WAIT, timeoutSeconds: 5, options: { intervalSeconds: 1, blockedSeconds: 5 } };
    expect(await run('stop', waiting)).toMatchObject({ confirmed: true, state: 'stopped', waitedSeconds: 1 });
  });
});

describe('what is given is checked before anything is sent', () => {
  const install = { name: 'web', chartPath: 'web' };
  const values = (...value: IDataObject[]) => ({ valueFields: { value } });

  it.each<[string, IDataObject, IDataObject]>([
    ['a chart by its tag', { chartFrom: 'oci', ociRef: 'oci://r.example/web:1.0' }, { path: 'spec.source.oci.ref' }],
    ['a chart outside of the folder', { chartPath: '../../etc' }, { path: 'spec.source.chart.path' }],
    ['a name of the platform', { name: 'navin-operator-x' }, { path: '' }],
    ['a budget of nothing', { budget: 'minAvailable', budgetPods: 'many' }, { path: 'spec.pdb.minAvailable' }],
    ['values that are a list', { valuesFrom: 'text', values: '[1]' }, { parameter: 'values' }],
    ['values that are no YAML', { valuesFrom: 'text', values: 'a: [' }, { parameter: 'values' }],
    ['a path of nothing', values({ path: 'a..b', value: 'x' }), { parameter: 'valueFields' }],
    [
      'a value in a value',
      values({ path: 'a', value: 'x' }, { path: 'a.b', value: 'y' }),
      { parameter: 'valueFields' },
    ],
    [
      'a target without a name',
      { scaling: 'replicas', options: { targetKind: 'StatefulSet' } },
      { parameter: 'options' },
    ],
  ])('%s', async (_what, more, details) => {
    expect(await failure('install', { ...install, ...more })).toMatchObject({
      code: 'k8s_parameter_invalid',
      ...details,
    });
    expect(api().requests).toEqual([]);
  });

  it.each([
    ['a field', values({ path: 'auth.password', value: 'hunter2-hunter2' }), 'spec.values.auth.password'],
    ['YAML', { valuesFrom: 'text', values: 'url: postgres://app:hunter2-hunter2@db/app' }, 'spec.values.url'],
    ['JSON', { valuesFrom: 'text', values: '{"apiKey":"hunter2-hunter2"}' }, 'spec.values.apiKey'],
  ])('names the path of a secret in %s, never the secret', async (_what, more, path) => {
    const failed = await failure('install', { ...install, ...more });
    expect(failed).toMatchObject({ code: 'k8s_values_secret', path });
    expect(JSON.stringify(failed)).not.toContain('hunter2');
    expect(api().requests).toEqual([]);
  });

  it('writes values, references, scale and budget as they were given', async () => {
    writes = [{ status: 201, json: STARTED }];
    await run('install', {
      ...install,
      version: '1.2.0',
      ...values(
        { path: 'image.tag', value: 'v2' },
        { path: 'image.pull', type: 'yaml', value: 'null' },
        { path: 'count', type: 'yaml', value: '3' },
        { path: '__proto__.polluted', value: 'x' },
      ),
      secretRefs: {
        reference: [{ secretName: named('database'), key: named('password'), valuePath: 'auth.existingSecret' }],
      },
      scaling: 'autoscaling',
      minReplicas: 2,
      maxReplicas: 4,
      budget: 'maxUnavailable',
      budgetPods: '50%',
      options: { targetName: 'web', stopped: true },
    });
    const { spec } = (written()[0]?.body ?? {}) as Component;
    expect(JSON.parse(JSON.stringify(spec))).toEqual(
      JSON.parse(
        JSON.stringify({
          version: '1.2.0',
          source: { chart: { path: 'web' } },
          values: { image: { tag: 'v2', pull: null }, count: 3 },
          secretRefs: [{ secretName: 'database', key: 'password', valuePath: 'auth.existingSecret' }],
          autoscaling: { minReplicas: 2, maxReplicas: 4, targetCPUUtilizationPercentage: 80, engine: 'HPA' },
          scaleTarget: { kind: 'Deployment', name: 'web' },
          pdb: { maxUnavailable: '50%' },
          desiredState: 'Stopped',
        }).replace('"count":3', '"count":3,"__proto__":{"polluted":"x"}'),
      ),
    );
    expect({}).not.toHaveProperty('polluted');
  });
});
