import { beforeAll, describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { credentialFor, podManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('tokens');
const PARAMETERS = { resource: 'serviceaccount', operation: 'createToken', name: named('web') };
const CREATE = [{ apiGroups: [''], resources: ['serviceaccounts/token'], verbs: ['create'] }];

beforeAll(async () => {
  const { cluster, namespace } = test();
  await cluster.api.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name: 'web' } });
});

/** What a token says of itself. */
function claimsOf(token: unknown): IDataObject {
  return JSON.parse(Buffer.from(String(token).split('.')[1] ?? '', 'base64url').toString()) as IDataObject;
}

describe('ServiceAccount: Create Token', () => {
  it('gives a token the cluster takes for the account, valid as long as was asked', async () => {
    const { cluster, credential, namespace } = test();
    const before = Date.now();
    const [created, ...more] = await outputOf({ credential, parameters: { ...PARAMETERS, durationSeconds: 1_200 } });
    expect([created, more]).toEqual([
      {
        name: 'web',
        namespace,
        token: expect.any(String),
        expirationTimestamp: expect.any(String),
        audiences: [expect.stringMatching(/^https:/)],
      },
      [],
    ]);
    const lasts = Date.parse(created?.expirationTimestamp as string) - before;
    expect(Math.abs(lasts - 1_200_000)).toBeLessThan(60_000);
    const itself = { ...credential, token: created?.token as string, apiServer: cluster.server };
    const [who] = await outputOf({ credential: itself, parameters: { resource: 'access', operation: 'whoAmI' } });
    expect(who).toMatchObject({ username: `system:serviceaccount:${namespace}:web` });
  });

  it('gives a token for somebody else that ends with a pod', async () => {
    const { cluster, credential, namespace } = test();
    const pods = `/api/v1/namespaces/${namespace}/pods`;
    const { metadata } = await cluster.api.create(pods, podManifest('web', { serviceAccountName: 'web' }));
    const options = { audiences: ['vault', ' '], boundName: 'web', boundUid: metadata.uid };
    const [created] = await outputOf({ credential, parameters: { ...PARAMETERS, options } });
    expect(created).toMatchObject({ audiences: ['vault'] });
    expect(claimsOf(created?.token)).toMatchObject({
      aud: ['vault'],
      'kubernetes.io': { pod: { name: 'web', uid: metadata.uid }, serviceaccount: { name: 'web' } },
    });
  });

  it('says that the object to bind to is another, or not there', async () => {
    const { credential } = test();
    const options = { boundKind: 'Secret', boundName: 'nothing' };
    await expect(execute({ credential, parameters: { ...PARAMETERS, options } })).rejects.toMatchObject({
      message: expect.stringContaining('nothing'),
      context: { code: 'k8s_not_found' },
    });
    const other = { boundName: 'web', boundUid: '11111111-1111-1111-1111-111111111111' };
    await expect(execute({ credential, parameters: { ...PARAMETERS, options: other } })).rejects.toMatchObject({
      context: { code: 'k8s_conflict' },
    });
  });

  it('needs the right to create tokens and no other', async () => {
    const { cluster, namespace } = test();
    const able = await credentialFor(cluster, { namespace, rules: CREATE });
    expect(await execute({ credential: able, parameters: PARAMETERS })).toHaveLength(1);
    const unable = await credentialFor(cluster, { namespace, rules: [] });
    await expect(execute({ credential: unable, parameters: PARAMETERS })).rejects.toMatchObject({
      httpCode: '403',
      description: expect.stringMatching(/resources: \[serviceaccounts\/token\][^]*verbs: \[create\]/),
    });
  });

  it('says which account is not there', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('nobody') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      message: expect.stringContaining('nobody'),
      context: { code: 'k8s_not_found' },
    });
  });
});
