import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { ApiResource, KubeObject } from '../../core/kube';
import { errorOf, faultClient } from '../../core/kube/testing/faultClient';
import { deleteInstance, findInstance, requestRestart, runtimeError } from '../../core/mcp';
import { type Behaviour, failure, FaultServer, json } from '../faults';

/*
 * A scripted server in place of the API server: what a request is answered is decided here, and each request is seen. The
 * real API server is asked the same in test/nodes/NavinMcpRuntime.
 */

const NAMESPACE = 'mcp-0123456789ab';
const SERVERS: ApiResource = {
  group: 'toolhive.stacklok.dev',
  version: 'v1beta1',
  plural: 'mcpservers',
  singular: 'mcpserver',
  kind: 'MCPServer',
  namespaced: true,
  verbs: ['get', 'list', 'patch', 'delete'],
  shortNames: [],
  subresources: ['status'],
};
const OBJECT = `/apis/toolhive.stacklok.dev/v1beta1/namespaces/${NAMESPACE}/mcpservers/fetch`;
const PLACE = `/api/v1/namespaces/${NAMESPACE}`;

const place = (labels: object = { 'eai.io/mcp-runtime': 'true' }): object => ({
  kind: 'Namespace',
  apiVersion: 'v1',
  metadata: { name: NAMESPACE, labels },
});
const instance = (labels: object = { 'app.kubernetes.io/managed-by': 'eai-mcp-runtime' }, uid = 'u-1'): KubeObject => ({
  kind: 'MCPServer',
  apiVersion: 'toolhive.stacklok.dev/v1beta1',
  metadata: {
    name: 'fetch',
    namespace: NAMESPACE,
    uid,
    resourceVersion: '7',
    labels: labels as Readonly<Record<string, string>>,
  },
});

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

/** What is there, and how other requests are answered, by method and path; what is not is answered with 404. */
function serve(
  objects: Readonly<Record<string, object | undefined>>,
  answers: Readonly<Record<string, Behaviour>> = {},
): void {
  server.always((exchange) => {
    const { method, url } = exchange.request;
    const [path = ''] = url.split('?');
    const found = method === 'GET' ? objects[path] : undefined;
    const answer = found === undefined ? failure(404, 'NotFound', 'not found') : json(found);
    return (answers[`${method} ${path}`] ?? answer)(exchange);
  });
}

const requests = (): readonly string[] => server.requests.map(({ method, url }) => `${method} ${url}`).sort();

const REFUSED = [
  ['there is no such object', { [PLACE]: place() }, 'missing'],
  ['there is no such namespace', {}, 'missing'],
  ['the namespace is not labelled', { [PLACE]: place({}), [OBJECT]: instance() }, 'namespace_label'],
  ['the object is not labelled', { [PLACE]: place(), [OBJECT]: instance({}) }, 'instance_label'],
  [
    'somebody else manages it',
    { [PLACE]: place(), [OBJECT]: instance({ 'app.kubernetes.io/managed-by': 'Helm' }) },
    'instance_label',
  ],
  ['another one has its name', { [PLACE]: place(), [OBJECT]: instance(undefined, 'u-2') }, 'another_uid'],
] as const;

describe('an instance is not found', () => {
  it.each(REFUSED)('when %s, by the same two requests, and nothing is written', async (_what, objects, refusal) => {
    serve(objects);
    const { client } = faultClient(server);
    const ref = { namespace: NAMESPACE, name: 'fetch', uid: 'u-1' };
    const expected = [`GET ${PLACE}`, `GET ${OBJECT}`].sort();
    expect(await findInstance(client, SERVERS, ref)).toEqual({ refusal });
    expect(requests()).toEqual(expected);
    expect(await deleteInstance(client, SERVERS, ref)).toEqual({ refusal });
    expect(await requestRestart(client, SERVERS, ref, () => 0)).toEqual({ refusal });
    expect(requests()).toEqual([...expected, ...expected, ...expected].sort());
  });

  it('in a namespace whose name is not one of the runtime, although it is labelled', async () => {
    const [namespace, path] = [
      'production',
      '/apis/toolhive.stacklok.dev/v1beta1/namespaces/production/mcpservers/fetch',
    ];
    const labels = { 'eai.io/mcp-runtime': 'true' };
    serve({
      '/api/v1/namespaces/production': { ...place(), metadata: { name: namespace, labels } },
      [path]: instance(),
    });
    expect(await findInstance(faultClient(server).client, SERVERS, { namespace, name: 'fetch' })).toEqual({
      refusal: 'namespace_name',
    });
    expect(server.requests).toHaveLength(2);
  });
});

