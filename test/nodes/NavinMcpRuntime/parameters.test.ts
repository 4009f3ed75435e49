import { describe, expect, it } from '@jest/globals';
import { NavinMcpRuntime } from '../../../nodes/NavinMcpRuntime/NavinMcpRuntime.node';
import { RESOURCE_DESCRIPTIONS } from '../../../nodes/NavinMcpRuntime/actions';
import { isRead } from '../../../nodes/shared/readOnly';
import { editorContext, execute, named, outputOf } from '../testing/context';
import { type FakeRequest, forbidden, useFakeApi } from '../testing/fakeApi';

const api = useFakeApi();

const NAMESPACE = 'mcp-0123456789ab';
const GROUP = '/apis/toolhive.stacklok.dev/v1beta1';
const INSTANCE = { namespace: named(NAMESPACE), name: named('fetch') };

const CHANGES = [
  ['install', { resource: 'mcpRuntime', operation: 'install' }, 'POST'],
  ['restart', { resource: 'mcpInstance', operation: 'restart', ...INSTANCE }, 'PATCH'],
  ['delete', { resource: 'mcpInstance', operation: 'delete', ...INSTANCE }, 'DELETE'],
] as const;

/** What discovery says of MCPServers and ManagedComponents. */
const DISCOVERY = {
  kind: 'APIGroupDiscoveryList',
  items: [
    ['toolhive.stacklok.dev', 'v1beta1', 'mcpservers', 'MCPServer'],
    ['platform.navin.ai', 'v1alpha1', 'managedcomponents', 'ManagedComponent'],
  ].map(([name, version, resource, kind]) => ({
    metadata: { name },
    versions: [
      { version, resources: [{ resource, responseKind: { kind }, scope: 'Namespaced', verbs: ['get', 'list'] }] },
    ],
  })),
};

const object = (kind: string, labels: object) => ({
  kind,
  apiVersion: 'v1',
  metadata: {
    name: kind === 'Namespace' ? NAMESPACE : 'fetch',
    namespace: NAMESPACE,
    uid: 'u-1',
    resourceVersion: '7',
    labels,
  },
});

/** Answers reads as a cluster with one managed instance. */
function read({ path }: FakeRequest): { readonly json: unknown } | undefined {
  if (path === '/api') return { json: { kind: 'APIGroupDiscoveryList', items: [] } };
  if (path === '/apis') return { json: DISCOVERY };
  if (path === `/api/v1/namespaces/${NAMESPACE}`)
    return { json: object('Namespace', { 'eai.io/mcp-runtime': 'true' }) };
  const labels = { 'app.kubernetes.io/managed-by': 'eai-mcp-runtime' };
  const list = (items: readonly object[]) => ({ json: { kind: 'List', metadata: { resourceVersion: '1' }, items } });
  if (path === `${GROUP}/namespaces/${NAMESPACE}/mcpservers/fetch`) return { json: object('MCPServer', labels) };
  if (path.endsWith('/mcpservers')) return list([object('MCPServer', labels)]);
  if (path === '/api/v1/namespaces') return list([object('Namespace', {})]);
  return undefined;
}

describe('an operation that changes something', () => {
  it('is one of three', () => {
    const changes = RESOURCE_DESCRIPTIONS.flatMap(({ operations }) => operations).filter((one) => !isRead(one));
    expect(changes.map(({ value }) => value).sort()).toEqual(['delete', 'install', 'restart']);
  });

  it.each(CHANGES.map(([name, parameters]) => ({ name, parameters })))(
    '$name sends nothing where the node is read only',
    async ({ parameters }) => {
      const running = execute({ credential: api().credential(), parameters: { ...parameters, readOnly: true } });
      await expect(running).rejects.toMatchObject({ context: { code: 'k8s_read_only' } });
      expect(api().requests).toEqual([]);
    },
  );

  it.each(CHANGES)('%s is sent once when the answer is lost, and says so', async (_name, parameters, verb) => {
    const isChange = ({ method, query }: FakeRequest): boolean => method === verb && !query.has('dryRun');
    api().answer((request) => {
      if (isChange(request)) return { drop: true };
      return request.method === 'GET' ? read(request) : { json: object('ManagedComponent', {}) };
    });
    const running = execute({ credential: api().credential(), parameters });
    await expect(running).rejects.toMatchObject({ context: { code: 'k8s_outcome_unknown' } });
    expect(api().requests.filter(isChange)).toHaveLength(1);
  });
});

