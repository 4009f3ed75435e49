import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { clusterClient } from '../../../core/kube/testing/clusterClient';
import { errorOf } from '../../../core/kube/testing/faultClient';
import { mcpServers } from '../../../core/mcp';
import { restartPatch } from '../../../core/mcp/restart';
import { useCluster } from '../../cluster/jest';
import { installMcpServers, minimalDefinition, realDefinition, removeMcpServers } from '../../mcp/definitions';
import { instanceLabels, instanceNamespace, makeInstance, makeProxy } from '../../mcp/instances';
import { ToolHiveDouble } from '../../mcp/toolhive';
import { credentialFor, useTestCluster } from '../testing/cluster';
import { execute, executionContext, named, outputOf } from '../testing/context';
import { NavinMcpRuntime } from '../../../nodes/NavinMcpRuntime/NavinMcpRuntime.node';

// Which versions of MCPServer are served concerns the whole cluster, so this is one of its own.
const cluster = useCluster({ nodes: 1, auditLog: true });
const test = useTestCluster('mcp', cluster);

const STATUS = { resource: 'mcpRuntime', operation: 'getStatus' };
const GET_ALL = { resource: 'mcpInstance', operation: 'getAll', returnAll: true };
const OPTIONS = { intervalSeconds: 1 };

const on = (operation: string, namespace: string, name: string, more: IDataObject = {}) => ({
  resource: 'mcpInstance',
  operation,
  namespace: named(namespace),
  name: named(name),
  options: OPTIONS,
  ...more,
});

async function output(parameters: Readonly<Record<string, unknown>>): Promise<IDataObject[]> {
  return await outputOf({ credential: test().credential, parameters });
}

const ACME = {
  'eai.io/tenant': 'acme',
  'eai.io/project': 'chat',
  'eai.io/template': 'fetch',
  'eai.io/owner': '0123456789abcdef',
};
const URL_OF_FETCH = 'http://mcp-fetch-proxy.svc.cluster.local:8080';

/** ToolHive's own definition does not know the phase Running any more. */
const DEFINITIONS = ([['v1alpha1'], ['v1alpha1', 'v1beta1']] as const).map((served) => {
  const real = realDefinition(served);
  const preferredFirst = [...served].reverse();
  return real === undefined
    ? { of: 'a minimal definition', definition: minimalDefinition(served), versions: preferredFirst, phase: 'Running' }
    : { of: "ToolHive's own definition", definition: real, versions: preferredFirst, phase: 'Ready' };
});

(DEFINITIONS[0]?.phase === 'Ready' ? it : it.skip)("ToolHive's own definition is there to be tried", () => {
  expect(DEFINITIONS.map(({ of }) => of)).toEqual(["ToolHive's own definition", "ToolHive's own definition"]);
});

