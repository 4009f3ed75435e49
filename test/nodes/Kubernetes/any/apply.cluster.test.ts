import { afterAll, describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { outputOf } from '../../testing/context';

const test = useTestCluster('any-apply');
const PARAMETERS = { resource: 'any', operation: 'apply' };
const GIZMOS = 'gizmos.any-apply.example';

afterAll(async () => {
  await test().cluster.kubectl(['delete', 'crd', GIZMOS, '--ignore-not-found']);
});

const configMap = (name: string, color = 'blue'): string =>
  `apiVersion: v1\nkind: ConfigMap\nmetadata: { name: ${name} }\ndata: { color: ${color} }`;

const apply = async (manifest: string, more: object = {}) =>
  await outputOf({ credential: test().credential, parameters: { ...PARAMETERS, manifest, ...more } });

const stored = async (name: string) => {
  const { cluster, namespace } = test();
  return await cluster.api.get(`/api/v1/namespaces/${namespace}/configmaps/${name}`);
};

/** Applies as somebody else. */
async function applyAs(manager: string, manifest: string): Promise<void> {
  const { cluster, namespace } = test();
  const flags = ['--server-side', `--field-manager=${manager}`, '--force-conflicts', '-n', namespace, '-f', '-'];
  await cluster.kubectl(['apply', ...flags], { stdin: manifest });
}

describe('Any Resource: Apply', () => {
  it('creates, changes, and leaves alone what is as it shall be', async () => {
    const options = { reportOutcome: true };
    const { namespace } = test();
    expect(await apply(configMap('a'), { options })).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        name: 'a',
        namespace,
        uid: expect.any(String),
        resourceVersion: expect.any(String),
        createdAt: expect.any(String),
        labels: {},
        outcome: 'created',
      },
    ]);
    expect(await apply(configMap('a'), { options })).toMatchObject([{ outcome: 'unchanged' }]);
    expect(await apply(configMap('a', 'red'), { options })).toMatchObject([{ outcome: 'changed' }]);
    expect(await stored('a')).toMatchObject({
      data: { color: 'red' },
      metadata: { managedFields: [{ manager: 'navin', operation: 'Apply' }] },
    });
  });

  it('removes fields that it owned and that are left out now', async () => {
    await apply('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\ndata: { x: "1", y: "2" }');
    await apply('apiVersion: v1\nkind: ConfigMap\nmetadata: { name: b }\ndata: { x: "1" }');
    expect((await stored('b')).data).toEqual({ x: '1' });
  });

  it('names the manager and the field of a conflict, and takes the field over only by force', async () => {
    await applyAs('payments-team', configMap('owned'));
    await expect(apply(configMap('owned', 'red'))).rejects.toMatchObject({
      message: expect.stringContaining('.data.color (payments-team)'),
      httpCode: '409',
      context: { code: 'k8s_conflict', details: { conflicts: [{ manager: 'payments-team', field: '.data.color' }] } },
    });
    expect(await stored('owned')).toMatchObject({ data: { color: 'blue' } });
    await apply(configMap('owned', 'red'), { force: true });
    expect(await stored('owned')).toMatchObject({ data: { color: 'red' } });
  });

  it('says of several objects which conflict and with whom', async () => {
    await applyAs('payments-team', configMap('theirs'));
    await expect(apply([configMap('mine'), configMap('theirs', 'red')].join('\n---\n'))).rejects.toMatchObject({
      context: {
        code: 'k8s_conflict',
        details: {
          done: ['ConfigMap mine'],
          failed: [{ object: 'ConfigMap theirs', conflicts: [{ manager: 'payments-team', field: '.data.color' }] }],
        },
      },
    });
  });

  it('applies JSON and YAML documents, with what they need before them', async () => {
    const { cluster, namespace } = test();
    const definition = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: GIZMOS },
      spec: {
        group: 'any-apply.example',
        scope: 'Namespaced',
        names: { kind: 'Gizmo', plural: 'gizmos' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    };
    const gizmo = 'apiVersion: any-apply.example/v1\nkind: Gizmo\nmetadata: { name: one }\nsize: 1';
    const applied = await apply([gizmo, JSON.stringify(definition)].join('\n---\n'));
    expect(applied.map(({ kind }) => kind)).toEqual(['Gizmo', 'CustomResourceDefinition']);
    const path = `/apis/any-apply.example/v1/namespaces/${namespace}/gizmos/one`;
    expect(await cluster.api.get(path)).toMatchObject({ size: 1 });
  });

  it('applies what another node read, as a whole list of objects', async () => {
    const { credential } = test();
    await apply(configMap('read'));
    const before = await stored('read');
    const object = { ...before, apiVersion: 'v1', kind: 'ConfigMap', data: { color: 'green' } };
    const items = [{ kind: 'ConfigMapList', apiVersion: 'v1', items: [object] }];
    await outputOf({ credential, items, parameters: { ...PARAMETERS, manifestFrom: 'item' } });
    expect(await stored('read')).toMatchObject({ data: { color: 'green' } });
    // It carries the version it was read at: what was changed in between is not overwritten.
    await expect(
      outputOf({ credential, items, parameters: { ...PARAMETERS, manifestFrom: 'item', force: true } }),
    ).rejects.toMatchObject({ context: { code: 'k8s_conflict' } });
  });

  it('stores nothing in a dry run and notes another field manager where told to', async () => {
    const options = { dryRun: true, reportOutcome: true };
    expect(await apply(configMap('c'), { options })).toMatchObject([{ dryRun: true, outcome: 'created' }]);
    await apply(configMap('c'), { options: { fieldManager: 'shop-team' } });
    expect(await stored('c')).toMatchObject({ metadata: { managedFields: [{ manager: 'shop-team' }] } });
  });

  it('never shows the values of a Secret, neither in the output nor in an error', async () => {
    const secret = (type: string) =>
      `apiVersion: v1\nkind: Secret\nmetadata: { name: s }\ntype: ${type}\nstringData: { password: s3cr3t }`;
    const output = await apply(secret('Opaque'), { simplify: false });
    expect(output).toMatchObject([{ kind: 'Secret', data: { password: '(masked)' } }]);
    const failed = await apply(secret('other')).catch((error: unknown) => error);
    expect(failed).toMatchObject({ context: { code: 'k8s_invalid' } });
    for (const shown of [output, failed, (failed as Error).message]) {
      expect(JSON.stringify(shown)).not.toMatch(/s3cr3t|czNjcjN0/);
    }
  });

  it('refuses an object without a name', async () => {
    await expect(apply('apiVersion: v1\nkind: ConfigMap')).rejects.toMatchObject({
      message: expect.stringContaining('holds a ConfigMap without metadata.name'),
    });
  });
});
