import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { IDataObject, ITriggerResponse } from 'n8n-workflow';
import { named } from '../testing/context';
import { type FakeAnswer, type FakeRequest, statusAnswer, TOKEN, useFakeApi } from '../testing/fakeApi';
import { forgetProcess, TriggerHost, type TriggerSetup } from '../testing/triggerHost';

const api = useFakeApi();
const active: ITriggerResponse[] = [];

beforeEach(() => {
  // The first look at once, the next as soon as it may be.
  jest.spyOn(Math, 'random').mockReturnValue(0);
});

afterEach(async () => {
  await Promise.all(active.splice(0).map(async ({ closeFunction }) => await closeFunction?.()));
  jest.restoreAllMocks();
});

async function activate(host: TriggerHost, setup: TriggerSetup): Promise<ITriggerResponse> {
  const response = await host.activate(setup);
  active.push(response);
  return response;
}

const WATCH_CONFIGMAPS = {
  triggerOn: 'resource',
  resource: named('configmaps'),
  options: { interval: 15, window: 15 },
};

function configMap(name: string, version: string): IDataObject {
  const metadata = { name, namespace: 'shop', uid: `uid-${name}`, resourceVersion: version };
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { color: 'red' } };
}

/** A cluster with one ConfigMap, and what its watches say. */
function cluster(watch: (request: FakeRequest) => FakeAnswer, denied: readonly string[] = []) {
  return (request: FakeRequest): FakeAnswer | undefined => {
    if (request.path.endsWith('selfsubjectaccessreviews')) {
      const { resourceAttributes } = (request.body as { spec: { resourceAttributes: { verb: string } } }).spec;
      return {
        json: { kind: 'SelfSubjectAccessReview', status: { allowed: !denied.includes(resourceAttributes.verb) } },
      };
    }
    if (request.query.has('watch')) return watch(request);
    if (!request.path.endsWith('/configmaps')) return undefined;
    const items = [configMap('settings', '5')];
    return { json: { kind: 'ConfigMapList', apiVersion: 'v1', metadata: { resourceVersion: '10' }, items } };
  };
}

const WIDGETS = {
  metadata: { name: 'example.com' },
  versions: [
    {
      version: 'v1',
      resources: [
        {
          resource: 'widgets',
          responseKind: { group: 'example.com', version: 'v1', kind: 'Widget' },
          scope: 'Namespaced',
          verbs: ['get', 'list', 'watch'],
        },
      ],
    },
  ],
};

/** One line of a watch. */
function added(name: string, version: string): FakeAnswer {
  return { text: `${JSON.stringify({ type: 'ADDED', object: configMap(name, version) })}\n` };
}

