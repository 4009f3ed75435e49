import { beforeAll, describe, expect, it } from '@jest/globals';
import { credentialFor, deploymentManifest, useTestCluster } from '../../testing/cluster';
import { execute, executionContext, named, outputOf } from '../../testing/context';
import { Kubernetes } from '../../../../nodes/Kubernetes/Kubernetes.node';

const test = useTestCluster('deploy-scale');

beforeAll(async () => {
  const { cluster, namespace } = test();
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  for (const name of ['web', 'owned']) await cluster.api.create(deployments, deploymentManifest(name, 1));
  await cluster.api.create(`/apis/autoscaling/v2/namespaces/${namespace}/horizontalpodautoscalers`, {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'owned-hpa' },
    spec: {
      minReplicas: 2,
      maxReplicas: 5,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'owned' },
    },
  });
});

const PARAMETERS = { resource: 'deployment', operation: 'scale' };
const WARNING = 'the HorizontalPodAutoscaler owned-hpa (2 to 5 replicas) owns this number and may change it again';

async function replicasOf(name: string): Promise<unknown> {
  const { cluster, namespace } = test();
  const deployment = await cluster.api.get(`/apis/apps/v1/namespaces/${namespace}/deployments/${name}`);
  return (deployment.spec as { replicas: number }).replicas;
}

describe('Deployment: Scale', () => {
  it.each([3, 0, 1])('scales to %d and gives the deployment after it', async (replicas) => {
    const { credential } = test();
    const scaled = await outputOf({ credential, parameters: { ...PARAMETERS, name: named('web'), replicas } });
    expect(scaled).toMatchObject([{ name: 'web', replicas, images: { app: 'nginx:1' } }]);
    expect(scaled[0]).not.toHaveProperty('warning');
    expect(await replicasOf('web')).toBe(replicas);
  });

  it('takes replicas 0 from an expression, as number or text', async () => {
    const { credential } = test();
    const scaled = await outputOf({
      credential,
      items: [{}, {}],
      parameters: { ...PARAMETERS, name: named('web'), replicas: '={{ $json.replicas }}' },
      expressions: { '={{ $json.replicas }}': (item) => [0, '0'][item] },
    });
    expect(scaled).toMatchObject([{ replicas: 0 }, { replicas: 0 }]);
  });

  // kubernetes#25238, #66385, #32746
  it('warns that an autoscaler owns the number', async () => {
    const { credential } = test();
    const context = executionContext({ credential, parameters: { ...PARAMETERS, name: named('owned'), replicas: 4 } });
    const [items] = await new Kubernetes().execute.call(context);
    expect(items?.[0]?.json).toMatchObject({ replicas: 4, warning: WARNING });
    expect(context.notes).toEqual([`Deployment owned: ${WARNING}`]);
    expect(await replicasOf('owned')).toBe(4);
  });

  it('says that the autoscaler rests at 0 replicas', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('owned'), replicas: 0 };
    expect(await outputOf({ credential, parameters })).toMatchObject([
      {
        warning:
          'the HorizontalPodAutoscaler owned-hpa does nothing while replicas is 0 and takes over again afterwards',
      },
    ]);
  });

  it('does not look for an autoscaler when forced', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('owned'), replicas: 3, options: { force: true } };
    const [scaled] = await outputOf({ credential, parameters });
    expect(scaled).toMatchObject({ replicas: 3 });
    expect(scaled).not.toHaveProperty('warning');
  });

  it('leaves the look out where autoscalers may not be listed', async () => {
    const { cluster, namespace } = test();
    const rules = [
      { apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['patch'] },
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] },
    ];
    const credential = await credentialFor(cluster, { namespace, rules });
    const parameters = { ...PARAMETERS, name: named('owned'), replicas: 2 };
    const [scaled] = await outputOf({ credential, parameters });
    expect(scaled).toMatchObject({ name: 'owned', replicas: 2 });
    expect(scaled).not.toHaveProperty('warning');
  });

  it('says what it did where the deployment may not be read afterwards', async () => {
    const { cluster, namespace } = test();
    const rules = [{ apiGroups: ['apps'], resources: ['deployments/scale'], verbs: ['patch'] }];
    const credential = await credentialFor(cluster, { namespace, rules });
    const parameters = { ...PARAMETERS, name: named('web'), replicas: 2 };
    expect(await outputOf({ credential, parameters })).toEqual([
      { name: 'web', namespace, replicas: 2, notRead: 'k8s_forbidden' },
    ]);
  });

  it('changes nothing when the number is not valid', async () => {
    const { credential } = test();
    const before = await replicasOf('web');
    await expect(
      execute({
        credential,
        parameters: { ...PARAMETERS, name: named('web'), replicas: '={{ $json.replicas }}' },
        expressions: { '={{ $json.replicas }}': () => 'all' },
      }),
    ).rejects.toMatchObject({ message: expect.stringContaining("'Replicas' must be a whole number, at least 0") });
    expect(await replicasOf('web')).toBe(before);
  });
});
