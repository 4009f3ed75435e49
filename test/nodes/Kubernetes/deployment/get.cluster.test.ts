import { beforeAll, describe, expect, it } from '@jest/globals';
import { deploymentManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('deploy-get');

beforeAll(async () => {
  const { cluster, namespace } = test();
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await cluster.api.create(deployments, deploymentManifest('web', 2));
  await cluster.api.until(
    `${deployments}/web`,
    (object) => (object as { status?: { availableReplicas?: number } } | undefined)?.status?.availableReplicas === 2,
  );
});

describe('Deployment: Get', () => {
  it('gives a deployment in flat fields', async () => {
    const { credential, namespace } = test();
    const parameters = { resource: 'deployment', operation: 'get', name: named('web') };
    expect(await outputOf({ credential, parameters })).toEqual([
      {
        name: 'web',
        namespace,
        replicas: 2,
        readyReplicas: 2,
        updatedReplicas: 2,
        availableReplicas: 2,
        paused: false,
        images: { app: 'nginx:1' },
        revision: '1',
        createdAt: expect.stringMatching(/^\d{4}-/),
        labels: { app: 'web' },
      },
    ]);
  });

  it('says which deployment is not there', async () => {
    const { credential } = test();
    const parameters = { resource: 'deployment', operation: 'get', name: named('api') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});
