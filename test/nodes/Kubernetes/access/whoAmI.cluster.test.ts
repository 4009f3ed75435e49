import { describe, expect, it } from '@jest/globals';
import { credentialFor, useTestCluster } from '../../testing/cluster';
import { execute, outputOf } from '../../testing/context';

const test = useTestCluster('who-am-i');
const PARAMETERS = { resource: 'access', operation: 'whoAmI' };

describe('Access: Who Am I', () => {
  it('says which ServiceAccount a token is, without any right', async () => {
    const { cluster, namespace } = test();
    const credential = await credentialFor(cluster, { namespace });
    const [who] = await outputOf({ credential, parameters: PARAMETERS });
    expect(who).toMatchObject({
      username: `system:serviceaccount:${namespace}:${String(who?.serviceAccount as string)}`,
      serviceAccountNamespace: namespace,
      groups: expect.arrayContaining(['system:serviceaccounts', 'system:authenticated']),
      namespace,
      server: cluster.server,
    });
  });

  it('says that the token is not accepted', async () => {
    const credential = { ...test().credential, token: 'not-a-token-of-this-cluster' };
    await expect(execute({ credential, parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_unauthorized' },
    });
  });
});
