import { describe, expect, it } from '@jest/globals';
import { deploymentManifest, useTestCluster } from '../../testing/cluster';
import { named, outputOf } from '../../testing/context';

const test = useTestCluster('environment');

const pathOf = (name = ''): string => `/apis/apps/v1/namespaces/${test().namespace}/deployments${name}`;

interface Container {
  readonly env?: readonly object[];
  readonly envFrom?: readonly object[];
}

interface Deployment {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly Container[] } } };
}

async function create(name: string, container: object = {}): Promise<void> {
  const containers = [{ name: 'app', image: 'nginx:1', ...container }];
  await test().cluster.api.create(pathOf(), deploymentManifest(name, 0, {}, { containers }));
}

async function containerOf(name: string): Promise<Container> {
  const { spec } = await test().cluster.api.get<Deployment>(pathOf(`/${name}`));
  return spec.template.spec.containers[0] ?? {};
}

async function set(name: string, parameters: object) {
  const node = { resource: 'deployment', operation: 'setEnvironment', name: named(name), ...parameters };
  return await outputOf({ credential: test().credential, parameters: node });
}

const variable = (...list: readonly object[]) => ({ variables: { variable: list } });
const source = (...list: readonly object[]) => ({ sources: { source: list } });
const PASSWORD = { name: 'PASSWORD', from: 'secret', source: 'login', key: 'password' };
const LEVEL = { name: 'LEVEL', from: 'configMap', source: 'settings', key: 'log.level', optional: true };
const SECRET_KEY = { name: 'login', key: 'password' };
const fromSecret = { name: 'PASSWORD', valueFrom: { secretKeyRef: SECRET_KEY } };

describe('Set Environment', () => {
  it('sets variables from keys of a Secret and of a ConfigMap, and again as a text', async () => {
    await create('keys', { env: [{ name: 'KEPT', value: '1' }] });
    expect(await set('keys', variable(PASSWORD, LEVEL))).toMatchObject([{ set: ['PASSWORD', 'LEVEL'], changed: true }]);
    const kept = { name: 'KEPT', value: '1' };
    const optional = { name: 'settings', key: 'log.level', optional: true };
    const wanted = [fromSecret, { name: 'LEVEL', valueFrom: { configMapKeyRef: optional } }, kept];
    const { env } = await containerOf('keys');
    expect(env).toHaveLength(3);
    expect(env).toEqual(expect.arrayContaining(wanted));
    expect(await set('keys', variable(PASSWORD, LEVEL))).toMatchObject([{ changed: false }]);
    await set('keys', variable({ name: 'LEVEL', from: 'text', value: 'debug' }));
    expect((await containerOf('keys')).env).toEqual(
      expect.arrayContaining([fromSecret, { name: 'LEVEL', value: 'debug' }, kept]),
    );
  });

  it.each([
    ['a text', { value: 'plain' }],
    ['a key of a ConfigMap', { valueFrom: { configMapKeyRef: { name: 'login', key: 'password', optional: true } } }],
    ['a field of the pod', { valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    ['an optional key of the same Secret', { valueFrom: { secretKeyRef: { ...SECRET_KEY, optional: true } } }],
  ])('reads a variable from a Secret that was %s before', async (what, was) => {
    const name = `was-${what.replaceAll(' ', '-').toLowerCase()}`;
    await create(name, { env: [{ name: 'PASSWORD', ...was }] });
    await set(name, variable(PASSWORD));
    expect((await containerOf(name)).env).toMatchObject([fromSecret]);
    expect(JSON.stringify((await containerOf(name)).env)).not.toMatch(/optional|configMapKeyRef|"value":/);
  });

  it('makes all keys of a Secret and a ConfigMap variables, with a prefix, and no variables again', async () => {
    await create('all', { envFrom: [{ configMapRef: { name: 'base' } }] });
    const login = { kind: 'secret', name: 'login', prefix: 'DB_', optional: true };
    const made = await set('all', source(login, { kind: 'configMap', name: 'settings' }));
    expect(made).toMatchObject([{ setSources: ['Secret login', 'ConfigMap settings'], changed: true }]);
    const base = { configMapRef: { name: 'base' } };
    expect((await containerOf('all')).envFrom).toMatchObject([
      base,
      { prefix: 'DB_', secretRef: { name: 'login', optional: true } },
      { configMapRef: { name: 'settings' } },
    ]);
    expect(await set('all', source({ ...login }))).toMatchObject([{ changed: false }]);
    const removeSources = {
      source: [
        { kind: 'secret', name: 'login' },
        { kind: 'configMap', name: 'never-there' },
      ],
    };
    expect(await set('all', { ...source({ ...login, prefix: 'PG_' }), options: { removeSources } })).toMatchObject([
      { removedSources: ['Secret login', 'ConfigMap never-there'], changed: true },
    ]);
    expect((await containerOf('all')).envFrom).toMatchObject([
      base,
      { configMapRef: { name: 'settings' } },
      { prefix: 'PG_', secretRef: { name: 'login' } },
    ]);
    const every = ['base', 'settings'].map((name) => ({ kind: 'configMap', name }));
    const login2 = { kind: 'secret', name: 'login' };
    await set('all', { options: { removeSources: { source: [...every, login2] } } });
    expect(await containerOf('all')).not.toHaveProperty('envFrom');
  });

  it.each([
    [
      'a prefix with a space',
      source({ name: 'a', prefix: 'A B' }),
      /^'All Keys Of' has a prefix that is empty or holds/,
    ],
    ['a source twice', source({ name: 'a' }, { name: 'a' }), /^'All Keys Of' names Secret a twice$/],
    ['a key without a name', variable({ ...PASSWORD, key: '' }), /^'Variables > Key' is empty$/],
    ['no object', variable({ ...PASSWORD, source: ' ' }), /^'Variables > Object' is empty$/],
  ])('refuses %s', async (_what, parameters, message) => {
    await expect(set('never', parameters)).rejects.toMatchObject({ message: expect.stringMatching(message) });
  });
});