describe.each(DEFINITIONS)('on a cluster that serves $versions of $of', ({ definition, versions, phase }) => {
  let namespace = '';
  let toolhive: ToolHiveDouble | undefined;

  beforeAll(async () => {
    await installMcpServers(cluster(), definition);
    namespace = await instanceNamespace(cluster());
    const labels = instanceLabels(ACME);
    await makeInstance(cluster(), namespace, 'fetch', { labels, status: { phase, url: URL_OF_FETCH } });
    await makeProxy(cluster(), namespace, 'fetch');
    await makeInstance(cluster(), namespace, 'young', { finalizers: ['mcpserver.toolhive.stacklok.dev/finalizer'] });
    await makeInstance(cluster(), namespace, 'foreign', { labels: { 'app.kubernetes.io/managed-by': 'Helm' } });
    const unlabelled = await instanceNamespace(cluster(), {});
    await makeInstance(cluster(), unlabelled, 'stray');
    toolhive = await ToolHiveDouble.start(cluster(), versions[0] ?? '', namespace, 'restarts');
  }, 60_000);

  afterAll(async () => {
    await toolhive?.stop();
  });

  it('the managed instances are listed, counted and nothing else', async () => {
    const [status] = await output(STATUS);
    expect(status).toEqual({
      operator: { found: false, ready: false },
      definition: { served: true, versions },
      components: [],
      total: 2,
      counts: {
        byPhase: { Ready: 1, Unknown: 1 },
        byTenant: { '(none)': 1, acme: 1 },
        byProject: { '(none)': 1, chat: 1 },
      },
      instances: [
        {
          namespace,
          name: 'fetch',
          uid: expect.any(String),
          tenant: 'acme',
          project: 'chat',
          template: 'fetch',
          owner: '0123456789abcdef',
          phase: 'Ready',
          address: `${URL_OF_FETCH}/`,
          createdAt: expect.any(String),
          ageSeconds: expect.any(Number),
        },
        expect.objectContaining({ namespace, name: 'young', phase: 'Unknown' }),
      ],
      truncated: false,
    });
    expect(JSON.stringify(status)).not.toContain('hunter2');
  });

  it('the items are those of a tenant and project, the counts those of all', async () => {
    const [status] = await output({ ...STATUS, tenant: 'acme', project: 'chat' });
    expect(status).toMatchObject({ total: 2, instances: [{ name: 'fetch' }], truncated: false });
    expect(await output({ ...STATUS, tenant: 'acme', project: 'mail' })).toMatchObject([{ total: 2, instances: [] }]);
    expect(await output({ ...STATUS, maxInstances: 1 })).toMatchObject([
      { instances: [{ name: 'fetch' }], truncated: true },
    ]);
    const names = async (more: IDataObject) => (await output({ ...GET_ALL, ...more })).map(({ name }) => name);
    expect(await names({})).toEqual(['fetch', 'young']);
    expect(await names({ returnAll: false, limit: 1 })).toEqual(['fetch']);
    expect(await names({ tenant: 'acme' })).toEqual(['fetch']);
    expect(await names({ project: 'mail' })).toEqual([]);
    expect(await names({ phase: 'running' })).toEqual(['fetch']);
    expect(await names({ phase: 'Unknown' })).toEqual(['young']);
  });

  it('two restarts are two, each confirmed by ToolHive and the rollout', async () => {
    const restart = on('restart', namespace, 'fetch', { timeoutSeconds: 60 });
    const [first] = await output(restart);
    const [second] = await output(restart);
    for (const result of [first, second]) {
      expect(result).toMatchObject({ name: 'fetch', confirmed: true, processed: true, rollout: 'complete' });
    }
    const times = [first, second].map((result) => Date.parse(result?.restartedAt as string));
    expect(times[1]).toBeGreaterThan(times[0] ?? Number.NaN);
    const path = `/apis/toolhive.stacklok.dev/${versions[0] ?? ''}/namespaces/${namespace}/mcpservers/fetch`;
    const { metadata } = await cluster().api.get(path);
    expect(metadata.annotations?.['mcpserver.toolhive.stacklok.dev/last-processed-restart']).toBe(second?.restartedAt);
  });

  it('a restart of what has no Deployment is none, though ToolHive takes it up', async () => {
    const restart = on('restart', namespace, 'young', { timeoutSeconds: 60, onFailure: 'output' });
    expect(await output(restart)).toMatchObject([{ confirmed: false, processed: true, rollout: 'missing' }]);
    await expect(output({ ...restart, onFailure: 'error' })).rejects.toMatchObject({
      context: { code: 'k8s_wait_failed', details: { processed: true, rollout: 'missing' } },
    });
  });

  it('an instance is deleted and gone when ToolHive has cleaned up', async () => {
    const [deleted] = await output(on('delete', namespace, 'young', { wait: true, timeoutSeconds: 60 }));
    expect(deleted).toMatchObject({ deleted: true, gone: true, name: 'young' });
    expect((await output(GET_ALL)).map(({ name }) => name)).toEqual(['fetch']);
  });
});