it.each(['acme,eai.io/project=mail', 'a b', '-a', 'a!', 'x'.repeat(64)])(
  'a tenant that would select something else is refused before anything is sent: %s',
  async (tenant) => {
    for (const [resource, operation] of [
      ['mcpInstance', 'getAll'],
      ['mcpRuntime', 'getStatus'],
    ]) {
      const running = execute({ credential: api().credential(), parameters: { resource, operation, tenant } });
      await expect(running).rejects.toMatchObject({
        context: { code: 'k8s_parameter_invalid', details: { parameter: 'tenant' } },
      });
    }
    expect(api().requests).toEqual([]);
  },
);

it('the API server selects by tenant and project', async () => {
  api().answer(read);
  const parameters = { resource: 'mcpInstance', operation: 'getAll', tenant: ' acme ', project: 'chat' };
  await execute({ credential: api().credential(), parameters });
  const lists = api().requests.filter(({ path }) => path.endsWith('/mcpservers'));
  expect(lists.map(({ query }) => query.get('labelSelector'))).toEqual([
    'app.kubernetes.io/managed-by=eai-mcp-runtime,eai.io/tenant=acme,eai.io/project=chat',
  ]);
});

it('a missing right is told as one of the runtime, also while listing', async () => {
  api().answer((request) =>
    request.path === '/api/v1/namespaces' ? forbidden('list', 'namespaces', 'x') : read(request),
  );
  const [item] = await execute({
    credential: api().credential(),
    parameters: { resource: 'mcpInstance', operation: 'getAll' },
    onError: 'continueRegularOutput',
  });
  expect(item?.json.details).toMatchObject({ code: 'mcp_runtime_forbidden', verb: 'list', resource: 'namespaces' });
});

it('the required rights are those of all operations, restart and its patch among them', async () => {
  api().answer(() => ({ status: 201, json: { kind: 'SelfSubjectAccessReview', status: { allowed: false } } }));
  const parameters = { resource: 'mcpRuntime', operation: 'getRequiredRights' };
  const [all] = await outputOf({ credential: api().credential(), parameters });
  expect(all).toEqual({
    allowed: false,
    required: expect.any(Array),
    missing: [
      'list namespaces in all namespaces',
      'list mcpservers.toolhive.stacklok.dev in all namespaces',
      'get deployments.apps in toolhive-system',
      'get managedcomponents.platform.navin.ai in toolhive-system',
      'get namespaces in all namespaces',
      'get mcpservers.toolhive.stacklok.dev in all namespaces',
      'delete mcpservers.toolhive.stacklok.dev in all namespaces',
      'patch mcpservers.toolhive.stacklok.dev in all namespaces',
      'create managedcomponents.platform.navin.ai in toolhive-system',
    ],
    optional: ['get deployments.apps in all namespaces'],
    roles: expect.stringContaining('kind: ClusterRole\nmetadata: { name: navin-mcp-runtime }'),
  });
  const [read_] = await outputOf({ credential: api().credential(), parameters: { ...parameters, operations: 'read' } });
  expect(read_?.missing).toHaveLength(4);
});

describe('From List', () => {
  const { searchMcpInstances, searchMcpNamespaces } = new NavinMcpRuntime().methods.listSearch;
  const editor = () =>
    editorContext({ resource: 'mcpInstance', operation: 'restart', namespace: named(NAMESPACE) }, api().credential());

  it('offers namespaces and instances that have the labels', async () => {
    api().answer(read);
    expect(await searchMcpNamespaces.call(editor())).toEqual({ results: [{ name: NAMESPACE, value: NAMESPACE }] });
    expect(await searchMcpInstances.call(editor())).toEqual({ results: [{ name: 'fetch', value: 'fetch' }] });
    const lists = api().requests.filter(({ query }) => query.has('limit'));
    expect(lists.map(({ path, query }) => [path, query.get('labelSelector')])).toEqual([
      ['/api/v1/namespaces', 'eai.io/mcp-runtime=true'],
      [`${GROUP}/namespaces/${NAMESPACE}/mcpservers`, 'app.kubernetes.io/managed-by=eai-mcp-runtime'],
    ]);
  });
});
