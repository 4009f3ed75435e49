import { describe, expect, it } from '@jest/globals';
import { credentialFor, useTestCluster } from '../../testing/cluster';
import { outputOf } from '../../testing/context';

const test = useTestCluster('version');

describe('Cluster: Get Version', () => {
  it('gives version and distribution to everybody', async () => {
    const { cluster, namespace } = test();
    const credential = await credentialFor(cluster, { namespace });
    expect(await outputOf({ credential, parameters: { resource: 'cluster', operation: 'getVersion' } })).toEqual([
      {
        gitVersion: expect.stringMatching(/^v1\.\d+\.\d+/),
        major: 1,
        minor: expect.any(Number),
        platform: expect.stringMatching(/^linux\//),
        gitCommit: expect.any(String),
        buildDate: expect.any(String),
        goVersion: expect.any(String),
        distribution: 'unknown',
        server: cluster.server,
      },
    ]);
  });
});
