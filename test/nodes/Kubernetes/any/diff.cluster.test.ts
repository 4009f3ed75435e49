import { beforeAll, describe, expect, it } from '@jest/globals';
import { deploymentManifest, useTestCluster } from '../../testing/cluster';
import { outputOf } from '../../testing/context';

const test = useTestCluster('any-diff');
const PARAMETERS = { resource: 'any', operation: 'diff' };

const diff = async (manifest: object | string, more: object = {}) => {
  const text = typeof manifest === 'string' ? manifest : JSON.stringify(manifest);
  return await outputOf({ credential: test().credential, parameters: { ...PARAMETERS, manifest: text, ...more } });
};

async function applyAs(manager: string, manifest: object): Promise<void> {
  const { cluster, namespace } = test();
  const flags = ['--server-side', `--field-manager=${manager}`, '-n', namespace, '-f', '-'];
  await cluster.kubectl(['apply', ...flags], { stdin: JSON.stringify(manifest) });
}

const configMap = (name: string, data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data });
const secret = (name: string, stringData: object) => ({
  apiVersion: 'v1',
  kind: 'Secret',
  metadata: { name },
  stringData,
});
const web = (image: string, replicas: number) => ({
  ...deploymentManifest('web', replicas),
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image }] } },
  },
});

beforeAll(async () => {
  await applyAs('navin', web('nginx:1', 0));
  await applyAs('navin', configMap('same', { a: '1' }));
  await applyAs('payments-team', configMap('theirs', { a: '1' }));
  await applyAs('navin', secret('login', { user: 'ann', password: 's3cr3t' }));
});

describe('Any Resource: Diff', () => {
  it('says field by field what an apply would change, and stores nothing', async () => {
    const { cluster, namespace } = test();
    expect(await diff(web('nginx:2', 3))).toEqual([
      {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        name: 'web',
        namespace,
        action: 'change',
        changes: [
          { path: 'spec.replicas', before: 0, after: 3 },
          { path: 'spec.template.spec.containers[name=app].image', before: 'nginx:1', after: 'nginx:2' },
        ],
        conflicts: [],
        checked: true,
      },
    ]);
    const stored = await cluster.api.get(`/apis/apps/v1/namespaces/${namespace}/deployments/web`);
    expect(stored).toMatchObject({ spec: { replicas: 0 } });
  });

  it('tells what is as it shall be from what is new', async () => {
    const manifest = [configMap('same', { a: '1' }), configMap('new', { b: '2' })].map((each) => JSON.stringify(each));
    expect(await diff(manifest.join('\n---\n'))).toMatchObject([
      { name: 'same', action: 'none', changes: [] },
      { name: 'new', action: 'create', changes: expect.arrayContaining([{ path: 'data', after: { b: '2' } }]) },
    ]);
    expect((await diff(manifest.join('\n---\n'), { onlyChanges: true })).map(({ name }) => name)).toEqual(['new']);
  });

  it('names conflicts and says what force would change', async () => {
    expect(await diff(configMap('theirs', { a: '2' }))).toMatchObject([
      {
        action: 'change',
        changes: [{ path: 'data.a', before: '1', after: '2' }],
        conflicts: [{ manager: 'payments-team', field: '.data.a' }],
      },
    ]);
  });

  it('says which keys of a Secret would change and shows no value', async () => {
    const output = await diff(secret('login', { user: 'bob', token: 'n3w' }));
    expect(output).toMatchObject([
      {
        action: 'change',
        changes: [
          { path: 'data.user', before: '(masked)', after: '(masked)' },
          { path: 'data.token', after: '(masked)' },
        ],
      },
    ]);
    const created = await diff(secret('fresh', { token: 'n3w' }));
    expect(created).toMatchObject([{ action: 'create' }]);
    expect(JSON.stringify([output, created])).not.toMatch(/ann|YW5u|s3cr3t|czNjcjN0|bob|Ym9i|n3w|bjN3/);
  });

  it('does not fail for what the same manifest makes first', async () => {
    const manifest = [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'any-diff-later' } },
      { ...configMap('inside', {}), metadata: { name: 'inside', namespace: 'any-diff-later' } },
      {
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: 'laters.any-diff.example' },
        spec: {
          group: 'any-diff.example',
          scope: 'Namespaced',
          names: { kind: 'Later', plural: 'laters' },
          versions: [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } }],
        },
      },
      { apiVersion: 'any-diff.example/v1', kind: 'Later', metadata: { name: 'one' } },
    ];
    expect(await diff(manifest.map((each) => JSON.stringify(each)).join('\n---\n'))).toMatchObject([
      { kind: 'Namespace', action: 'create', checked: true },
      { kind: 'ConfigMap', action: 'create', checked: false },
      { kind: 'CustomResourceDefinition', action: 'create', checked: true },
      { kind: 'Later', action: 'create', checked: false },
    ]);
  });

  it('says what the API server would refuse', async () => {
    await expect(diff({ ...configMap('a', {}), dato: 1 })).rejects.toMatchObject({ context: { code: 'k8s_invalid' } });
    const elsewhere = { ...configMap('a', {}), metadata: { name: 'a', namespace: 'no-such' } };
    await expect(diff(elsewhere)).rejects.toMatchObject({
      context: { code: 'k8s_not_found', details: { missing: 'namespace' } },
    });
  });
});
