import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { failure, FaultServer, json } from '../../test/faults';
import { withRotatingToken } from '../kubeconfig';
import { RESOURCES } from './apiResource';
import { all, errorOf, faultClient, shown, targetFor, TEST_TOKEN } from './testing/faultClient';

const MISSING = failure(404, 'NotFound', 'x', { name: 'web', kind: 'pods' });
const NO_NAMESPACE = failure(404, 'NotFound', 'x', { name: 'shop', kind: 'namespaces' });

let server: FaultServer;
beforeAll(async () => {
  server = await FaultServer.start();
});
afterEach(async () => {
  await server.reset();
});
afterAll(async () => {
  await server.stop();
});

describe('a missing object', () => {
  it('is told from a missing namespace, by one more request that is remembered', async () => {
    server.next(MISSING, NO_NAMESPACE, MISSING);
    const { client } = faultClient(server);
    for (let run = 0; run < 2; run += 1) {
      const error = await errorOf(client.get(RESOURCES.pods, { name: 'web' }));
      expect([error.message, error.details.missing]).toEqual(['The namespace "shop" does not exist.', 'namespace']);
    }
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/api/v1/namespaces/shop/pods/web',
      '/api/v1/namespaces/shop',
      '/api/v1/namespaces/shop/pods/web',
    ]);
  });

  it.each([
    ['exists', json({ kind: 'Namespace', metadata: {} })],
    ['may not be read', failure(403, 'Forbidden', 'no')],
  ])('counts as missing itself when its namespace %s', async (_name, answer) => {
    server.next(MISSING, answer);
    const error = await errorOf(faultClient(server).client.delete(RESOURCES.pods, { name: 'web' }));
    expect([error.message, error.details.missing]).toEqual(['Pod "web" in namespace "shop" does not exist.', 'object']);
  });

  it('counts as missing itself, without a look at its namespace, for whom may not see namespaces', async () => {
    server.next(MISSING);
    const { client } = faultClient(server, { looksForNamespaces: false });
    const error = await errorOf(client.get(RESOURCES.pods, { name: 'web' }));
    expect([error.message, error.details.missing]).toEqual(['Pod "web" in namespace "shop" does not exist.', 'object']);
    expect(server.requests).toHaveLength(1);
  });

  it('is asked no more about when it has no namespace', async () => {
    server.next(failure(404, 'NotFound', 'x', { name: 'n1', kind: 'nodes' }));
    expect((await errorOf(faultClient(server).client.get(RESOURCES.nodes, { name: 'n1' }))).message).toBe(
      'Node "n1" does not exist.',
    );
    expect(server.requests).toHaveLength(1);
  });
});

describe('requests', () => {
  it('mean the namespace of the target, unless they name one', async () => {
    server.always(json({ kind: 'Pod', metadata: {} }));
    const { client } = faultClient(server);
    await client.get(RESOURCES.pods, { name: 'web' });
    await client.get(RESOURCES.pods, { name: 'web', namespace: 'other' });
    await client.get(RESOURCES.nodes, { name: 'n1', namespace: 'other' });
    await client.create(RESOURCES.pods, { name: 'web', subresource: 'eviction' }, {});
    expect(server.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /api/v1/namespaces/shop/pods/web',
      'GET /api/v1/namespaces/other/pods/web',
      'GET /api/v1/nodes/n1',
      'POST /api/v1/namespaces/shop/pods/web/eviction?fieldManager=navin',
    ]);
  });

  it('with impossible names are refused as a rejection, and never sent', async () => {
    const { client } = faultClient(server);
    const name = '../secrets/x';
    const attempts = [
      () => client.get(RESOURCES.pods, { name }),
      () => client.delete(RESOURCES.pods, { name }),
      () => client.replace(RESOURCES.pods, { name }, {}),
      () => client.patch(RESOURCES.pods, { name }, { type: 'merge', body: {} }),
      () => client.create(RESOURCES.pods, { namespace: 'A' }, {}),
      () => client.list(RESOURCES.pods, { namespace: 'A/B' }),
      () => client.logs({ namespace: 'shop', name }),
      () => all(client.pages(RESOURCES.pods, { namespace: '..' })),
    ];
    for (const attempt of attempts) expect((await errorOf(attempt())).code).toBe('k8s_parameter_invalid');
    expect(server.requests).toEqual([]);
  });

  it('give a deletion that is done at once as a Status', async () => {
    server.always(json({ kind: 'Status', status: 'Success' }));
    expect(await faultClient(server).client.delete(RESOURCES.pods, { name: 'web' })).toEqual({
      kind: 'Status',
      status: 'Success',
      metadata: {},
    });
  });

  it('list what a server answers, an empty list of Go too', async () => {
    server.next(json({ kind: 'PodList', metadata: { resourceVersion: '7' }, items: null }));
    const { client } = faultClient(server);
    expect(await client.list(RESOURCES.pods)).toEqual({ items: [], resourceVersion: '7', inconsistent: false });
    for (const answer of [{}, { items: [] }, { metadata: {}, items: {} }, []]) {
      server.next(json(answer));
      expect((await errorOf(client.list(RESOURCES.pods))).code).toBe('k8s_response_invalid');
    }
  });
});

