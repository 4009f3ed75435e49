import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sharedCluster } from '../../test/cluster/jest';
import { KubeApiError, RESOURCES, rolloutStatus, type KubeObject } from './index';
import { clientFor, useRealClient } from './testing/realCluster';

jest.setTimeout(120_000);
const real = useRealClient(sharedCluster(), 'kube');

const configMap = (name: string, data: Record<string, string> = { a: '1' }): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  data,
});

async function codeOf(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    () => 'no error',
    (error: unknown) => (error instanceof KubeApiError ? error.code : String(error)),
  );
}

describe('the version and the resources of a real API server', () => {
  it('reads the version', async () => {
    expect(await real().client.version()).toMatchObject({ gitVersion: 'v1.37.2', major: 1, minor: 37 });
  });

  it('finds a custom resource by kind, plural, short name and group', async () => {
    const group = `${real().namespace}.example`;
    await real().cluster.api.create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `gadgets.${group}` },
      spec: {
        group,
        scope: 'Namespaced',
        names: { kind: 'Gadget', plural: 'gadgets', singular: 'gadget', shortNames: ['gdt'] },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    });
    await real().cluster.api.until<{ status?: { conditions?: { type: string; status: string }[] } }>(
      `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.${group}`,
      (crd) =>
        crd?.status?.conditions?.some(({ type, status }) => type === 'Established' && status === 'True') === true,
    );
    const client = await clientFor(real().cluster, { namespace: real().namespace });
    for (const name of ['Gadget', 'gadgets', 'gadget', 'gdt', `Gadget.${group}`, `gadgets.${group}`]) {
      expect(await client.resource(name)).toMatchObject({ group, version: 'v1', plural: 'gadgets', namespaced: true });
    }
    client.close();
  });

  it('suggests what was meant', async () => {
    await expect(real().client.resource('deploymnt')).rejects.toMatchObject({
      code: 'k8s_not_found',
      details: { missing: 'kind' },
    });
  });
});

describe('objects on a real API server', () => {
  it('creates, reads, replaces and deletes', async () => {
    const { client, namespace } = real();
    const created = await client.create(RESOURCES.configmaps, { namespace }, configMap('life'));
    expect(created.metadata.uid).toBeDefined();
    await client.replace(RESOURCES.configmaps, { namespace, name: 'life' }, { ...created, data: { a: '2' } });
    expect(await client.get(RESOURCES.configmaps, { namespace, name: 'life' })).toMatchObject({ data: { a: '2' } });
    await client.delete(RESOURCES.configmaps, { namespace, name: 'life' });
    expect(await codeOf(client.get(RESOURCES.configmaps, { namespace, name: 'life' }))).toBe('k8s_not_found');
  });

  it('tells a name that is taken from an object that has changed', async () => {
    const { client, namespace } = real();
    const created = await client.create(RESOURCES.configmaps, { namespace }, configMap('twice'));
    expect(await codeOf(client.create(RESOURCES.configmaps, { namespace }, configMap('twice')))).toBe(
      'k8s_already_exists',
    );
    await client.patch(
      RESOURCES.configmaps,
      { namespace, name: 'twice' },
      { type: 'merge', body: { data: { b: '2' } } },
    );
    expect(await codeOf(client.replace(RESOURCES.configmaps, { namespace, name: 'twice' }, created))).toBe(
      'k8s_conflict',
    );
  });

  it('changes nothing in a dry run', async () => {
    const { client, namespace } = real();
    await client.create(RESOURCES.configmaps, { namespace }, configMap('dry'), { dryRun: true });
    expect(await codeOf(client.get(RESOURCES.configmaps, { namespace, name: 'dry' }))).toBe('k8s_not_found');
  });

  it('deletes only the object of the given uid', async () => {
    const { client, namespace } = real();
    await client.create(RESOURCES.configmaps, { namespace }, configMap('precise'));
    const options = { preconditions: { uid: '00000000-0000-0000-0000-000000000000' } };
    expect(await codeOf(client.delete(RESOURCES.configmaps, { namespace, name: 'precise' }, options))).toBe(
      'k8s_conflict',
    );
    expect(await client.get(RESOURCES.configmaps, { namespace, name: 'precise' })).toMatchObject({ data: { a: '1' } });
  });

  it('names the fields of an object that is not valid', async () => {
    const { client, namespace } = real();
    const pod = { metadata: { name: 'bad' }, spec: { containers: [{ name: 'UPPER', image: '' }] } };
    await expect(client.create(RESOURCES.pods, { namespace }, pod)).rejects.toMatchObject({
      code: 'k8s_invalid',
      causes: expect.arrayContaining([expect.objectContaining({ field: 'spec.containers[0].name' })]),
    });
  });

  it('tells a missing namespace from a missing object', async () => {
    const pod = { metadata: { name: 'x' }, spec: { containers: [{ name: 'x', image: 'x' }] } };
    await expect(real().client.create(RESOURCES.pods, { namespace: 'nowhere' }, pod)).rejects.toMatchObject({
      code: 'k8s_not_found',
      details: { missing: 'namespace' },
    });
  });
});

