import { describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('ns-get');
const PARAMETERS = { resource: 'namespace', operation: 'get' };

describe('Namespace: Get', () => {
  it('gives a namespace in flat fields', async () => {
    const { credential, namespace } = test();
    expect(await outputOf({ credential, parameters: { ...PARAMETERS, name: named(namespace) } })).toEqual([
      {
        name: namespace,
        status: 'Active',
        conditions: [],
        createdAt: expect.any(String),
        labels: { 'kubernetes.io/metadata.name': namespace },
      },
    ]);
  });

  it('says which namespace is not there', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('no-such-place') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});