describe('what is not a managed instance', () => {
  let namespace = '';
  let unlabelled = '';

  beforeAll(async () => {
    await installMcpServers(cluster(), minimalDefinition(['v1alpha1', 'v1beta1']));
    namespace = await instanceNamespace(cluster());
    unlabelled = await instanceNamespace(cluster(), {});
    await makeInstance(cluster(), namespace, 'fetch');
    await makeInstance(cluster(), namespace, 'foreign', { labels: {} });
    await makeInstance(cluster(), unlabelled, 'fetch');
  }, 60_000);

  const CASES = [
    ['a missing object', () => [namespace, 'nothing'], 'missing'],
    ['a missing namespace', () => ['mcp-ffffffffffff', 'fetch'], 'missing'],
    ['an object without the label', () => [namespace, 'foreign'], 'instance_label'],
    ['an object in a namespace without the label', () => [unlabelled, 'fetch'], 'namespace_label'],
  ] as const;

  it.each(['delete', 'restart'])(
    'is not there for %s: same text, note and number of requests; the log says why',
    async (operation) => {
      const seen: unknown[] = [];
      for (const [, of, reason] of CASES) {
        const [place = '', name = ''] = of();
        // An account of its own, so that the audit log tells the requests apart.
        const account = await cluster().serviceAccount({ namespace: test().namespace, clusterRules: EVERYTHING });
        const credential = { ...test().credential, token: account.token };
        const context = executionContext({ credential, parameters: on(operation, place, name) });
        const error: unknown = await new NavinMcpRuntime().execute.call(context).catch((refused: unknown) => refused);
        const {
          message,
          description,
          context: of_,
        } = error as { message: string; description: string; context: IDataObject };
        seen.push({ message, description, code: of_.code, notes: context.notes, requests: requestsOf(account.name) });
        const action = operation === 'delete' ? 'destroy' : 'restart';
        expect(context.logged).toEqual([
          `mcp_runtime.instance.${action} outcome=denied reason=${reason} namespace=${place} name=${name}`,
        ]);
      }
      expect(seen[0]).toMatchObject({
        message: 'There is no managed MCP instance of this name in this namespace',
        code: 'mcp_runtime_instance_not_found',
        requests: ['get mcpservers', 'get namespaces'],
      });
      expect(seen.map((each) => JSON.stringify(each))).toEqual(seen.map(() => JSON.stringify(seen[0])));
    },
  );

  it('is not there when another one has its name by now', async () => {
    const uid = '00000000-0000-0000-0000-000000000000';
    for (const operation of ['delete', 'restart']) {
      await expect(output(on(operation, namespace, 'fetch', { options: { uid } }))).rejects.toMatchObject({
        context: { code: 'mcp_runtime_instance_not_found' },
      });
    }
    expect(await output(GET_ALL)).toMatchObject([{ name: 'fetch' }]);
  });

  it('is not changed by a dry run either', async () => {
    const options = { dryRun: true };
    expect(await output(on('delete', namespace, 'fetch', { options }))).toMatchObject([
      { deleted: false, dryRun: true },
    ]);
    expect(await output(on('restart', namespace, 'fetch', { options }))).toMatchObject([
      { confirmed: false, dryRun: true },
    ]);
    const { metadata } = await cluster().api.get(
      `/apis/toolhive.stacklok.dev/v1beta1/namespaces/${namespace}/mcpservers/fetch`,
    );
    expect([metadata.annotations, metadata.deletionTimestamp]).toEqual([undefined, undefined]);
  });

  it('is another version or another object to the API server, which refuses to restart it', async () => {
    const client = clusterClient(cluster());
    const resource = await mcpServers(client);
    const ref = { namespace, name: 'fetch' };
    const object = await client.get(resource, ref);
    const codes = [{ resourceVersion: '1' }, { uid: 'another' }].map(async (other) => {
      const body = restartPatch({ metadata: { ...object.metadata, ...other } }, '2026-01-01T00:00:00Z');
      return (await errorOf(client.patch(resource, ref, { type: 'merge', body }))).code;
    });
    expect(await Promise.all(codes)).toEqual(['k8s_conflict', 'k8s_invalid']);
    client.close();
  });

  it('a restart that ToolHive takes up without the pods is not confirmed', async () => {
    await makeProxy(cluster(), namespace, 'fetch');
    const toolhive = await ToolHiveDouble.start(cluster(), 'v1beta1', namespace, 'forgets the pods');
    const restart = on('restart', namespace, 'fetch', { timeoutSeconds: 2, onFailure: 'output' });
    expect(await output(restart)).toMatchObject([{ confirmed: false, processed: true, rollout: 'pending' }]);
    await toolhive.stop();
  });

  it('a restart that nobody takes up stays asked for and says so', async () => {
    await expect(output(on('restart', namespace, 'fetch', { timeoutSeconds: 1 }))).rejects.toMatchObject({
      message:
        'The restart of the MCP instance fetch is not confirmed after 1 s: The ToolHive operator has not taken it up yet.',
      context: { code: 'k8s_wait_failed', details: { processed: false, rollout: 'unknown' } },
    });
    const [unwaited] = await output(on('restart', namespace, 'fetch', { wait: false }));
    expect(unwaited).toMatchObject({ confirmed: false, processed: false });
  });
});