describe('a managed instance', () => {
  it('is deleted by its uid', async () => {
    serve({ [PLACE]: place(), [OBJECT]: instance() }, { [`DELETE ${OBJECT}`]: json(instance()) });
    const { client } = faultClient(server);
    const found = await deleteInstance(client, SERVERS, { namespace: NAMESPACE, name: 'fetch' });
    expect(found.object?.metadata.uid).toBe('u-1');
    const [deletion] = server.requests.filter(({ method }) => method === 'DELETE');
    expect(JSON.parse(deletion?.body.toString() ?? '')).toMatchObject({ preconditions: { uid: 'u-1' } });
  });

  it.each([
    [409, 'Conflict', 'another_uid'],
    [404, 'NotFound', 'missing'],
  ])('that is exchanged between look and deletion (%i) is not found', async (status, reason, refusal) => {
    serve({ [PLACE]: place(), [OBJECT]: instance() }, { [`DELETE ${OBJECT}`]: failure(status, reason, 'not the one') });
    const { client } = faultClient(server);
    expect(await deleteInstance(client, SERVERS, { namespace: NAMESPACE, name: 'fetch' })).toEqual({ refusal });
  });

  it('that is changed between look and restart is looked at anew, and only as long as it is the same', async () => {
    let reads = 0;
    server.always((exchange) => {
      const { method, url } = exchange.request;
      const [path = ''] = url.split('?');
      if (method === 'PATCH') return failure(409, 'Conflict', 'changed')(exchange);
      if (path === PLACE) return json(place())(exchange);
      if (path !== OBJECT) return failure(404, 'NotFound', 'none')(exchange);
      reads += 1;
      return json(instance(undefined, reads < 3 ? 'u-1' : 'u-2'))(exchange);
    });
    const { client } = faultClient(server);
    const ref = { namespace: NAMESPACE, name: 'fetch' };
    expect(await requestRestart(client, SERVERS, ref, () => 0)).toEqual({ refusal: 'another_uid' });
    expect(server.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(2);
  });

  it('that changes all the time is given up as a conflict', async () => {
    serve({ [PLACE]: place(), [OBJECT]: instance() }, { [`PATCH ${OBJECT}`]: failure(409, 'Conflict', 'changed') });
    const { client } = faultClient(server);
    const restarting = requestRestart(client, SERVERS, { namespace: NAMESPACE, name: 'fetch' }, () => 0);
    expect((await errorOf(restarting)).code).toBe('k8s_conflict');
    expect(server.requests.filter(({ method }) => method === 'PATCH')).toHaveLength(5);
  });
});

it('a missing right has a code of its own and names verb and resource', async () => {
  server.always(
    failure(
      403,
      'Forbidden',
      'mcpservers.toolhive.stacklok.dev "fetch" is forbidden: User "u" cannot get resource "mcpservers" in API group "toolhive.stacklok.dev" in the namespace "mcp-0123456789ab"',
    ),
  );
  const { client } = faultClient(server);
  const ref = { namespace: NAMESPACE, name: 'fetch' };
  const error = await findInstance(client, SERVERS, ref).catch((refused: unknown) => runtimeError(refused));
  expect(error).toMatchObject({
    code: 'mcp_runtime_forbidden',
    httpStatus: 403,
    message: expect.stringContaining('"get" on mcpservers.toolhive.stacklok.dev'),
    hint: expect.stringContaining('verbs: [get]'),
    details: { verb: 'get', resource: 'mcpservers', group: 'toolhive.stacklok.dev', namespace: NAMESPACE },
  });
});
