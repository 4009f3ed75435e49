import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { failure, FaultServer, json, text, type Behaviour } from '../../test/faults';
import { parseAggregated, parseResourceList } from './discovery';
import { errorOf, faultClient } from './testing/faultClient';

function aggregated(...groups: readonly (readonly [string, readonly object[]])[]): object {
  return {
    kind: 'APIGroupDiscoveryList',
    apiVersion: 'apidiscovery.k8s.io/v2',
    metadata: {},
    items: groups.map(([name, versions]) => ({ metadata: name === '' ? {} : { name }, versions })),
  };
}

const WIDGETS = {
  resource: 'widgets',
  responseKind: { group: 'shop.example', version: 'v2', kind: 'Widget' },
  scope: 'Namespaced',
  singularResource: 'widget',
  shortNames: ['wd'],
  verbs: ['get', 'list'],
  subresources: [{ subresource: 'status', responseKind: {}, verbs: ['get'] }],
};

const CORE = aggregated([
  '',
  [
    {
      version: 'v1',
      freshness: 'Current',
      resources: [
        {
          resource: 'pods',
          responseKind: { kind: 'Pod' },
          scope: 'Namespaced',
          singularResource: 'pod',
          shortNames: ['po'],
          verbs: ['get'],
        },
      ],
    },
  ],
]);

const GROUPS = aggregated(
  [
    'shop.example',
    [
      { version: 'v2', freshness: 'Current', resources: [WIDGETS] },
      { version: 'v1', freshness: 'Current', resources: [WIDGETS] },
    ],
  ],
  ['metrics.k8s.io', [{ version: 'v1beta1', freshness: 'Stale' }]],
);

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

/** Answers by path. */
function serve(paths: Readonly<Record<string, unknown>>): Behaviour {
  return (exchange) => {
    const answer = paths[exchange.request.url];
    if (typeof answer === 'function') return (answer as Behaviour)(exchange);
    return (answer === undefined ? text('404 page not found\n', 404) : json(answer))(exchange);
  };
}

describe('aggregated discovery', () => {
  it('takes two requests, asks for the aggregated form first, and is remembered', async () => {
    server.always(serve({ '/api': CORE, '/apis': GROUPS }));
    const { client } = faultClient(server);
    expect(await client.resource('widgets')).toEqual({
      group: 'shop.example',
      version: 'v2',
      plural: 'widgets',
      singular: 'widget',
      kind: 'Widget',
      namespaced: true,
      verbs: ['get', 'list'],
      shortNames: ['wd'],
      subresources: ['status'],
    });
    await client.resource('wd.shop.example');
    await client.resourceFor('shop.example/v1', 'Widget');
    expect((await client.resources()).map(({ plural, version }) => `${plural}.${version}`)).toEqual([
      'pods.v1',
      'widgets.v2',
    ]);
    expect(server.requests.map(({ url }) => url).sort()).toEqual(['/api', '/apis']);
    expect(server.requests[0]?.headers.accept?.split(',')[0]).toBe(
      'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList',
    );
  });

  it('reports groups that do not answer, and goes on', async () => {
    server.always(serve({ '/api': CORE, '/apis': GROUPS }));
    const { client } = faultClient(server);
    expect(await client.discoveryFailures()).toEqual([
      { group: 'metrics.k8s.io', version: 'v1beta1', code: 'k8s_server_error' },
    ]);
  });

  it('needs no request for what every cluster has', async () => {
    const { client } = faultClient(server);
    expect((await client.resource('Deployment')).plural).toBe('deployments');
    expect((await client.resourceFor('batch/v1', 'Job')).plural).toBe('jobs');
    expect(server.requests).toEqual([]);
  });

  it('suggests names for one that is not served', async () => {
    server.always(serve({ '/api': CORE, '/apis': GROUPS }));
    const { client } = faultClient(server);
    const error = await errorOf(client.resource('widgts'));
    expect([error.code, error.hint]).toEqual(['k8s_not_found', 'Did you mean "widgets.shop.example"?']);
    expect((await errorOf(client.resourceFor('shop.example/v9', 'Widget'))).code).toBe('k8s_not_found');
  });

  it('does not remember a failure', async () => {
    server
      .next(failure(401, 'Unauthorized', 'x'), failure(401, 'Unauthorized', 'x'))
      .always(serve({ '/api': CORE, '/apis': GROUPS }));
    const { client } = faultClient(server);
    expect((await errorOf(client.resource('widgets'))).code).toBe('k8s_unauthorized');
    expect((await client.resource('widgets')).kind).toBe('Widget');
  });

  it('survives any shape', () => {
    expect(
      parseAggregated({
        items: [null, { versions: [{ version: 'v1', resources: [{ resource: 'x' }, 7] }] }, { metadata: 3 }],
      }),
    ).toEqual({
      resources: [],
      failures: [],
    });
    expect(parseAggregated(undefined)).toEqual({ resources: [], failures: [] });
  });
});