const EVERYTHING = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];

/** The requests about objects that an account has made, by verb and resource. */
function requestsOf(account: string): readonly string[] {
  return cluster()
    .auditEvents()
    .filter(({ user }) => user.username.endsWith(`:${account}`))
    .flatMap(({ verb, objectRef }) => (objectRef?.resource === undefined ? [] : [`${verb} ${objectRef.resource}`]))
    .sort();
}

describe('exactly the rights of each operation', () => {
  let namespace = '';
  const rule = (apiGroup: string, resource: string, verb: string) => ({
    apiGroups: [apiGroup],
    resources: [resource],
    verbs: [verb],
  });
  const servers = (verb: string) => rule('toolhive.stacklok.dev', 'mcpservers', verb);
  const namespaces = (verb: string) => rule('', 'namespaces', verb);

  beforeAll(async () => {
    await installMcpServers(cluster(), minimalDefinition(['v1alpha1', 'v1beta1']));
    namespace = await instanceNamespace(cluster());
    for (const name of ['fetch', 'victim']) await makeInstance(cluster(), namespace, name);
  }, 60_000);

  it.each([
    ['Get Many', () => GET_ALL, [namespaces('list'), servers('list')]],
    [
      'Restart',
      () => on('restart', namespace, 'fetch', { wait: false }),
      [namespaces('get'), servers('get'), servers('patch')],
    ],
    ['Delete', () => on('delete', namespace, 'victim'), [namespaces('get'), servers('get'), servers('delete')]],
  ] as const)('%s: leaving one out names it', async (_name, parameters, rules) => {
    const run = async (clusterRules: readonly ReturnType<typeof rule>[]) => {
      const credential = await credentialFor(cluster(), { namespace: test().namespace, clusterRules });
      return await execute({ credential, parameters: parameters() });
    };
    for (const left of rules) {
      const { resources, verbs, apiGroups } = left;
      await expect(run(rules.filter((other) => other !== left))).rejects.toMatchObject({
        httpCode: '403',
        message: expect.stringContaining(`"${verbs[0] ?? ''}" on ${resources[0] ?? ''}`),
        context: {
          code: 'mcp_runtime_forbidden',
          details: { verb: verbs[0], resource: resources[0], group: apiGroups[0] },
        },
      });
    }
    expect(await run(rules)).not.toEqual([]);
  });
});

describe('on a cluster without ToolHive', () => {
  beforeAll(async () => {
    await removeMcpServers(cluster());
  }, 60_000);

  it('the status says so, and operations on instances say what is missing', async () => {
    expect(await output(STATUS)).toMatchObject([
      {
        operator: { found: false },
        definition: { served: false, versions: [] },
        components: [],
        total: 0,
        instances: [],
      },
    ]);
    for (const parameters of [
      GET_ALL,
      on('restart', 'mcp-0123456789ab', 'fetch'),
      on('delete', 'mcp-0123456789ab', 'fetch'),
    ]) {
      await expect(output(parameters)).rejects.toMatchObject({ context: { code: 'k8s_unsupported' } });
    }
  });

  it('the ToolHive operator is seen as its Deployment shows it', async () => {
    await cluster().namespace('toolhive-system');
    const labels = { app: 'toolhive', 'app.kubernetes.io/version': 'v0.59.0' };
    const template = {
      metadata: { labels },
      spec: { containers: [{ name: 'manager', image: 'toolhive/operator:v0.59.0' }] },
    };
    const spec = { replicas: 2, selector: { matchLabels: labels }, template };
    const path = '/apis/apps/v1/namespaces/toolhive-system/deployments';
    await cluster().api.create(path, { metadata: { name: 'toolhive-operator', labels }, spec });
    await cluster().api.until<{ status?: { readyReplicas?: number } }>(
      `${path}/toolhive-operator`,
      (deployment) => deployment?.status?.readyReplicas === 2,
    );
    expect(await output(STATUS)).toMatchObject([
      { operator: { found: true, ready: true, replicas: 2, readyReplicas: 2, version: 'v0.59.0' } },
    ]);
  });
});
