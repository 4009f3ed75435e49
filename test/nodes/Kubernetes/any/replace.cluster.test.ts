import { describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { outputOf } from '../../testing/context';

const test = useTestCluster('any-replace');
const PARAMETERS = { resource: 'any', operation: 'replace' };
const path = (name = '') => `/api/v1/namespaces/${test().namespace}/configmaps${name && `/${name}`}`;

interface ConfigMap {
  readonly metadata: { readonly name: string; readonly resourceVersion: string };
  readonly data?: Readonly<Record<string, string>>;
}

const make = async (name: string) =>
  await test().cluster.api.create<ConfigMap>(path(), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { app: 'web' } },
    data: { a: '1', b: '2' },
  });

const replace = async (manifest: string, more: object = {}) =>
  await outputOf({ credential: test().credential, parameters: { ...PARAMETERS, manifest, ...more } });

const configMap = (name: string, data: string) =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: ${data}`;

describe('Any Resource: Replace', () => {
  it('replaces an object whole: what is left out is gone', async () => {
    await make('whole');
    expect(await replace(configMap('whole', '{ a: "9" }'))).toMatchObject([
      { kind: 'ConfigMap', name: 'whole', labels: {} },
    ]);
    expect((await test().cluster.api.get<ConfigMap>(path('whole'))).data).toEqual({ a: '9' });
  });

  it('replaces what another node read and changed, but not what was changed since', async () => {
    const { credential } = test();
    const read = { ...(await make('read')), apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'changed' } };
    const run = async () =>
      await outputOf({
        credential,
        items: [JSON.parse(JSON.stringify(read)) as Record<string, never>],
        parameters: { ...PARAMETERS, manifestFrom: 'item', simplify: false },
      });
    expect(await run()).toMatchObject([{ data: { a: 'changed' }, metadata: { labels: { app: 'web' } } }]);
    await expect(run()).rejects.toMatchObject({ httpCode: '409', context: { code: 'k8s_conflict' } });
  });

  it('does not create what is not there', async () => {
    await expect(replace(configMap('absent', '{}'))).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });

  it('stores nothing in a dry run and refuses unknown fields', async () => {
    await make('dry');
    expect(await replace(configMap('dry', '{}'), { options: { dryRun: true } })).toMatchObject([{ dryRun: true }]);
    await expect(replace(`${configMap('dry', '{}')}\nextra: 1`)).rejects.toMatchObject({
      context: { code: 'k8s_invalid' },
    });
    expect((await test().cluster.api.get<ConfigMap>(path('dry'))).data).toEqual({ a: '1', b: '2' });
  });
});