describe('the four kinds of patch', () => {
  const name = 'patched';
  const ref = (): { namespace: string; name: string } => ({ namespace: real().namespace, name });

  beforeAll(async () => {
    const labels = { app: name };
    const container = (of: string): object => ({ name: of, image: `${of}:1` });
    await real().client.create(
      RESOURCES.deployments,
      { namespace: real().namespace },
      {
        metadata: { name },
        spec: {
          replicas: 1,
          selector: { matchLabels: labels },
          template: { metadata: { labels }, spec: { containers: [container('web'), container('side')] } },
        },
      },
    );
  });

  const images = (deployment: KubeObject): unknown =>
    (deployment.spec as { template: { spec: { containers: { image: string }[] } } }).template.spec.containers.map(
      ({ image }) => image,
    );

  it('merges lists by their key in a strategic patch', async () => {
    const body = { spec: { template: { spec: { containers: [{ name: 'side', image: 'side:2' }] } } } };
    const changed = await real().client.patch(RESOURCES.deployments, ref(), { type: 'strategic', body });
    expect(images(changed)).toEqual(expect.arrayContaining(['web:1', 'side:2']));
  });

  it('replaces a list whole in a merge patch', async () => {
    const body = { spec: { template: { spec: { containers: [{ name: 'web', image: 'web:3' }] } } } };
    expect(images(await real().client.patch(RESOURCES.deployments, ref(), { type: 'merge', body }))).toEqual(['web:3']);
  });

  it('follows the steps of a JSON patch, and refuses a failed test', async () => {
    const path = '/spec/template/spec/containers/0/image';
    const steps = (expected: string) => [
      { op: 'test' as const, path, value: expected },
      { op: 'replace' as const, path, value: 'web:4' },
    ];
    const changed = await real().client.patch(RESOURCES.deployments, ref(), { type: 'json', body: steps('web:3') });
    expect(images(changed)).toEqual(['web:4']);
    expect(
      await codeOf(real().client.patch(RESOURCES.deployments, ref(), { type: 'json', body: steps('web:3') })),
    ).toBe('k8s_invalid');
  });

  it('names manager and field of a conflict of apply, and forces only when told', async () => {
    const { client, namespace, cluster } = real();
    const mine = { ...configMap('owned', { a: 'mine' }) };
    const applied = { type: 'apply' as const, body: mine };
    await client.patch(RESOURCES.configmaps, { namespace, name: 'owned' }, applied);
    await cluster.kubectl([
      'patch',
      'configmap',
      'owned',
      '-n',
      namespace,
      '--field-manager=somebody',
      '--type=merge',
      '-p',
      '{"data":{"a":"theirs"}}',
    ]);
    await expect(client.patch(RESOURCES.configmaps, { namespace, name: 'owned' }, applied)).rejects.toMatchObject({
      code: 'k8s_conflict',
      conflicts: [{ manager: 'somebody', field: '.data.a' }],
    });
    const forced = await client.patch(RESOURCES.configmaps, { namespace, name: 'owned' }, { ...applied, force: true });
    expect(forced).toMatchObject({ data: { a: 'mine' } });
  });

  it('scales by the subresource down to 0', async () => {
    const scale = { ...ref(), subresource: 'scale' };
    await real().client.patch(RESOURCES.deployments, scale, { type: 'merge', body: { spec: { replicas: 0 } } });
    const deployment = await real().client.get(RESOURCES.deployments, ref());
    expect(deployment).toMatchObject({ spec: { replicas: 0 } });
    expect(rolloutStatus('Deployment', deployment)).toBeDefined();
  });
});

