import { beforeAll, describe, expect, it } from '@jest/globals';
import { deploymentManifest, useTestCluster } from '../../testing/cluster';
import { outputOf } from '../../testing/context';

const test = useTestCluster('deploy-list');

beforeAll(async () => {
  const { cluster, namespace } = test();
  for (const name of ['api', 'web']) {
    await cluster.api.create(`/apis/apps/v1/namespaces/${namespace}/deployments`, deploymentManifest(name, 0));
  }
});

describe('Deployment: Get Many', () => {
  it('gives one item for each deployment; replicas 0 is 0', async () => {
    const { credential } = test();
    const deployments = await outputOf({ credential, parameters: { resource: 'deployment', operation: 'getAll' } });
    expect(deployments).toMatchObject([
      { name: 'api', replicas: 0 },
      { name: 'web', replicas: 0 },
    ]);
  });

  it('selects by label', async () => {
    const { credential } = test();
    const options = { labelSelector: 'app=web' };
    const parameters = { resource: 'deployment', operation: 'getAll', options };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ name: 'web' }]);
  });
});
