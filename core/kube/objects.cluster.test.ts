import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedCluster } from '../../test/cluster/jest';
import { RESOURCES } from './apiResource';
import type { KubeClient } from './client';
import { KubeApiError } from './errors';
import { clusterClient } from './testing/clusterClient';
import { all, errorOf, shown } from './testing/faultClient';

const cluster = sharedCluster();
let client: KubeClient;
let namespace: string;

beforeAll(async () => {
  namespace = await cluster().freshNamespace('objects');
  client = clusterClient(cluster(), { namespace });
});

function configMap(name: string, data: Record<string, string> = { key: 'value' }): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

function deployment(name: string, replicas: number): object {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: { app: name } },
      template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'app', image: 'nginx' }] } },
    },
  };
}

describe('objects', () => {
  it('are created, read, replaced and deleted', async () => {
    const created = await client.create(RESOURCES.configmaps, {}, configMap('life'));
    expect(created).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'life', namespace }, data: { key: 'value' } });
    expect(await client.get(RESOURCES.configmaps, { name: 'life' })).toEqual(created);

    const replaced = await client.replace(RESOURCES.configmaps, { name: 'life' }, { ...created, data: { key: 'new' } });
    expect(replaced.data).toEqual({ key: 'new' });
    const stale = await errorOf(client.replace(RESOURCES.configmaps, { name: 'life' }, { ...created, data: {} }));
    expect([stale.code, stale.message.includes('somebody changed it')]).toEqual(['k8s_conflict', true]);

    const again = await errorOf(client.create(RESOURCES.configmaps, {}, configMap('life')));
    expect(again.code).toBe('k8s_already_exists');

    const other = await errorOf(
      client.delete(RESOURCES.configmaps, { name: 'life' }, { preconditions: { uid: 'another' } }),
    );
    expect([other.code, other.message.includes('not the object that was meant')]).toEqual(['k8s_conflict', true]);

    await client.delete(RESOURCES.configmaps, { name: 'life' }, { preconditions: { uid: created.metadata.uid ?? '' } });
    const gone = await errorOf(client.get(RESOURCES.configmaps, { name: 'life' }));
    expect(gone).toMatchObject({ code: 'k8s_not_found', details: { missing: 'object' } });
  });

  it('belong to the field manager navin', async () => {
    const created = await client.create(RESOURCES.configmaps, {}, configMap('managed'));
    expect(created.metadata.managedFields).toMatchObject([{ manager: 'navin', operation: 'Update' }]);
    const mine = await client.create(RESOURCES.configmaps, {}, configMap('managed-by-me'), { fieldManager: 'me' });
    expect(mine.metadata.managedFields).toMatchObject([{ manager: 'me' }]);
  });

  it('are not stored by a dry run', async () => {
    const created = await client.create(RESOURCES.configmaps, {}, configMap('dry'), { dryRun: true });
    expect(created.metadata.uid).toBeDefined();
    expect((await errorOf(client.get(RESOURCES.configmaps, { name: 'dry' }))).code).toBe('k8s_not_found');
    await client.create(RESOURCES.configmaps, {}, configMap('dry'));
    await client.patch(
      RESOURCES.configmaps,
      { name: 'dry' },
      { type: 'merge', body: { data: { key: 'x' } } },
      { dryRun: true },
    );
    await client.delete(RESOURCES.configmaps, { name: 'dry' }, { dryRun: true });
    expect((await client.get(RESOURCES.configmaps, { name: 'dry' })).data).toEqual({ key: 'value' });
  });

  it('with unknown fields are refused when that is wanted', async () => {
    const body = { ...configMap('strict'), dota: { a: 'b' } };
    const error = await errorOf(client.create(RESOURCES.configmaps, {}, body, { fieldValidation: 'Strict' }));
    expect([error.code, error.message.includes('unknown field "dota"')]).toEqual(['k8s_invalid', true]);
    expect((await client.create(RESOURCES.configmaps, {}, body)).dota).toBeUndefined();
  });

  it('that are wrong are refused by field, without their values', async () => {
    const body = deployment('wrong', -3);
    const error = await errorOf(client.create(RESOURCES.deployments, {}, body));
    expect(error).toBeInstanceOf(KubeApiError);
    expect(error.code).toBe('k8s_invalid');
    expect((error as KubeApiError).causes).toEqual([
      { reason: 'FieldValueInvalid', field: 'spec.replicas', message: 'must be greater than or equal to 0' },
    ]);
    const type = await errorOf(
      client.create(RESOURCES.deployments, {}, { ...body, spec: { replicas: 'a-secret-word' } }),
    );
    expect(type.code).toBe('k8s_invalid');
    expect(shown(type)).not.toContain('a-secret-word');
  });

  it('that are Secrets never come back in an error', async () => {
    const body = {
      metadata: { name: 'secret' },
      data: { 'bad key': 'bm90IHNob3du', other: 'not base64!!' },
      type: 'a-secret-type',
    };
    for (const attempt of [body, { ...body, data: { 'bad key': 'bm90IHNob3du' } }]) {
      const text = shown(await errorOf(client.create(RESOURCES.secrets, {}, attempt)));
      for (const hidden of ['bm90IHNob3du', 'not base64', 'a-secret-type', 'not shown'])
        expect(text).not.toContain(hidden);
    }
  });

  it('of a namespace that does not exist are told from missing objects', async () => {
    for (const attempt of [
      () => client.get(RESOURCES.configmaps, { namespace: 'no-such-namespace', name: 'a' }),
      () => client.create(RESOURCES.configmaps, { namespace: 'no-such-namespace' }, configMap('a')),
      () => client.delete(RESOURCES.pods, { namespace: 'no-such-namespace', name: 'a' }),
    ]) {
      const error = await errorOf(attempt());
      expect([error.message, error.details.missing]).toEqual([
        'The namespace "no-such-namespace" does not exist.',
        'namespace',
      ]);
    }
  });

  it('of a kind that is not served are told from missing objects', async () => {
    for (const resource of [
      { ...RESOURCES.pods, plural: 'podz' },
      { ...RESOURCES.pods, group: 'nowhere.example', version: 'v1' },
      { ...RESOURCES.deployments, version: 'v9' },
    ]) {
      expect((await errorOf(client.get(resource, { name: 'a' }))).details.missing).toBe('kind');
      expect((await errorOf(client.list(resource, { namespace }))).details.missing).toBe('kind');
    }
    const subresource = await errorOf(client.get(RESOURCES.configmaps, { name: 'a', subresource: 'scale' }));
    expect(subresource.details.missing).toBe('kind');
  });
});

