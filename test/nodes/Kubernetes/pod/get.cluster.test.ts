import { beforeAll, describe, expect, it } from '@jest/globals';
import { podManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('pod-get');

beforeAll(async () => {
  const { cluster, namespace } = test();
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await cluster.api.create(pods, podManifest('web', {}, { app: 'web', tier: 'front' }));
  await cluster.api.create(pods, podManifest('accountant', {}, { app: 'pipelineaccess' }));
  await cluster.api.until(`${pods}/web`, (pod) => phaseOf(pod) === 'Running');
});

function phaseOf(pod: unknown): unknown {
  return (pod as { status?: { phase?: string } } | undefined)?.status?.phase;
}

describe('Pod: Get', () => {
  it('gives a pod in flat fields', async () => {
    const { credential, namespace } = test();
    const [pod] = await outputOf({ credential, parameters: { resource: 'pod', operation: 'get', name: named('web') } });
    expect(pod).toEqual({
      name: 'web',
      namespace,
      status: 'Running',
      ready: '1/1',
      restarts: 0,
      node: expect.stringMatching(/./),
      ip: expect.stringMatching(/^\d+\.\d+\.\d+\.\d+$/),
      images: ['nginx:1'],
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      labels: { app: 'web', tier: 'front' },
    });
  });

  // argo-workflows#16564; kubernetes#118454
  it('gives the whole pod without managed fields when Simplify is off', async () => {
    const { credential } = test();
    const parameters = { resource: 'pod', operation: 'get', name: named('web'), simplify: false };
    const [pod] = await outputOf({ credential, parameters });
    expect(pod).toMatchObject({ kind: 'Pod', apiVersion: 'v1', spec: { containers: [{ name: 'app' }] } });
    expect(pod?.metadata).not.toHaveProperty('managedFields');
  });

  it('keeps managed fields when they are asked for', async () => {
    const { credential } = test();
    const parameters = {
      resource: 'pod',
      operation: 'get',
      name: named('web'),
      simplify: false,
      options: { managedFields: true },
    };
    const [pod] = await outputOf({ credential, parameters });
    expect(pod?.metadata).toHaveProperty('managedFields');
  });

  it('reads the pod each item names and pairs them', async () => {
    const { credential } = test();
    const items = await execute({
      credential,
      items: [{ pod: 'accountant' }, { pod: 'web' }],
      parameters: { resource: 'pod', operation: 'get', name: named('={{ $json.pod }}') },
      expressions: { '={{ $json.pod }}': (item) => ['accountant', 'web'][item] },
    });
    expect(items.map(({ json, pairedItem }) => [json.name, pairedItem])).toEqual([
      ['accountant', { item: 0 }],
      ['web', { item: 1 }],
    ]);
  });

  it('says which pod is not there, in which namespace', async () => {
    const { credential, namespace } = test();
    const parameters = { resource: 'pod', operation: 'get', name: named('pipelineaccess') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      name: 'NodeApiError',
      httpCode: '404',
      message: expect.stringContaining('pipelineaccess'),
      context: { itemIndex: 0, code: 'k8s_not_found', details: { missing: 'object', namespace } },
    });
  });

  it('says when it is the namespace that is not there', async () => {
    const { credential } = test();
    const parameters = { resource: 'pod', operation: 'get', name: named('web'), namespace: named('no-such-place') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      context: { code: 'k8s_not_found', details: { missing: 'namespace' } },
    });
  });

  it.each(['../../secrets/x', 'a/b', 'a%2fb', '..', 'UPPER CASE'])(
    'does not ask the server for the name %s',
    async (name) => {
      const { credential } = test();
      const parameters = { resource: 'pod', operation: 'get', name: named(name) };
      await expect(execute({ credential, parameters })).rejects.toMatchObject({
        context: { itemIndex: 0, code: expect.stringMatching(/^k8s_(parameter_invalid|not_found)$/) },
      });
    },
  );

  it('refuses all namespaces', async () => {
    const { credential } = test();
    const parameters = { resource: 'pod', operation: 'get', name: named('web'), namespace: named('*') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      message: "'Namespace' must be one namespace, not all of them (*)",
      context: { code: 'k8s_parameter_invalid' },
    });
  });
});
