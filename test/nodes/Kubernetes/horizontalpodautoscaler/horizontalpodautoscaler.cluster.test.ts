import { beforeAll, describe, expect, it } from '@jest/globals';
import { deploymentManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('autoscalers');

interface Autoscaler {
  readonly status?: { readonly conditions?: readonly { readonly type: string }[] };
}

beforeAll(async () => {
  const { cluster, namespace } = test();
  await cluster.api.create(`/apis/apps/v1/namespaces/${namespace}/deployments`, deploymentManifest('web', 2));
  const path = `/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`;
  await cluster.api.create(path, {
    metadata: { name: 'web', labels: { app: 'web' } },
    spec: {
      minReplicas: 2,
      maxReplicas: 5,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
        {
          type: 'External',
          external: { metric: { name: 'queue_length' }, target: { type: 'AverageValue', averageValue: '30' } },
        },
      ],
    },
  });
  // Looked at every 15 s.
  await cluster.api.until<Autoscaler>(
    `${path}/web`,
    (seen) => seen?.status?.conditions?.some(({ type }) => type === 'ScalingActive') ?? false,
  );
});

describe('HorizontalPodAutoscaler: Get and Get Many', () => {
  it('gives target, bounds, replicas, metrics and why it does not scale', async () => {
    const { credential, namespace } = test();
    const parameters = { resource: 'horizontalpodautoscaler', operation: 'get', name: named('web') };
    expect(await outputOf({ credential, parameters })).toEqual([
      {
        name: 'web',
        namespace,
        target: 'Deployment/web',
        minReplicas: 2,
        maxReplicas: 5,
        currentReplicas: 2,
        desiredReplicas: expect.any(Number),
        metrics: ['cpu: <unknown>/80%', 'queue_length: <unknown>/30 (avg)'],
        conditions: [
          { type: 'AbleToScale', status: 'True', reason: 'SucceededGetScale', message: expect.any(String) },
          {
            type: 'ScalingActive',
            status: 'False',
            reason: expect.stringMatching(/^FailedGet/),
            message: expect.any(String),
          },
        ],
        createdAt: expect.any(String),
        labels: { app: 'web' },
      },
    ]);
  });

  it('lists all of a namespace', async () => {
    const { credential } = test();
    const parameters = { resource: 'horizontalpodautoscaler', operation: 'getAll' };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ name: 'web', target: 'Deployment/web' }]);
  });

  it('says which autoscaler is not there', async () => {
    const { credential } = test();
    const parameters = { resource: 'horizontalpodautoscaler', operation: 'get', name: named('nothing') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});