describe('patches', () => {
  const name = 'patched';
  beforeAll(async () => {
    await client.create(RESOURCES.deployments, {}, deployment(name, 0));
  });

  it('merge replaces lists, strategic merges them by key', async () => {
    const container = { name: 'sidecar', image: 'busybox' };
    const body = { spec: { template: { spec: { containers: [container] } } } };
    const images = (object: unknown) =>
      (
        object as { spec: { template: { spec: { containers: { name: string }[] } } } }
      ).spec.template.spec.containers.map((each) => each.name);
    const strategic = await client.patch(RESOURCES.deployments, { name }, { type: 'strategic', body });
    expect(images(strategic).sort()).toEqual(['app', 'sidecar']);
    const merged = await client.patch(RESOURCES.deployments, { name }, { type: 'merge', body });
    expect(images(merged)).toEqual(['sidecar']);
  });

  it('json does its operations in order, and stops at a test that fails', async () => {
    const patched = await client.patch(
      RESOURCES.deployments,
      { name },
      {
        type: 'json',
        body: [
          { op: 'add', path: '/metadata/labels', value: { a: '1' } },
          { op: 'test', path: '/metadata/labels/a', value: '1' },
          { op: 'replace', path: '/metadata/labels/a', value: '2' },
        ],
      },
    );
    expect(patched.metadata.labels).toEqual({ a: '2' });
    const error = await errorOf(
      client.patch(
        RESOURCES.deployments,
        { name },
        { type: 'json', body: [{ op: 'test', path: '/metadata/labels/a', value: 'secret-guess' }] },
      ),
    );
    expect(error.code).toBe('k8s_invalid');
    expect(shown(error)).not.toContain('secret-guess');
  });

  it('apply names who owns a field, and takes it over only by force', async () => {
    const apply = (value: string, fieldManager: string, force?: boolean) =>
      client.patch(
        RESOURCES.configmaps,
        { name: 'applied' },
        {
          type: 'apply',
          body: { data: { key: value, [fieldManager]: 'mine' } },
          ...(force === undefined ? {} : { force }),
        },
        { fieldManager },
      );
    expect(await apply('one', 'first')).toMatchObject({ kind: 'ConfigMap', data: { key: 'one' } });
    const error = await errorOf(apply('two', 'second'));
    expect(error).toMatchObject({ code: 'k8s_conflict', conflicts: [{ manager: 'first', field: '.data.key' }] });
    expect(error.message).toContain('.data.key (first)');
    expect(await apply('two', 'second', true)).toMatchObject({ data: { key: 'two', first: 'mine', second: 'mine' } });
    // The first manager gives up what it no longer names.
    expect(
      await client.patch(
        RESOURCES.configmaps,
        { name: 'applied' },
        { type: 'apply', body: { data: {} } },
        { fieldManager: 'first' },
      ),
    ).toMatchObject({
      data: { key: 'two', second: 'mine' },
    });
  });

  it('scale goes through its subresource, to 0 as well', async () => {
    const scale = await client.patch(
      RESOURCES.deployments,
      { name, subresource: 'scale' },
      { type: 'merge', body: { spec: { replicas: 2 } } },
    );
    expect(scale).toMatchObject({ kind: 'Scale', spec: { replicas: 2 } });
    await client.patch(
      RESOURCES.deployments,
      { name, subresource: 'scale' },
      { type: 'merge', body: { spec: { replicas: 0 } } },
    );
    // A Scale of 0 is written without the field; the Deployment has it.
    expect(await client.get(RESOURCES.deployments, { name, subresource: 'scale' })).toMatchObject({ spec: {} });
    expect(await client.get(RESOURCES.deployments, { name })).toMatchObject({ spec: { replicas: 0 } });
  });

  it('status goes through its subresource', async () => {
    const patched = await client.patch(
      RESOURCES.deployments,
      { name, subresource: 'status' },
      { type: 'merge', body: { status: { observedGeneration: 99 } } },
    );
    expect(patched).toMatchObject({ kind: 'Deployment' });
  });

  it('strategic is not for custom resources', async () => {
    const group = `${namespace}.example`;
    const crds = await client.resource('crd');
    await client.create(
      crds,
      {},
      {
        metadata: { name: `things.${group}` },
        spec: {
          group,
          scope: 'Namespaced',
          names: { plural: 'things', singular: 'thing', kind: 'Thing' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          ],
        },
      },
    );
    const things = await until(() => client.resource(`things.${group}`));
    await until(() => client.create(things, {}, { apiVersion: `${group}/v1`, kind: 'Thing', metadata: { name: 'a' } }));
    const error = await errorOf(client.patch(things, { name: 'a' }, { type: 'strategic', body: { spec: {} } }));
    expect([error.code, error.hint]).toEqual([
      'k8s_unsupported',
      'Custom resources know no strategic merge patch: use a merge patch or an apply.',
    ]);
    await client.delete(crds, { name: `things.${group}` });
  });
});