describe('lists', () => {
  beforeAll(async () => {
    const { client, namespace } = real();
    for (let index = 0; index < 10; index += 1) {
      const labels = { set: 'ten', even: String(index % 2 === 0) };
      await client.create(
        RESOURCES.configmaps,
        { namespace },
        { metadata: { name: `ten-${index}`, labels }, data: {} },
      );
    }
  });

  it('come page by page and whole, in the order of the server', async () => {
    const { client, namespace } = real();
    const sizes: number[] = [];
    const names: (string | undefined)[] = [];
    for await (const page of client.pages(RESOURCES.configmaps, { namespace, labelSelector: 'set=ten', pageSize: 3 })) {
      sizes.push(page.items.length);
      names.push(...page.items.map(({ metadata }) => metadata.name));
      expect(page.inconsistent).toBe(false);
    }
    expect(sizes).toEqual([3, 3, 3, 1]);
    expect(names).toEqual(Array.from({ length: 10 }, (_, index) => `ten-${index}`));
  });

  it('end at the number asked for', async () => {
    const { client, namespace } = real();
    let count = 0;
    const options = { namespace, labelSelector: 'set=ten', pageSize: 3, maxItems: 5 };
    for await (const page of client.pages(RESOURCES.configmaps, options)) count += page.items.length;
    expect(count).toBe(5);
  });

  it('choose by label and by field on the server', async () => {
    const { client, namespace } = real();
    const even = await client.list(RESOURCES.configmaps, { namespace, labelSelector: 'set=ten,even=true' });
    expect(even.items).toHaveLength(5);
    const one = await client.list(RESOURCES.configmaps, { namespace, fieldSelector: 'metadata.name=ten-7' });
    expect(one.items.map(({ metadata }) => metadata.name)).toEqual(['ten-7']);
  });

  it('give metadata alone when asked', async () => {
    const { client, namespace } = real();
    const { items } = await client.list(RESOURCES.configmaps, {
      namespace,
      labelSelector: 'set=ten',
      metadataOnly: true,
    });
    expect(items).toHaveLength(10);
    expect(items.every((item) => !('data' in item))).toBe(true);
  });
});

describe('rights', () => {
  it('are told one by one, and a missing one comes with the rule to add', async () => {
    const { cluster, namespace } = real();
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['get', 'list'] }];
    const client = await clientFor(cluster, { namespace, rules });
    expect(await client.reviewAccess({ verb: 'list', group: '', resource: 'pods', namespace })).toMatchObject({
      allowed: true,
    });
    expect(
      await client.reviewAccess({ verb: 'patch', group: 'apps', resource: 'deployments', namespace }),
    ).toMatchObject({ allowed: false });
    expect((await client.whoAmI()).username).toMatch(`system:serviceaccount:${namespace}:`);
    await expect(client.list(RESOURCES.deployments, { namespace })).rejects.toMatchObject({
      code: 'k8s_forbidden',
      details: { verb: 'list', group: 'apps', resource: 'deployments', namespace },
      hint: expect.stringMatching(/kind: Role[\s\S]*deployments[\s\S]*list/),
    });
    client.close();
  });
});
