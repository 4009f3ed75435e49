import { describe, expect, it } from '@jest/globals';
import { credentialFor, useTestCluster } from '../../testing/cluster';
import { execute, outputOf } from '../../testing/context';

const test = useTestCluster('ns-list');
const PARAMETERS = { resource: 'namespace', operation: 'getAll', returnAll: true };

describe('Namespace: Get Many', () => {
  it('gives one item for each namespace', async () => {
    const { credential, namespace } = test();
    const names = (await outputOf({ credential, parameters: PARAMETERS })).map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['default', 'kube-system', namespace]));
  });

  it('shows the ClusterRole to add when the right is missing', async () => {
    const { cluster, namespace } = test();
    const credential = await credentialFor(cluster, { namespace, rules: [] });
    await expect(execute({ credential, parameters: PARAMETERS })).rejects.toMatchObject({
      httpCode: '403',
      description: expect.stringMatching(/kind: ClusterRole[^]*resources: \[namespaces\]/),
      context: { code: 'k8s_forbidden' },
    });
  });
});