/** Tries until it works: a new definition is served a moment after it was made. */
async function until<T>(run: () => Promise<T>): Promise<T> {
  for (let left = 100; ; left -= 1) {
    try {
      return await run();
    } catch (error) {
      if (left === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

describe('evictions', () => {
  it('are refused by a disruption budget, which is no overload', async () => {
    await client.create(RESOURCES.deployments, {}, deployment('guarded', 1));
    await client.create(
      RESOURCES.poddisruptionbudgets,
      {},
      {
        metadata: { name: 'guarded' },
        spec: { minAvailable: 1, selector: { matchLabels: { app: 'guarded' } } },
      },
    );
    const pod = await until(async () => {
      const { items } = await client.list(RESOURCES.pods, {
        namespace,
        labelSelector: 'app=guarded',
        fieldSelector: 'status.phase=Running',
      });
      const budget = await client.get(RESOURCES.poddisruptionbudgets, { name: 'guarded' });
      expect(budget.status).toMatchObject({ currentHealthy: 1 });
      const name = items[0]?.metadata.name;
      if (name === undefined) throw new Error('no pod yet');
      return name;
    });
    const evict = () =>
      client.create(
        RESOURCES.pods,
        { name: pod, subresource: 'eviction' },
        { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: pod } },
      );
    const error = await errorOf(evict());
    expect(error).toMatchObject({
      code: 'k8s_operation_refused',
      httpStatus: 429,
      details: { refusedBy: 'DisruptionBudget' },
    });
    expect(error.message).toContain('needs 1 healthy pods and has 1 currently');
    await client.delete(RESOURCES.poddisruptionbudgets, { name: 'guarded' });
    expect(await evict()).toMatchObject({ kind: 'Status', status: 'Success' });
  }, 60_000);
});

describe('pages', () => {
  const count = 10;
  let lists: string;
  beforeAll(async () => {
    lists = await cluster().freshNamespace('pages');
    for (let index = 0; index < count; index += 1) {
      const body = {
        metadata: { name: `item-${index}`, labels: { list: 'yes', parity: index % 2 === 0 ? 'even' : 'odd' } },
        data: { index: String(index) },
      };
      await client.create(RESOURCES.configmaps, { namespace: lists }, body);
    }
  });

  it('give ten objects three at a time, each once', async () => {
    const pages = await all(
      client.pages(RESOURCES.configmaps, { namespace: lists, labelSelector: 'list=yes', pageSize: 3 }),
    );
    expect(pages.map(({ items }) => items.length)).toEqual([3, 3, 3, 1]);
    expect(pages.flatMap(({ items }) => items.map(({ metadata }) => metadata.name))).toEqual(
      Array.from({ length: count }, (_, index) => `item-${index}`),
    );
    expect(new Set(pages.map(({ resourceVersion }) => resourceVersion)).size).toBe(1);
    expect(pages.every(({ inconsistent }) => !inconsistent)).toBe(true);
    expect(pages.map((page) => page.continue === undefined)).toEqual([false, false, false, true]);
  });

  it('end where enough was given, and say how many are left', async () => {
    const pages = await all(client.pages(RESOURCES.configmaps, { namespace: lists, pageSize: 4, maxItems: 6 }));
    expect(pages.map(({ items }) => items.length)).toEqual([4, 2]);
    const page = await client.list(RESOURCES.configmaps, { namespace: lists, limit: 4 });
    // kube-root-ca.crt is there as well.
    expect(page.remainingItemCount).toBe(count + 1 - 4);
  });

  it('select by label and field, in one namespace or all', async () => {
    const odd = await client.list(RESOURCES.configmaps, {
      namespace: lists,
      labelSelector: 'list=yes,parity in (odd)',
    });
    expect(odd.items).toHaveLength(5);
    const named = await client.list(RESOURCES.configmaps, {
      namespace: '*',
      fieldSelector: `metadata.name=item-3,metadata.namespace=${lists}`,
    });
    expect(named.items.map(({ metadata }) => metadata.name)).toEqual(['item-3']);
    const nowhere = await errorOf(
      client.list(RESOURCES.configmaps, { namespace: lists, fieldSelector: 'data.index=3' }),
    );
    expect([nowhere.code, nowhere.message.includes('is not a known field selector')]).toEqual([
      'k8s_parameter_invalid',
      true,
    ]);
  });

  it('give metadata only, or leave managedFields out', async () => {
    const [partial] = (await client.list(RESOURCES.configmaps, { namespace: lists, limit: 1, metadataOnly: true }))
      .items;
    expect(partial).toMatchObject({ kind: 'PartialObjectMetadata', metadata: { name: 'item-0' } });
    expect(partial).not.toHaveProperty('data');
    const whole = (await client.list(RESOURCES.configmaps, { namespace: lists })).items;
    const reduced = (await client.list(RESOURCES.configmaps, { namespace: lists, dropManagedFields: true })).items;
    expect(whole[0]?.metadata.managedFields).toBeDefined();
    for (const { metadata } of whole) Reflect.deleteProperty(metadata, 'managedFields');
    expect(reduced).toEqual(whole);
  });

  it('do the same compressed or not', async () => {
    const plain = await client.list(RESOURCES.configmaps, { namespace: lists });
    const packed = await clusterClient(cluster(), { compress: true }).list(RESOURCES.configmaps, { namespace: lists });
    expect(packed).toEqual(plain);
  });
});
