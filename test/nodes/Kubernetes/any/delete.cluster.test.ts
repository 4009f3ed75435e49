import { describe, expect, it } from '@jest/globals';
import { credentialFor, deploymentManifest, useTestCluster } from '../../testing/cluster';
import { named, outputOf } from '../../testing/context';

const test = useTestCluster('any-delete');
const PARAMETERS = { resource: 'any', operation: 'delete', kind: named('cm') };

const remove = async (parameters: object) =>
  await outputOf({ credential: test().credential, parameters: { ...PARAMETERS, ...parameters } });

const path = (name = ''): string => `/api/v1/namespaces/${test().namespace}/configmaps${name && `/${name}`}`;

async function make(name: string, labels: object = {}, finalizers: readonly string[] = []): Promise<string> {
  const { cluster } = test();
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels, finalizers } };
  const { metadata } = await cluster.api.create<{ metadata: { uid: string } }>(path(), body);
  return metadata.uid;
}

const names = async (label: string): Promise<string[]> =>
  (await test().cluster.api.items(`${path()}?labelSelector=${encodeURIComponent(label)}`)).map(
    ({ metadata }) => (metadata as { name: string }).name,
  );

describe('Any Resource: Delete', () => {
  it('deletes an object by name', async () => {
    const { namespace, cluster } = test();
    const uid = await make('one');
    expect(await remove({ name: named('one') })).toEqual([
      { deleted: true, kind: 'ConfigMap', name: 'one', namespace, uid },
    ]);
    expect((await cluster.request('GET', path('one'))).status).toBe(404);
  });

  it('deletes only the very object whose UID is given', async () => {
    const uid = await make('exact');
    const other = { name: named('exact'), options: { uid: '6b1a0fd0-0000-4000-8000-000000000000' } };
    await expect(remove(other)).rejects.toMatchObject({ context: { code: 'k8s_conflict' } });
    expect(await remove({ name: named('exact'), options: { uid } })).toMatchObject([{ deleted: true, uid }]);
  });

  it('says that an object is not there, unless that is fine', async () => {
    await expect(remove({ name: named('gone') })).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
    const options = { ignoreNotFound: true };
    expect(await remove({ name: named('gone'), options })).toEqual([
      { deleted: false, kind: 'ConfigMap', name: 'gone' },
    ]);
    await expect(remove({ name: named('gone'), namespace: named('no-such'), options })).rejects.toMatchObject({
      context: { code: 'k8s_not_found', details: { missing: 'namespace' } },
    });
  });

  it('deletes what matches a selector and nothing else', async () => {
    for (const name of ['a', 'b', 'c']) await make(name, { batch: name === 'c' ? 'keep' : 'old' });
    const bySelector = { select: 'selector', labelSelector: 'batch=old' };
    expect(await remove(bySelector)).toMatchObject([
      { deleted: true, name: 'a' },
      { deleted: true, name: 'b' },
    ]);
    expect(await names('batch')).toEqual(['c']);
    expect(await remove(bySelector)).toEqual([]);
  });

  it.each([{}, { labelSelector: ' ' }, { fieldSelector: '' }])(
    'never takes all objects for no selector (%j)',
    async (given) => {
      await make(`all-${String(Object.keys(given)[0])}`.toLowerCase(), { all: 'yes' });
      const before = await names('all');
      await expect(remove({ select: 'selector', ...given })).rejects.toMatchObject({
        message: expect.stringContaining("'Label Selector' is empty"),
        context: { code: 'k8s_parameter_invalid' },
      });
      expect(await names('all')).toEqual(before);
    },
  );

  it('touches nothing when more objects match than may', async () => {
    for (const name of ['m1', 'm2', 'm3']) await make(name, { many: 'yes' });
    const parameters = { select: 'selector', labelSelector: 'many=yes', options: { maxObjects: 2 } };
    await expect(remove(parameters)).rejects.toMatchObject({
      message: 'More than 2 configmaps match: nothing was done',
      context: { code: 'k8s_operation_refused' },
    });
    expect(await names('many')).toHaveLength(3);
    expect(await remove({ ...parameters, options: { maxObjects: 3, dryRun: true } })).toMatchObject(
      ['m1', 'm2', 'm3'].map((name) => ({ name, dryRun: true })),
    );
    expect(await names('many')).toHaveLength(3);
  });

  it('refuses all namespaces', async () => {
    const parameters = { select: 'selector', labelSelector: 'a=b', namespace: named('*') };
    await expect(remove(parameters)).rejects.toMatchObject({ context: { code: 'k8s_parameter_invalid' } });
  });

  it('waits until an object is gone, not for another one of its name', async () => {
    const { cluster } = test();
    await make('held', {}, ['example.com/hold']);
    const waiting = remove({ name: named('held'), wait: true, timeoutSeconds: 60, options: { intervalSeconds: 1 } });
    await cluster.api.until(path('held'), (object) => JSON.stringify(object ?? {}).includes('deletionTimestamp'));
    await cluster.api.patch(path('held'), { metadata: { finalizers: null } });
    await make('held');
    expect(await waiting).toMatchObject([{ deleted: true, name: 'held', gone: true }]);
  });

  it('says what holds an object that is not gone in time', async () => {
    const { cluster } = test();
    for (const name of ['stuck-1', 'stuck-2']) await make(name, {}, ['example.com/hold']);
    const waiting = { wait: true, timeoutSeconds: 1, options: { intervalSeconds: 1 } };
    await expect(remove({ ...waiting, name: named('stuck-1') })).rejects.toMatchObject({
      message: 'ConfigMap stuck-1 is deleted but not gone after 1 s: held by the finalizers example.com/hold',
      context: { code: 'k8s_wait_failed', details: { left: ['stuck-1'], finalizers: ['example.com/hold'] } },
    });
    expect(await remove({ ...waiting, name: named('stuck-2'), onFailure: 'output' })).toMatchObject([
      { name: 'stuck-2', gone: false, finalizers: ['example.com/hold'] },
    ]);
    for (const name of ['stuck-1', 'stuck-2']) await cluster.api.patch(path(name), { metadata: { finalizers: null } });
  });

  it.each(['Orphan', 'Foreground'])('passes the propagation policy on: %s', async (propagationPolicy) => {
    const { cluster, namespace } = test();
    const name = propagationPolicy.toLowerCase();
    const sets = `/apis/apps/v1/namespaces/${namespace}/replicasets?labelSelector=app%3D${name}`;
    await cluster.api.create(`/apis/apps/v1/namespaces/${namespace}/deployments`, deploymentManifest(name, 0));
    await cluster.api.until(sets, (list) => JSON.stringify(list ?? {}).includes('ownerReferences'));
    await remove({ kind: named('deploy'), name: named(name), wait: true, options: { propagationPolicy } });
    expect(await cluster.api.items(sets)).toHaveLength(propagationPolicy === 'Orphan' ? 1 : 0);
  });

  it('deletes by selector with rights in one namespace only, one by one', async () => {
    const { cluster, namespace } = test();
    await make('limited', { limited: 'yes' });
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'delete'] }];
    const credential = await credentialFor(cluster, { namespace, rules });
    const parameters = { ...PARAMETERS, select: 'selector', labelSelector: 'limited=yes' };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ name: 'limited', deleted: true }]);
  });
});