describe('access', () => {
  it('reviews a right without a trace, and may be repeated', async () => {
    server.next(
      failure(503, 'ServiceUnavailable', 'x'),
      json({ kind: 'SelfSubjectAccessReview', status: { allowed: false, reason: 'no\nrule' } }, 201),
    );
    const { client } = faultClient(server);
    expect(
      await client.reviewAccess({ verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace: 'shop' }),
    ).toEqual({
      allowed: false,
      reason: 'no rule',
    });
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      apiVersion: 'authorization.k8s.io/v1',
      kind: 'SelfSubjectAccessReview',
      spec: { resourceAttributes: { verb: 'get', group: '', resource: 'pods', subresource: 'log', namespace: 'shop' } },
    });
    server.next(json({ status: {} }));
    expect((await errorOf(client.reviewAccess({ verb: 'get', group: '', resource: 'pods' }))).code).toBe(
      'k8s_response_invalid',
    );
  });

  it('says who it is, by the newest version that is served', async () => {
    const absent = failure(404, 'NotFound', 'the server could not find the requested resource');
    server.next(
      absent,
      json({ kind: 'SelfSubjectReview', status: { userInfo: { username: 'u', uid: '1', groups: ['g', 7] } } }, 201),
    );
    const { client } = faultClient(server);
    expect(await client.whoAmI()).toEqual({ username: 'u', uid: '1', groups: ['g'] });
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/apis/authentication.k8s.io/v1/selfsubjectreviews',
      '/apis/authentication.k8s.io/v1beta1/selfsubjectreviews',
    ]);
    server.next(absent, absent, absent);
    expect((await errorOf(client.whoAmI())).code).toBe('k8s_unsupported');
    server.next(json({ status: {} }));
    expect((await errorOf(client.whoAmI())).code).toBe('k8s_response_invalid');
  });
});

describe('version', () => {
  it('is read', async () => {
    server.always(json({ major: '1', minor: '37', gitVersion: 'v1.37.2+k3s1', platform: 'linux/amd64' }));
    expect(await faultClient(server).client.version()).toMatchObject({ major: 1, minor: 37 });
    expect(server.requests[0]?.url).toBe('/version');
  });

  it('is none when the server is something else', async () => {
    server.always(json({ version: '2.0', name: 'some other API' }));
    expect((await errorOf(faultClient(server).client.version())).code).toBe('k8s_not_kubernetes');
  });
});

describe('a token that rotates', () => {
  it('is sent as it is now, and no error shows it', async () => {
    let token = TEST_TOKEN;
    const target = withRotatingToken(targetFor(server), { read: () => token, onFault: () => undefined });
    const { client } = faultClient(server, { target });
    server.always(failure(400, 'BadRequest', 'rotated-token-8d1c is not what was asked for'));
    await errorOf(client.get(RESOURCES.pods, { name: 'web' }));
    token = 'rotated-token-8d1c';
    const error = await errorOf(client.get(RESOURCES.pods, { name: 'web' }));
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      `Bearer ${TEST_TOKEN}`,
      'Bearer rotated-token-8d1c',
    ]);
    expect(error.message).toContain('… is not what was asked for');
    expect(shown(error)).not.toContain('rotated-token-8d1c');
  });
});