describe('activating the trigger', () => {
  it('starts nothing for what exists, stores where it stands, and tells what happens next', async () => {
    const host = new TriggerHost();
    api().answer(
      cluster(({ query }) => (query.get('resourceVersion') === '10' ? added('fresh', '11') : { hang: true })),
    );
    await activate(host, { parameters: WATCH_CONFIGMAPS, credential: api().credential() });
    expect(host.executions).toEqual([]);
    expect(Object.keys(JSON.parse(host.saved) as object)).toEqual(['navinKubernetesTriggers']);

    const [started] = await host.until(1);
    expect(started?.items).toEqual([
      {
        type: 'added',
        key: started?.key,
        gap: false,
        cluster: api().url,
        resource: 'configmaps',
        kind: 'ConfigMap',
        namespace: 'shop',
        name: 'fresh',
        uid: 'uid-fresh',
        resourceVersion: '11',
        observedAt: expect.stringMatching(/^\d{4}-\d{2}-\d{2}T/),
        object: configMap('fresh', '11'),
      },
    ]);
    expect(host.executions).toHaveLength(1);
  });

  it('watches the namespaces that are named, each by itself', async () => {
    api().answer(cluster(() => ({ hang: true })));
    const parameters = { ...WATCH_CONFIGMAPS, namespace: named('staging, test') };
    await activate(new TriggerHost(), { parameters, credential: api().credential() });
    const lists = api().requests.filter(({ path }) => path.endsWith('/configmaps'));
    expect(new Set(lists.map(({ path }) => path))).toEqual(
      new Set(['/api/v1/namespaces/staging/configmaps', '/api/v1/namespaces/test/configmaps']),
    );
  });

  it('watches all namespaces by one watch (knative/eventing#8675, #8674)', async () => {
    api().answer(cluster(() => ({ hang: true })));
    await activate(new TriggerHost(), {
      parameters: { ...WATCH_CONFIGMAPS, namespace: named('*') },
      credential: api().credential(),
    });
    const asked = api().requests.filter(({ path }) => path.endsWith('/configmaps'));
    expect(new Set(asked.map(({ path }) => path))).toEqual(new Set(['/api/v1/configmaps']));
  });

  it.each<[string, Record<string, unknown>, RegExp, string]>([
    [
      'an interval that is too short',
      { options: { interval: 5 } },
      /^'Options > Interval' must be a whole number, at least 15/,
      'k8s_parameter_invalid',
    ],
    [
      'a name that is no namespace',
      { namespace: named('Shop!') },
      /^"Shop!" is no name of a namespace/,
      'k8s_parameter_invalid',
    ],
    [
      'no change at all',
      { changes: [] },
      /^Choose at least one of added, modified and deleted/,
      'k8s_parameter_invalid',
    ],
    [
      'a field path that is not understood',
      { modifiedWhen: 'fields', fields: ['spec..x'] },
      /^The field path "spec\.\.x" is not understood/,
      'k8s_parameter_invalid',
    ],
    [
      'changes of a Secret that cannot be told apart',
      { resource: named('secrets') },
      /^Nothing of a Secret is remembered/,
      'k8s_parameter_invalid',
    ],
    ['no resource', { resource: { mode: 'list', value: '' } }, /^'Resource' is not chosen/, 'k8s_parameter_invalid'],
  ])('refuses %s and says what to change', async (_name, changed, message, code) => {
    const setup = { parameters: { ...WATCH_CONFIGMAPS, ...changed }, credential: api().credential() };
    await expect(activate(new TriggerHost(), setup)).rejects.toMatchObject({
      message: expect.stringMatching(message),
      context: { code },
    });
    expect(api().requests).toEqual([]);
  });

  it('names the right that is missing, with the rule to add, before it counts as active', async () => {
    api().answer(cluster(() => ({ hang: true }), ['watch']));
    const setup = { parameters: WATCH_CONFIGMAPS, credential: api().credential() };
    const failed = activate(new TriggerHost(), setup);
    await expect(failed).rejects.toMatchObject({
      message: expect.stringMatching(
        /^The credential may not watch configmaps\. Missing: watch configmaps in shop\..*resources: \[configmaps\]\n {4}verbs: \[watch\]/s,
      ),
      context: { code: 'k8s_forbidden' },
    });
    await expect(failed).rejects.not.toMatchObject({ message: expect.stringContaining(TOKEN) });
  });

  it('says which namespace may be watched when all of them may not', async () => {
    const answer = cluster(() => ({ hang: true }));
    api().answer((request) => {
      const review = request.body as { spec?: { resourceAttributes?: { namespace?: string } } } | undefined;
      const allowed = review?.spec?.resourceAttributes?.namespace === 'shop';
      if (!request.path.endsWith('selfsubjectaccessreviews')) return answer(request);
      return { json: { kind: 'SelfSubjectAccessReview', status: { allowed } } };
    });
    const setup = { parameters: { ...WATCH_CONFIGMAPS, namespace: named('*') }, credential: api().credential() };
    await expect(activate(new TriggerHost(), setup)).rejects.toMatchObject({
      message: expect.stringMatching(
        /It may watch the namespace "shop": choose that one, or add the right\..*kind: ClusterRole/s,
      ),
    });
  });

  it('fails without a stored state when the cluster is away', async () => {
    api().answer(() => ({ drop: true }));
    const setup = { parameters: WATCH_CONFIGMAPS, credential: api().credential() };
    await expect(activate(new TriggerHost(), setup)).rejects.toMatchObject({ context: { code: 'k8s_unreachable' } });
  });

  it('gets active with a stored state although the cluster is away, and reports that once', async () => {
    api().answer(cluster(() => ({ hang: true })));
    const first = new TriggerHost();
    const setup = { parameters: WATCH_CONFIGMAPS, credential: api().credential() };
    const { closeFunction } = await activate(first, setup);
    await closeFunction?.();

    api().answer(() => statusAnswer(401, 'Unauthorized', 'Unauthorized'));
    const restarted = new TriggerHost({ workflowId: first.workflowId, saved: first.saved });
    const begin = performance.now();
    await activate(restarted, setup);
    expect(performance.now() - begin).toBeLessThan(2_000);
    expect((await restarted.untilFailure()).message).toMatch(
      /^The trigger is still active, but it could not watch the cluster for .*does not accept the credential/,
    );
    expect(restarted.executions).toEqual([]);
  });

  it('remembers what a custom resource is while nobody answers, and returns within 10 s', async () => {
    const metadata = { resourceVersion: '10' };
    const list = cluster(() => ({ hang: true }));
    api().answer((request) => {
      if (request.path === '/api') return { json: { kind: 'APIGroupDiscoveryList', items: [] } };
      if (request.path === '/apis') return { json: { kind: 'APIGroupDiscoveryList', items: [WIDGETS] } };
      return request.path.endsWith('/widgets') && !request.query.has('watch')
        ? { json: { kind: 'WidgetList', apiVersion: 'example.com/v1', metadata, items: [] } }
        : list(request);
    });
    const first = new TriggerHost();
    const parameters = { ...WATCH_CONFIGMAPS, resource: named('Widget.example.com') };
    const setup = { parameters, credential: api().credential() };
    const { closeFunction } = await activate(first, setup);
    await closeFunction?.();

    forgetProcess();
    api().answer(() => ({ hang: true }));
    const begin = performance.now();
    await activate(new TriggerHost({ workflowId: first.workflowId, saved: first.saved }), setup);
    expect(performance.now() - begin).toBeLessThan(10_000);
    expect(api().requests.at(-1)?.path).toMatch(/^\/apis?$/);
  });

  it('uses a token that was exchanged in the credential meanwhile', async () => {
    let token = 'old-token';
    const answer = cluster(() => ({ hang: true }));
    api().answer((request) => answer(request));
    const host = new TriggerHost();
    const setup = { parameters: WATCH_CONFIGMAPS, credential: () => api().credential({ token }) };
    const { closeFunction } = await activate(host, setup);
    await closeFunction?.();
    api().answer((request) => (token === 'old-token' ? statusAnswer(401, 'Unauthorized', 'no') : answer(request)));
    const restarted = new TriggerHost({ workflowId: host.workflowId, saved: host.saved });
    await activate(restarted, setup);
    await restarted.untilFailure();
    api().answer(cluster(() => added('fresh', '11')));
    token = 'new-token';
    const [started] = await restarted.until(1);
    expect(started?.items[0]).toMatchObject({ name: 'fresh' });
  });

  it('ends within 100 ms in the middle of a window', async () => {
    let watching: () => void = () => undefined;
    const watched = new Promise<void>((resolve) => (watching = resolve));
    api().answer(
      cluster(() => {
        watching();
        return { hang: true };
      }),
    );
    const { closeFunction } = await activate(new TriggerHost(), {
      parameters: WATCH_CONFIGMAPS,
      credential: api().credential(),
    });
    await watched;
    const begin = performance.now();
    await closeFunction?.();
    expect(performance.now() - begin).toBeLessThan(150);
    const asked = api().requests.length;
    await new Promise((resolve) => setImmediate(resolve));
    expect(api().requests).toHaveLength(asked);
  });
});

