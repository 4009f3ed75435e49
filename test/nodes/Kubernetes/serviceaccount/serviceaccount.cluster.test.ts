import { beforeAll, describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('accounts');

beforeAll(async () => {
  const { cluster, namespace } = test();
  await cluster.api.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, {
    metadata: { name: 'web', labels: { app: 'web' }, annotations: { 'iam.example.com/role': 'shop' } },
    automountServiceAccountToken: false,
    imagePullSecrets: [{ name: 'registry' }],
  });
});

describe('ServiceAccount: Get and Get Many', () => {
  it('gives the secrets images are pulled with, and whether pods get a token', async () => {
    const { credential, namespace } = test();
    const parameters = { resource: 'serviceaccount', operation: 'get', name: named('web') };
    expect(await outputOf({ credential, parameters })).toEqual([
      {
        name: 'web',
        namespace,
        automountToken: false,
        imagePullSecrets: ['registry'],
        secrets: [],
        annotations: { 'iam.example.com/role': 'shop' },
        createdAt: expect.any(String),
        labels: { app: 'web' },
      },
    ]);
  });

  it('lists those that match', async () => {
    const { credential } = test();
    const parameters = { resource: 'serviceaccount', operation: 'getAll', options: { labelSelector: 'app=web' } };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ name: 'web' }]);
    const all = await outputOf({ credential, parameters: { resource: 'serviceaccount', operation: 'getAll' } });
    expect(all.find(({ name }) => name === 'default')).toMatchObject({ automountToken: true, imagePullSecrets: [] });
  });

  it('says which account is not there', async () => {
    const { credential } = test();
    const parameters = { resource: 'serviceaccount', operation: 'get', name: named('nothing') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});
