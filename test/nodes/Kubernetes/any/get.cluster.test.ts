import { beforeAll, describe, expect, it } from '@jest/globals';
import { credentialFor, useTestCluster } from '../../testing/cluster';
import { editorContext, execute, executionContext, named, outputOf } from '../../testing/context';
import { Kubernetes } from '../../../../nodes/Kubernetes/Kubernetes.node';

const test = useTestCluster('any-get');
const PARAMETERS = { resource: 'any', operation: 'get' };
const WIDGETS = 'widgets.any-get.example';

beforeAll(async () => {
  const { cluster, namespace } = test();
  await cluster.apply(
    JSON.stringify({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: WIDGETS },
      spec: {
        group: 'any-get.example',
        scope: 'Namespaced',
        names: { kind: 'Widget', plural: 'widgets', singular: 'widget', shortNames: ['wdg'] },
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
  );
  await cluster.kubectl(['wait', '--for=condition=Established', `crd/${WIDGETS}`]);
  const documents = [
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'colors', labels: { app: 'web' } },
      data: { sky: 'blue' },
    },
    { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'login' }, stringData: { user: 'ann', password: 's3cr3t' } },
    { apiVersion: 'any-get.example/v1', kind: 'Widget', metadata: { name: 'one' }, size: 3 },
  ];
  // Client-side: so that the Secret has the annotation with its values.
  await cluster.kubectl(['apply', '-n', namespace, '-f', '-'], {
    stdin: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: documents }),
  });
});

describe('Any Resource: Get', () => {
  it.each(['configmaps', 'ConfigMap', 'cm', 'v1/ConfigMap'])('takes %s for ConfigMaps', async (kind) => {
    const { credential, namespace } = test();
    const [object] = await outputOf({
      credential,
      parameters: { ...PARAMETERS, kind: named(kind), name: named('colors') },
    });
    expect(object).toMatchObject({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'colors', namespace, labels: { app: 'web' } },
      data: { sky: 'blue' },
    });
    expect(object?.metadata).not.toHaveProperty('managedFields');
  });

  it.each(['widgets', 'wdg', 'Widget.any-get.example', 'any-get.example/v1/Widget'])(
    'takes %s for a custom resource',
    async (kind) => {
      const { credential } = test();
      const [object] = await outputOf({
        credential,
        parameters: { ...PARAMETERS, kind: named(kind), name: named('one') },
      });
      expect(object).toMatchObject({ apiVersion: 'any-get.example/v1', kind: 'Widget', size: 3 });
    },
  );

  it('takes a kind without a namespace', async () => {
    const { credential, namespace } = test();
    const parameters = { ...PARAMETERS, kind: named('ns'), namespace: named('other'), name: named(namespace) };
    expect(await outputOf({ credential, parameters })).toMatchObject([
      { kind: 'Namespace', metadata: { name: namespace } },
    ]);
  });

  it('keeps managed fields where they are asked for', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, kind: named('cm'), name: named('colors'), options: { managedFields: true } };
    expect(await outputOf({ credential, parameters })).toMatchObject([
      { metadata: { managedFields: expect.any(Array) } },
    ]);
  });

  it('shows the keys of a Secret and none of its values', async () => {
    const { credential } = test();
    const output = await outputOf({
      credential,
      parameters: { ...PARAMETERS, kind: named('secret'), name: named('login') },
    });
    expect(output).toMatchObject([
      {
        data: { user: '(masked)', password: '(masked)' },
        metadata: { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '(masked)' } },
      },
    ]);
    expect(JSON.stringify(output)).not.toMatch(/s3cr3t|czNjcjN0|YW5u/);
  });

  it('reveals the keys of a Secret that are named, and no others', async () => {
    const { credential } = test();
    const secret = { ...PARAMETERS, kind: named('secret'), name: named('login') };
    const output = await outputOf({ credential, parameters: { ...secret, options: { revealKeys: ['user'] } } });
    expect(output).toMatchObject([{ data: { user: '(masked)', password: '(masked)' }, values: { user: 'ann' } }]);
    expect(JSON.stringify(output)).not.toMatch(/s3cr3t|czNjcjN0/);
    const missing = execute({ credential, parameters: { ...secret, options: { revealKeys: ['pin'] } } });
    await expect(missing).rejects.toMatchObject({
      message: "'Options > Reveal Keys' names a key this Secret does not have; it has: password, user",
    });
    const colors = { ...PARAMETERS, kind: named('cm'), name: named('colors'), options: { revealKeys: ['sky'] } };
    await expect(execute({ credential, parameters: colors })).rejects.toMatchObject({
      message: "'Options > Reveal Keys' is for Secrets: all other kinds are shown whole",
    });
  });

  it('says what it does not find, and which kind was near', async () => {
    const { credential } = test();
    const missing = { ...PARAMETERS, kind: named('cm'), name: named('absent') };
    await expect(execute({ credential, parameters: missing })).rejects.toMatchObject({
      context: { code: 'k8s_not_found', details: { missing: 'object' } },
    });
    const unknown = { ...PARAMETERS, kind: named('configmap5'), name: named('colors') };
    await expect(execute({ credential, parameters: unknown })).rejects.toMatchObject({
      context: { code: 'k8s_not_found', details: { suggestions: expect.arrayContaining(['configmaps']) } },
    });
  });

  // headlamp#752, #2598, #3899, #3516
  it('works, lists included, with rights in one namespace only, and says which right is missing elsewhere', async () => {
    const { cluster, namespace } = test();
    const rules = [{ apiGroups: ['any-get.example'], resources: ['widgets'], verbs: ['get', 'list'] }];
    const credential = await credentialFor(cluster, { namespace, rules });
    const parameters = { ...PARAMETERS, kind: named('wdg'), name: named('one') };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ size: 3 }]);
    const { listSearch } = new Kubernetes().methods;
    const editor = editorContext({ ...PARAMETERS, kind: named(WIDGETS) }, credential);
    expect(await listSearch.searchObjectsOfKind.call(editor)).toEqual({ results: [{ name: 'one', value: 'one' }] });
    expect(await listSearch.searchKinds.call(editor, 'any-get')).toEqual({
      results: [{ name: 'Widget (any-get.example)', value: WIDGETS }],
    });
    expect(await listSearch.searchNamespaces.call(editor)).toMatchObject({ results: [{ value: namespace }] });
    await expect(execute({ credential, parameters: { ...parameters, kind: named('cm') } })).rejects.toMatchObject({
      httpCode: '403',
      context: { code: 'k8s_forbidden', details: { verb: 'get', resource: 'configmaps' } },
    });
  });
});

it('a warning of the API server is told beside the output', async () => {
  const { credential } = test();
  const parameters = { resource: 'any', operation: 'getAll', kind: named('endpoints') };
  const context = executionContext({ credential, parameters });
  await new Kubernetes().execute.call(context);
  expect(context.notes).toEqual([
    'The API server warns: v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice',
  ]);
});
