import { beforeAll, describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { named, outputOf } from '../../testing/context';

const test = useTestCluster('any-label');
const path = (name = '') => `/api/v1/namespaces/${test().namespace}/configmaps${name && `/${name}`}`;

beforeAll(async () => {
  for (const name of ['a', 'b', 'c']) {
    const metadata = {
      name,
      labels: { app: 'web', batch: name === 'c' ? 'two' : 'one' },
      annotations: { note: 'kept' },
    };
    await test().cluster.api.create(path(), { apiVersion: 'v1', kind: 'ConfigMap', metadata });
  }
});

const entries = (values: object) => ({
  entry: Object.entries(values).map(([key, value]) => ({ key, value: value as string })),
});
const change = async (operation: 'label' | 'annotate', more: object) => {
  const parameters = { resource: 'any', operation, kind: named('cm'), ...more };
  return await outputOf({ credential: test().credential, parameters });
};
const metadataOf = async (name: string) => {
  const { metadata } = await test().cluster.api.get<{ metadata: { labels?: object; annotations?: object } }>(
    path(name),
  );
  return metadata;
};

describe('Any Resource: Label and Annotate', () => {
  it('sets and removes labels and leaves the others alone', async () => {
    const { namespace } = test();
    const set = entries({ tier: 'front', 'app.kubernetes.io/name': 'shop' });
    expect(await change('label', { name: named('a'), set, remove: ['batch', 'never-there'] })).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: 'a',
        namespace,
        uid: expect.any(String),
        resourceVersion: expect.any(String),
        labels: { app: 'web', tier: 'front', 'app.kubernetes.io/name': 'shop' },
      },
    ]);
    expect((await metadataOf('a')).annotations).toEqual({ note: 'kept' });
  });

  it('sets and removes annotations', async () => {
    const [changed] = await change('annotate', { name: named('b'), set: entries({ 'a.b/c': 'd' }), remove: ['note'] });
    expect(changed?.annotations).toEqual({ 'a.b/c': 'd' });
    expect((await metadataOf('b')).labels).toMatchObject({ batch: 'one' });
  });

  it('changes all that match a selector, and no more than may', async () => {
    const bySelector = { select: 'selector', labelSelector: 'app=web', set: entries({ seen: 'yes' }) };
    await expect(change('label', { ...bySelector, options: { maxObjects: 2 } })).rejects.toMatchObject({
      context: { code: 'k8s_operation_refused' },
    });
    expect((await metadataOf('c')).labels).not.toHaveProperty('seen');
    const options = { dryRun: true };
    expect(await change('label', { ...bySelector, options })).toMatchObject([{ dryRun: true }, {}, { dryRun: true }]);
    expect((await metadataOf('c')).labels).not.toHaveProperty('seen');
    expect((await change('label', bySelector)).map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    expect((await metadataOf('c')).labels).toMatchObject({ seen: 'yes' });
    await expect(change('label', { ...bySelector, labelSelector: '' })).rejects.toMatchObject({
      context: { code: 'k8s_parameter_invalid' },
    });
  });

  it('labels what has no namespace', async () => {
    const { namespace } = test();
    const [changed] = await change('label', {
      kind: named('ns'),
      name: named(namespace),
      set: entries({ team: 'blue' }),
    });
    expect(changed).toMatchObject({ kind: 'Namespace', labels: { team: 'blue' } });
  });

  it.each([
    ['nothing to do', {}, 'k8s_parameter_invalid'],
    ['a key that is set and removed', { set: entries({ x: '1' }), remove: ['x'] }, 'k8s_parameter_invalid'],
    ['a label that cannot be one', { set: entries({ 'a b': '1' }) }, 'k8s_invalid'],
    ['an object that is not there', { name: named('gone'), remove: ['x'] }, 'k8s_not_found'],
  ])('refuses %s', async (_what, given, code) => {
    await expect(change('label', { name: named('a'), ...given })).rejects.toMatchObject({ context: { code } });
  });
});
