import { beforeAll, describe, expect, it } from '@jest/globals';
import { deploymentManifest, useTestCluster } from '../../testing/cluster';
import { named, outputOf } from '../../testing/context';

const test = useTestCluster('any-patch');
const PARAMETERS = { resource: 'any', operation: 'patch', kind: named('deploy'), name: named('web') };
const path = () => `/apis/apps/v1/namespaces/${test().namespace}/deployments`;

beforeAll(async () => {
  const { cluster, namespace } = test();
  await cluster.api.create(path(), deploymentManifest('web', 0));
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, stringData: { password: 's3cr3t' } };
  await cluster.api.create(`/api/v1/namespaces/${namespace}/secrets`, secret);
});

const patch = async (more: object) =>
  await outputOf({ credential: test().credential, parameters: { ...PARAMETERS, ...more } });

const containers = async (): Promise<string[]> => {
  const { spec } = await test().cluster.api.get<{
    spec: { template: { spec: { containers: { name: string; image: string }[] } } };
  }>(`${path()}/web`);
  return spec.template.spec.containers.map(({ name, image }) => `${name}=${image}`);
};

describe('Any Resource: Patch', () => {
  it('merges: sets fields, removes by null, replaces lists whole', async () => {
    expect(await patch({ patch: 'metadata: { labels: { tier: front, app: null } }' })).toMatchObject([
      { kind: 'Deployment', name: 'web', labels: { tier: 'front' } },
    ]);
    await patch({ patch: '{"spec":{"template":{"spec":{"containers":[{"name":"other","image":"nginx:2"}]}}}}' });
    expect(await containers()).toEqual(['other=nginx:2']);
  });

  it('merges lists by key in a strategic merge', async () => {
    const added = { spec: { template: { spec: { containers: [{ name: 'side', image: 'nginx:3' }] } } } };
    await patch({ patchType: 'strategic', patch: JSON.stringify(added) });
    expect((await containers()).sort()).toEqual(['other=nginx:2', 'side=nginx:3']);
  });

  it('carries out the operations of a JSON patch, all or none', async () => {
    const replicas = (value: number) => ({ op: 'replace', path: '/spec/replicas', value });
    const failing = JSON.stringify([replicas(7), { op: 'test', path: '/spec/paused', value: true }]);
    await expect(patch({ patchType: 'json', patch: failing })).rejects.toMatchObject({
      context: { code: 'k8s_invalid' },
    });
    const [whole] = await patch({ patchType: 'json', patch: JSON.stringify([replicas(0)]), simplify: false });
    expect(whole).toMatchObject({ kind: 'Deployment', spec: { replicas: 0 } });
  });

  it('takes an object from an expression', async () => {
    const { credential } = test();
    const [patched] = await outputOf({
      credential,
      parameters: { ...PARAMETERS, patch: '={{ $json }}' },
      expressions: { '={{ $json }}': () => ({ metadata: { labels: { from: 'expression' } } }) },
    });
    expect(patched?.labels).toMatchObject({ from: 'expression' });
  });

  it('patches a subresource', async () => {
    const [scale] = await patch({
      patch: '{"spec":{"replicas":1}}',
      options: { subresource: 'scale' },
      simplify: false,
    });
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 1 } });
  });

  it('does not overwrite what was changed since it was read', async () => {
    const old = '{"metadata":{"resourceVersion":"1","labels":{"lost":"update"}}}';
    await expect(patch({ patch: old })).rejects.toMatchObject({ httpCode: '409', context: { code: 'k8s_conflict' } });
  });

  it('refuses unknown fields, and says in a dry run what it would store', async () => {
    await expect(patch({ patch: '{"spec":{"replica":1}}' })).rejects.toMatchObject({
      context: { code: 'k8s_invalid' },
    });
    expect(await patch({ patch: '{"metadata":{"labels":{"dry":"run"}}}', options: { dryRun: true } })).toMatchObject([
      { labels: { dry: 'run' }, dryRun: true },
    ]);
    const { metadata } = await test().cluster.api.get<{ metadata: { labels: object } }>(`${path()}/web`);
    expect(metadata.labels).not.toHaveProperty('dry');
  });

  it('keeps the values of a Secret to itself and refuses masked ones', async () => {
    const secret = { kind: named('secret'), name: named('login') };
    const output = await patch({ ...secret, patch: 'stringData: { user: ann }', simplify: false });
    expect(output).toMatchObject([{ data: { user: '(masked)', password: '(masked)' } }]);
    expect(JSON.stringify(output)).not.toMatch(/s3cr3t|czNjcjN0|YW5u/);
    for (const masked of [
      { patch: 'data: { password: (masked) }' },
      { patchType: 'json', patch: '[{"op":"add","path":"/data/password","value":"(masked)"}]' },
    ]) {
      await expect(patch({ ...secret, ...masked })).rejects.toMatchObject({
        message: expect.stringContaining('holds masked values'),
      });
    }
  });

  it.each([
    ['[]', 'merge'],
    ['a: 1', 'json'],
    ['[{"op":"delete","path":"/a"}]', 'json'],
    ['[{"op":"add"}]', 'json'],
    ['a: 1\n---\nb: 2', 'merge'],
  ])('refuses %j as a %s patch', async (text, patchType) => {
    await expect(patch({ patch: text, patchType })).rejects.toMatchObject({
      context: { code: 'k8s_parameter_invalid' },
    });
  });
});
