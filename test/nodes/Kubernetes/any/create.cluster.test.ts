import { afterAll, describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('any-create');
const PARAMETERS = { resource: 'any', operation: 'create' };
const GADGETS = 'gadgets.any-create.example';

afterAll(async () => {
  await test().cluster.kubectl(['delete', 'crd', GADGETS, '--ignore-not-found']);
});

const configMap = (name: string, extra = ''): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { color: blue }\n${extra}`;

const create = async (manifest: string, more: object = {}) =>
  await outputOf({ credential: test().credential, parameters: { ...PARAMETERS, manifest, ...more } });

async function exists(name: string): Promise<boolean> {
  const { cluster, namespace } = test();
  return (await cluster.request('GET', `/api/v1/namespaces/${namespace}/configmaps/${name}`)).status === 200;
}

describe('Any Resource: Create', () => {
  it('creates an object and gives what identifies it, or the whole of it', async () => {
    const { namespace } = test();
    expect(await create(configMap('short'))).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: 'short',
        namespace,
        uid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        resourceVersion: expect.stringMatching(/^\d+$/),
        createdAt: expect.stringMatching(/^\d{4}-/),
        labels: {},
      },
    ]);
    const [whole] = await create(configMap('whole'), { simplify: false });
    expect(whole).toMatchObject({ kind: 'ConfigMap', metadata: { name: 'whole' }, data: { color: 'blue' } });
    expect(whole?.metadata).not.toHaveProperty('managedFields');
  });

  it('creates what refers to each other in the right order, whatever the order of the documents', async () => {
    const { namespace, cluster } = test();
    const other = `${namespace}-other`;
    const manifest = [
      `apiVersion: any-create.example/v1\nkind: Gadget\nmetadata: { name: one, namespace: ${other} }\nsize: 3`,
      `apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: robot, namespace: ${other} }`,
      JSON.stringify({
        apiVersion: 'apiextensions.k8s.io/v1',
        kind: 'CustomResourceDefinition',
        metadata: { name: GADGETS },
        spec: {
          group: 'any-create.example',
          scope: 'Namespaced',
          names: { kind: 'Gadget', plural: 'gadgets' },
          versions: [
            {
              name: 'v1',
              served: true,
              storage: true,
              schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            },
          ],
        },
      }),
      `apiVersion: v1\nkind: Namespace\nmetadata: { name: ${other} }`,
    ].join('\n---\n');
    const made = await create(manifest);
    expect(made.map(({ kind, name }) => [kind, name])).toEqual([
      ['Gadget', 'one'],
      ['ServiceAccount', 'robot'],
      ['CustomResourceDefinition', GADGETS],
      ['Namespace', other],
    ]);
    const gadget = await cluster.api.get(`/apis/any-create.example/v1/namespaces/${other}/gadgets/one`);
    expect(gadget).toMatchObject({ size: 3 });
  });

  it('creates anew what was read elsewhere, from the item', async () => {
    const { credential, namespace } = test();
    const read = {
      name: 'copied',
      namespace,
      uid: 'gone',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
    };
    const items = [{ found: [{ apiVersion: 'v1', kind: 'ConfigMap', metadata: read, data: { a: '1' } }] }];
    const parameters = { ...PARAMETERS, manifestFrom: 'item', manifestField: 'found', simplify: false };
    expect(await outputOf({ credential, items, parameters })).toMatchObject([
      { metadata: { name: 'copied' }, data: { a: '1' } },
    ]);
  });

  it('stores nothing in a dry run', async () => {
    expect(await create(configMap('dry'), { options: { dryRun: true } })).toMatchObject([
      { name: 'dry', dryRun: true },
    ]);
    expect(await exists('dry')).toBe(false);
  });

  it('refuses fields the kind does not have, unless told not to', async () => {
    await expect(create(configMap('typo', 'dato: {}\n'))).rejects.toMatchObject({ context: { code: 'k8s_invalid' } });
    expect(await exists('typo')).toBe(false);
    await create(configMap('typo', 'dato: {}\n'), { options: { ignoreUnknownFields: true } });
    expect(await exists('typo')).toBe(true);
  });

  it('says that an object exists already', async () => {
    await create(configMap('twice'));
    await expect(create(configMap('twice'))).rejects.toMatchObject({
      httpCode: '409',
      context: { code: 'k8s_already_exists' },
    });
  });

  it('says of several objects which were made, which failed and which were not tried', async () => {
    await create(configMap('there'));
    const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: late }\nspec: { ports: [{ port: 80 }] }';
    await expect(create([service, configMap('new'), configMap('there')].join('\n---\n'))).rejects.toMatchObject({
      message: expect.stringMatching(/^1 of 3 objects failed, 1 done, 1 not tried\. ConfigMap there: .*exists already/),
      httpCode: '409',
      context: {
        code: 'k8s_already_exists',
        details: {
          done: ['ConfigMap new'],
          failed: [{ object: 'ConfigMap there', code: 'k8s_already_exists' }],
          notTried: ['Service late'],
        },
      },
    });
  });

  it.each([
    [
      'that names a kind the cluster does not serve',
      'apiVersion: v1\nkind: Foo\nmetadata: { name: a }',
      'k8s_not_found',
    ],
    ['without a kind', 'apiVersion: v1\nmetadata: { name: a }', 'k8s_parameter_invalid'],
    ['without a name', 'apiVersion: v1\nkind: ConfigMap\ndata: {}', 'k8s_parameter_invalid'],
    ['that holds an object twice', `${configMap('x')}---\n${configMap('x')}`, 'k8s_parameter_invalid'],
    [
      'with a masked Secret',
      'apiVersion: v1\nkind: Secret\nmetadata: { name: x }\ndata: { password: (masked) }',
      'k8s_parameter_invalid',
    ],
  ])('touches nothing for a manifest %s', async (_what, document, code) => {
    await expect(create(`${configMap('untouched')}---\n${document}`)).rejects.toMatchObject({ context: { code } });
    expect(await exists('untouched')).toBe(false);
  });

  it('says which field the item does not have', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, manifestFrom: 'item', manifestField: 'data.manifest' };
    await expect(execute({ credential, items: [{ text: 'x' }], parameters })).rejects.toMatchObject({
      message: expect.stringContaining("'Field' names a field that the item does not have"),
    });
  });

  it('takes a kind without a namespace and another namespace than the one of the node', async () => {
    const { namespace } = test();
    const manifest = configMap('placed').replace('name: placed', `name: placed, namespace: ${namespace}`);
    expect(await create(manifest, { namespace: named('default') })).toMatchObject([{ namespace }]);
  });
});
