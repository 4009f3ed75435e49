import { expect, it } from '@jest/globals';
import { deploymentManifest, useTestCluster } from '../nodes/testing/cluster';
import { execute, named, outputOf } from '../nodes/testing/context';

const test = useTestCluster('complaints-scaling');
const deployments = () => `/apis/apps/v1/namespaces/${test().namespace}/deployments`;

interface Scaled {
  readonly spec: { readonly replicas: number };
  readonly status?: { readonly availableReplicas?: number };
}

it.each([
  ['Deployment', 'deployments', 'deployment'],
  ['StatefulSet', 'statefulsets', 'statefulset'],
])(
  'a %s that was scaled is waited for until its pods are there, and until they are gone (kubernetes.core#203)',
  async (kind, plural, resource) => {
    const { cluster, credential, namespace } = test();
    const manifest = deploymentManifest('counted', 1, kind === 'StatefulSet' ? { serviceName: 'counted' } : {});
    await cluster.api.create(`/apis/apps/v1/namespaces/${namespace}/${plural}`, { ...manifest, kind });
    const pods = `/api/v1/namespaces/${namespace}/pods?labelSelector=app%3Dcounted`;
    for (const replicas of [4, 1, 0]) {
      const about = { resource, name: named('counted') };
      await execute({ credential, parameters: { ...about, operation: 'scale', replicas } });
      const waiting = { ...about, operation: 'getRolloutStatus', wait: true, options: { intervalSeconds: 1 } };
      expect(await outputOf({ credential, parameters: waiting })).toMatchObject([{ status: 'complete', replicas }]);
      const left = (await cluster.api.items(pods)).filter(({ metadata }) => metadata.deletionTimestamp === undefined);
      expect(left.length).toBe(replicas);
    }
    await cluster.api.delete(`/apis/apps/v1/namespaces/${namespace}/${plural}/counted`);
  },
);

it('an apply does not take back the replicas that an autoscaler has set (kubernetes#25238, #66385, #32746)', async () => {
  const { cluster, credential } = test();
  const manifest = JSON.stringify(deploymentManifest('scaled', 1));
  const parameters = { resource: 'any', operation: 'apply', manifest };
  await execute({ credential, parameters });
  // As the controller of autoscalers does it.
  await cluster.api.patch(`${deployments()}/scaled/scale?fieldManager=kube-controller-manager`, {
    spec: { replicas: 3 },
  });
  await expect(execute({ credential, parameters })).rejects.toMatchObject({
    message: expect.stringContaining('.spec.replicas (kube-controller-manager'),
    context: { code: 'k8s_conflict' },
  });
  expect((await cluster.api.get<Scaled>(`${deployments()}/scaled`)).spec.replicas).toBe(3);
});
