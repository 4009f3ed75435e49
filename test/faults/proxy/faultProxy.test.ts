import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { RESOURCES } from '../../../core/kube';
import { all, errorOf, faultClient, type FaultClient } from '../../../core/kube/testing/faultClient';
import { failure, json, reset, stallInBody } from '../behaviours';
import { FaultServer } from '../faultServer';
import { FaultProxy, type ProxyGuard } from './faultProxy';
import { NO_FAULTS, type FaultPlan } from './plan';
import { Upstream } from './upstream';

let server: FaultServer;
let upstream: Upstream;
let proxy: FaultProxy | undefined;
const told: string[] = [];

beforeEach(async () => {
  server = await FaultServer.start();
  upstream = new Upstream(server.url, server.ca);
  told.length = 0;
});

afterEach(async () => {
  await proxy?.stop();
  upstream.close();
  await server.stop();
});

async function through(plan: Partial<FaultPlan>, speed = 1, guard?: ProxyGuard): Promise<FaultClient> {
  proxy = await FaultProxy.start({
    upstream,
    plan: { ...NO_FAULTS, ...plan },
    speed,
    ...(guard === undefined ? {} : { guard }),
    listener: {
      expired: (scope, version) => told.push(`gone ${scope} ${version}`),
      watchOpened: (scope, version) => told.push(`watch ${scope} ${version}`),
    },
  });
  return faultClient(proxy, { maxRetries: 0 });
}

const watch = { namespace: 'shop', resourceVersion: '5', timeoutSeconds: 20 };
const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '9' }, items: [] };

describe('the fault proxy', () => {
  it('hands requests and answers on as they are, with the credential of the client', async () => {
    const { client } = await through({});
    server.next(json(list));
    expect(await client.list(RESOURCES.pods, { namespace: 'shop', limit: 10 })).toMatchObject({ resourceVersion: '9' });
    expect(server.requests[0]).toMatchObject({
      url: '/api/v1/namespaces/shop/pods?limit=10',
      headers: { authorization: 'Bearer test-token-7f3a9c51d2' },
    });
  });

  it('meets the n-th request of a kind with the n-th fault, until it is told to be calm', async () => {
    const { client } = await through({ lists: [undefined, { kind: 'refuse', as: 'throttled' }, { kind: 'reset' }] });
    server.always(json(list));
    const outcome = async (): Promise<string> =>
      client.list(RESOURCES.pods).then(
        () => 'well',
        (error: unknown) => (error as { code: string }).code,
      );
    expect([await outcome(), await outcome()]).toEqual(['well', 'k8s_throttled']);
    proxy?.calm();
    expect(await outcome()).toBe('well');
  });

  it('gives small pages', async () => {
    const { client } = await through({ pageLimit: 2 });
    server.always(json(list));
    await client.list(RESOURCES.pods, { limit: 500 });
    await client.list(RESOURCES.pods, { limit: 1 });
    expect(server.requests.map(({ url }) => url)).toEqual(['/api/v1/pods?limit=2', '/api/v1/pods?limit=1']);
  });

  it('ends windows by the time of the client, and lets the API server go', async () => {
    const { client } = await through({}, 100);
    const event = { type: 'ADDED', object: { metadata: { name: 'a', resourceVersion: '6' } } };
    server.next(stallInBody(`${JSON.stringify(event)}\n`));
    expect(await all(client.watch(RESOURCES.pods, watch))).toEqual([event]);
    expect(told).toEqual(['watch shop 5']);
  });

  it('tells when the API server says that history is gone', async () => {
    const { client } = await through({});
    server.next(failure(410, 'Expired', 'too old resource version'));
    expect((await errorOf(all(client.watch(RESOURCES.pods, watch)))).code).toBe('k8s_expired');
    expect(told).toEqual(['watch shop 5', 'gone shop 5']);
  });

  it('breaks the connection when the API server breaks it', async () => {
    const { client } = await through({});
    server.next(reset());
    expect((await errorOf(client.list(RESOURCES.pods))).code).toBe('k8s_unreachable');
  });

  it.each([
    ['before', 0],
    ['after', 1],
  ] as const)('ends the process of the client %s the API server knows of its request', async (when, known) => {
    const dies = (moment: string): boolean => {
      if (moment !== when) return true;
      proxy?.die();
      return false;
    };
    const { client } = await through({}, 1, { asks: () => dies('before'), answered: () => dies('after') });
    server.always(json(list));
    expect((await errorOf(client.list(RESOURCES.pods))).code).toBe('k8s_unreachable');
    expect((await errorOf(client.list(RESOURCES.pods))).code).toBe('k8s_unreachable');
    expect(server.requests).toHaveLength(known);
  });
});
