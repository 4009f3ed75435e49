import { describe, expect, it } from '@jest/globals';
import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { Kubernetes } from '../../../nodes/Kubernetes/Kubernetes.node';
import { editorContext, named } from '../testing/context';
import { type FakeRequest, forbidden, useFakeApi } from '../testing/fakeApi';

const api = useFakeApi();
const { listSearch } = new Kubernetes().methods;
type Method = keyof typeof listSearch;

async function search(
  method: Method,
  parameters: object,
  filter?: string,
  token?: string,
): Promise<INodeListSearchResult> {
  const context = editorContext({ resource: 'pod', operation: 'get', ...parameters }, api().credential());
  return await listSearch[method].call(context, filter, token);
}

/** Serves a list of names in pages as the API server does. */
function serve(names: readonly string[]) {
  return ({ query }: FakeRequest) => {
    const start = Number(query.get('continue') ?? '0');
    const end = start + Number(query.get('limit'));
    const items = names.slice(start, end).map((name) => ({ metadata: { name } }));
    const metadata = { resourceVersion: '1', ...(end < names.length ? { continue: String(end) } : {}) };
    return { json: { kind: 'PartialObjectMetadataList', metadata, items } };
  };
}

function numbered(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `pod-${String(index).padStart(5, '0')}`);
}

describe('choosing from the list', () => {
  it('shows the names of the chosen namespace and asks for no more than them', async () => {
    api().answer(serve(['api', 'web']));
    expect(await search('searchPods', { namespace: named('other') })).toEqual({
      results: [
        { name: 'api', value: 'api' },
        { name: 'web', value: 'web' },
      ],
    });
    expect(api().requests[0]?.path).toBe('/api/v1/namespaces/other/pods');
  });

  it('shows the namespace of the credential when none is chosen', async () => {
    api().answer(serve([]));
    await search('searchPods', {});
    expect(api().requests[0]?.path).toBe('/api/v1/namespaces/shop/pods');
  });

  it.each<[Method, string]>([
    ['searchDeployments', '/apis/apps/v1/namespaces/shop/deployments'],
    ['searchJobs', '/apis/batch/v1/namespaces/shop/jobs'],
    ['searchServices', '/api/v1/namespaces/shop/services'],
    ['searchIngresses', '/apis/networking.k8s.io/v1/namespaces/shop/ingresses'],
    ['searchPersistentvolumeclaims', '/api/v1/namespaces/shop/persistentvolumeclaims'],
    ['searchHorizontalpodautoscalers', '/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers'],
    ['searchServiceaccounts', '/api/v1/namespaces/shop/serviceaccounts'],
    ['searchNamespaces', '/api/v1/namespaces'],
  ])('%s lists %s', async (method, path) => {
    api().answer(serve([]));
    await search(method, {});
    expect(api().requests.map((request) => request.path)).toEqual([path]);
  });

  it('pages on the server', async () => {
    api().answer(serve(numbered(450)));
    const first = await search('searchPods', {});
    expect([first.results.length, first.paginationToken]).toEqual([200, '200']);
    const second = await search('searchPods', {}, undefined, first.paginationToken);
    const third = await search('searchPods', {}, undefined, second.paginationToken);
    expect([second.results.length, third.results.length, third.paginationToken]).toEqual([200, 50, undefined]);
    expect(third.results.at(-1)?.value).toBe('pod-00449');
  });

  it('finds a part of a name on a later page, and goes on from there', async () => {
    api().answer(serve(numbered(4_500)));
    const found = await search('searchPods', {}, ' POD-0250 ');
    expect(found.results.map(({ value }) => value)).toEqual(numbered(4_500).slice(2_500, 2_510));
    expect(found.paginationToken).toBe('3000');
    expect((await search('searchPods', {}, '0250', found.paginationToken)).results).toEqual([]);
  });

  it('stops looking after ten pages and can be told to go on', async () => {
    api().answer(serve(numbered(20_000)));
    expect(await search('searchPods', {}, 'nothing')).toEqual({ results: [], paginationToken: '10000' });
    expect(api().requests).toHaveLength(10);
  });

  it('offers all namespaces where all can be listed, once', async () => {
    api().answer(serve(['default', 'shop']));
    const all = { name: 'All Namespaces', value: '*' };
    expect((await search('searchNamespacesOrAll', {})).results).toEqual([
      all,
      { name: 'default', value: 'default' },
      { name: 'shop', value: 'shop' },
    ]);
    expect((await search('searchNamespacesOrAll', {}, 'sh')).results).toEqual([{ name: 'shop', value: 'shop' }]);
    expect((await search('searchNamespaces', {})).results).not.toContainEqual(all);
  });

  // headlamp#752, #2598, #3899, #3516
  it('shows the namespace of the credential and why, where namespaces may not be listed', async () => {
    api().answer(() => forbidden('list', 'namespaces', ''));
    expect(await search('searchNamespaces', {})).toEqual({
      results: [
        {
          name: 'shop (the credential may not list others)',
          value: 'shop',
          description: expect.stringContaining('ClusterRole'),
        },
      ],
    });
  });

  it('shows containers with their images, init containers named as such', async () => {
    api().answer(({ path }) => ({
      json: {
        kind: 'Deployment',
        metadata: { name: path.split('/').at(-1) },
        spec: {
          template: {
            spec: { containers: [{ name: 'app', image: 'nginx:1' }], initContainers: [{ name: 'migrate' }] },
          },
        },
      },
    }));
    const parameters = { resource: 'deployment', operation: 'setImage', name: named('web') };
    expect(await search('searchContainers', parameters)).toEqual({
      results: [
        { name: 'app', value: 'app', description: 'nginx:1' },
        { name: 'migrate', value: 'migrate', description: 'Init container' },
      ],
    });
    expect(api().requests[0]?.path).toBe('/apis/apps/v1/namespaces/shop/deployments/web');
  });

  it('shows the containers of a pod', async () => {
    api().answer(() => ({ json: { kind: 'Pod', metadata: {}, spec: { containers: [{ name: 'app', image: 'a' }] } } }));
    const found = await search('searchContainers', { operation: 'getLogs', name: named('web') }, 'AP');
    expect(found.results.map(({ value }) => value)).toEqual(['app']);
  });

  it.each([
    ['an expression', named('={{ $json.namespace }}'), "'Namespace' is an expression, so there is nothing to list"],
  ])('says that there is nothing to list for %s', async (_what, namespace, message) => {
    await expect(search('searchPods', { namespace })).rejects.toMatchObject({ message });
    expect(api().requests).toEqual([]);
  });

  it('says that the pod comes before the container', async () => {
    await expect(search('searchContainers', { operation: 'getLogs' })).rejects.toMatchObject({
      message: "'Pod' is not chosen yet",
    });
  });

  it('says what is missing when the objects may not be listed', async () => {
    api().answer(() => forbidden('list', 'pods', 'shop'));
    await expect(search('searchPods', {})).rejects.toMatchObject({
      name: 'NodeApiError',
      httpCode: '403',
      description: expect.stringContaining('verbs: [list]'),
    });
  });

  it('says what is wrong with the credential', async () => {
    const context: ILoadOptionsFunctions = editorContext(
      { resource: 'pod', operation: 'get' },
      api().credential({ apiServer: 'https://10.1.2.3' }),
    );
    await expect(listSearch.searchPods.call(context)).rejects.toMatchObject({
      context: { code: 'k8s_egress_refused' },
    });
  });
});