describe('discovery group by group', () => {
  const LEGACY = { kind: 'APIVersions', versions: ['v1'] };
  const POD_LIST = {
    kind: 'APIResourceList',
    groupVersion: 'v1',
    resources: [
      { name: 'pods', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'], shortNames: ['po'] },
      { name: 'pods/log', singularName: '', namespaced: true, kind: 'Pod', verbs: ['get'] },
      { name: 'pods/eviction', namespaced: true, kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
      { name: 'nodes', singularName: 'node', namespaced: false, kind: 'Node', verbs: ['get'] },
    ],
  };
  const OLD_GROUPS = {
    kind: 'APIGroupList',
    groups: [
      { name: 'shop.example', versions: [{ version: 'v1' }, { version: 'v2' }], preferredVersion: { version: 'v2' } },
      { name: 'metrics.k8s.io', versions: [{ version: 'v1beta1' }], preferredVersion: { version: 'v1beta1' } },
    ],
  };
  const widgets = {
    kind: 'APIResourceList',
    resources: [{ name: 'widgets', singularName: 'widget', namespaced: true, kind: 'Widget', verbs: ['get'] }],
  };

  it('is done where the aggregated form is not served; a broken group is reported', async () => {
    server.always(
      serve({
        '/api': LEGACY,
        '/api/v1': POD_LIST,
        '/apis': OLD_GROUPS,
        '/apis/shop.example/v1': widgets,
        '/apis/shop.example/v2': widgets,
        '/apis/metrics.k8s.io/v1beta1': text('service unavailable\n', 503),
      }),
    );
    const { client } = faultClient(server, { maxRetries: 0 });
    expect((await client.resources()).map(({ plural, group, version }) => `${plural}.${version}.${group}`)).toEqual([
      'pods.v1.',
      'nodes.v1.',
      'widgets.v2.shop.example',
    ]);
    expect(await client.discoveryFailures()).toEqual([
      { group: 'metrics.k8s.io', version: 'v1beta1', code: 'k8s_server_error' },
    ]);
    expect((await client.resource('shop.example/v1/Widget')).version).toBe('v1');
  });

  it('puts subresources to their resource', () => {
    const [pods, nodes] = parseResourceList(POD_LIST, { group: '', version: 'v1' });
    expect(pods).toMatchObject({ singular: 'pod', subresources: ['log', 'eviction'], namespaced: true });
    expect(nodes).toMatchObject({ singular: 'node', subresources: [], namespaced: false });
  });

  it.each([
    ['/api', { '/api': json([]), '/apis': OLD_GROUPS }],
    ['/apis', { '/api': LEGACY, '/api/v1': POD_LIST, '/apis': {} }],
  ])('fails when %s is not what it should be', async (_path, paths) => {
    server.always(serve(paths));
    expect((await errorOf(faultClient(server).client.resources())).code).toBe('k8s_response_invalid');
  });

  it('fails when the server is no Kubernetes', async () => {
    server.always(text('404 page not found\n', 404));
    expect((await errorOf(faultClient(server).client.resources())).code).toBe('k8s_not_kubernetes');
  });
});
