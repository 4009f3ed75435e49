import { describe, expect, it } from '@jest/globals';
import { execute, named, outputOf } from '../../testing/context';
import { type FakeAnswer, statusAnswer, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const ONE = { resource: 'pod', operation: 'getUsage', name: named('web') };
const MANY = { resource: 'pod', operation: 'getUsage', select: 'selector' };

/** As the API server answers for a group nobody serves, and its aggregator for one that does not answer. */
const plain = (status: number, text: string): FakeAnswer => ({
  status,
  text,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'retry-after': '0' },
});

describe('Get Usage', () => {
  it.each([
    ['one', ONE],
    ['many', MANY],
  ])('says that no metrics server is installed, for %s', async (_what, parameters) => {
    api().answer(({ path }) =>
      path.startsWith('/apis/metrics.k8s.io/') ? plain(404, '404 page not found\n') : undefined,
    );
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      message: 'The cluster does not measure usage: it serves no metrics.k8s.io',
      description: expect.stringMatching(/^Install metrics-server[^]*Code: k8s_unsupported$/),
      context: { code: 'k8s_unsupported' },
    });
  });

  it.each([
    ['the aggregator', plain(503, 'service unavailable\n')],
    ['the metrics server', statusAnswer(503, 'ServiceUnavailable', 'TOP-SECRET', { retryAfterSeconds: 0 })],
  ])('says that the metrics server does not answer when %s says so', async (_what, answer) => {
    api().answer(() => ({ ...answer, headers: { ...answer.headers, 'retry-after': '0' } }));
    const [item] = await execute({
      credential: api().credential(),
      parameters: MANY,
      onError: 'continueRegularOutput',
    });
    expect(item?.json).toMatchObject({
      error: 'The metrics server of the cluster does not answer (503)',
      details: { code: 'k8s_server_error', description: expect.stringContaining('v1beta1.metrics.k8s.io') },
    });
    expect(JSON.stringify(item)).not.toContain('TOP-SECRET');
  });

  it('knows a pod without numbers by the answer of a real metrics server, which names it with its namespace', async () => {
    const details = { name: 'shop/web', group: 'metrics.k8s.io', kind: 'pods' };
    api().answer(({ path }) => {
      if (path === '/api/v1/namespaces/shop') return { json: { kind: 'Namespace', metadata: { name: 'shop' } } };
      return statusAnswer(404, 'NotFound', 'pods.metrics.k8s.io "shop/web" not found', details);
    });
    await expect(execute({ credential: api().credential(), parameters: ONE })).rejects.toMatchObject({
      message: 'The metrics server has no numbers of the Pod web',
    });
  });

  it('takes a list without a version, as a metrics server writes it, and reads pods only until all are found', async () => {
    const names = ['a', 'b'];
    const pods = [...names, 'c'].map((name) => ({ metadata: { name, namespace: 'shop' }, spec: { containers: [] } }));
    api().answer(({ path }) => {
      if (!path.startsWith('/apis/metrics.k8s.io/')) {
        return { json: { kind: 'PodList', metadata: { resourceVersion: '1', continue: 'more' }, items: pods } };
      }
      const items = names.map((name) => ({ metadata: { name, namespace: 'shop' }, containers: [] }));
      return { json: { kind: 'PodMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items } };
    });
    const found = await outputOf({ credential: api().credential(), parameters: MANY });
    expect(found.map(({ name, requests }) => [name, requests])).toEqual([
      ['a', {}],
      ['b', {}],
    ]);
    expect(new Set(api().requests.map(({ path }) => path))).toEqual(
      new Set(['/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods', '/api/v1/namespaces/shop/pods']),
    );
  });

  it('takes as many as a metrics server sends at once, and nothing that is no object', async () => {
    const answers = (items: readonly unknown[]) => {
      api().answer(() => ({ json: { kind: 'PodMetricsList', metadata: {}, items } }));
      const options = { compare: false, sortBy: 'cpu' };
      return outputOf({ credential: api().credential(), parameters: { ...MANY, limit: 1, options } });
    };
    const quiet = Array.from({ length: 150_000 }, () => ({ metadata: { name: 'quiet' } }));
    const busy = { metadata: { name: 'busy' }, containers: [{ usage: { cpu: '1' } }] };
    expect(await answers([...quiet, busy])).toMatchObject([{ name: 'busy', cpuCores: 1 }]);
    await expect(answers([busy, null])).rejects.toMatchObject({ context: { code: 'k8s_response_invalid' } });
  });

  it('gives the usage all the same where pods may not be read, and says any other fault', async () => {
    const answers = (pods: FakeAnswer) => {
      api().answer(({ path }) => {
        if (!path.startsWith('/apis/')) return pods;
        return { json: { kind: 'PodMetrics', metadata: { name: 'web', namespace: 'shop' }, containers: [] } };
      });
      return outputOf({ credential: api().credential(), parameters: ONE });
    };
    const denied =
      'pods "web" is forbidden: User "u" cannot get resource "pods" in API group "" in the namespace "shop"';
    expect(await answers(statusAnswer(403, 'Forbidden', denied))).toEqual([
      { name: 'web', namespace: 'shop', containers: [] },
    ]);
    await expect(answers(statusAnswer(401, 'Unauthorized', 'Unauthorized'))).rejects.toMatchObject({
      context: { code: 'k8s_unauthorized' },
    });
  });
});