describe('samples in the editor', () => {
  it('come from what exists now, marked, and leave what is stored alone', async () => {
    api().answer(cluster(() => ({ hang: true })));
    const host = new TriggerHost({ saved: '{"navinKubernetesTriggers":{"node-1":{"v":1}}}' });
    const items = await host.sample({ parameters: WATCH_CONFIGMAPS, credential: api().credential() });
    expect(items).toEqual([
      expect.objectContaining({
        sample: true,
        type: 'modified',
        key: 'sample:uid-settings',
        name: 'settings',
        object: expect.objectContaining({ kind: 'ConfigMap' }),
      }),
    ]);
    expect(host.data).toEqual({ navinKubernetesTriggers: { 'node-1': { v: 1 } } });
    expect(api().requests.some(({ query }) => query.has('watch'))).toBe(false);
  });

  it('name the chosen fields as they are now', async () => {
    api().answer(cluster(() => ({ hang: true })));
    const parameters = { ...WATCH_CONFIGMAPS, modifiedWhen: 'fields', fields: ['data.color', 'data.size'] };
    const [item] = await new TriggerHost().sample({ parameters, credential: api().credential() });
    expect(item?.changed).toEqual([
      { path: 'data.color', previousUnknown: true, current: 'red' },
      { path: 'data.size', previousUnknown: true },
    ]);
  });

  it('say so when there is nothing to show', async () => {
    api().answer(() => ({ json: { kind: 'PodList', metadata: { resourceVersion: '1' }, items: [] } }));
    const setup = { parameters: { triggerOn: 'podCrashLoop' }, credential: api().credential() };
    await expect(new TriggerHost().sample(setup)).rejects.toMatchObject({
      message:
        'None of the pods in the namespace "shop" shows this now, so there is no sample: A container keeps crashing (CrashLoopBackOff)',
      context: { code: 'k8s_not_found' },
    });
  });
});
