import { beforeAll, describe, expect, it } from '@jest/globals';
import { newTime } from '../../../../nodes/Kubernetes/actions/workload/restart';
import { deploymentManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('deploy-restart');

beforeAll(async () => {
  const { cluster, namespace } = test();
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await cluster.api.create(deployments, deploymentManifest('web', 1));
  await cluster.api.create(deployments, deploymentManifest('paused', 1, { paused: true }));
});

const PARAMETERS = { resource: 'deployment', operation: 'restart' };

describe('Deployment: Restart', () => {
  it('makes a new revision each time, also twice within a moment', async () => {
    const { cluster, credential, namespace } = test();
    const restarted = await outputOf({
      credential,
      items: [{}, {}, {}],
      parameters: { ...PARAMETERS, name: named('web') },
    });
    expect(restarted).toMatchObject([{ name: 'web', replicas: 1 }, { name: 'web' }, { name: 'web' }]);
    const times = restarted.map(({ restartedAt }) => restartedAt as string);
    expect(new Set(times).size).toBe(3);
    expect(times[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z$/);
    const after = await cluster.api.until<{ metadata: { annotations: Record<string, string> } }>(
      `/apis/apps/v1/namespaces/${namespace}/deployments/web`,
      (object) => Number(object?.metadata.annotations['deployment.kubernetes.io/revision']) >= 2,
    );
    expect(after).toMatchObject({
      spec: { template: { metadata: { annotations: { 'kubectl.kubernetes.io/restartedAt': times[2] } } } },
    });
  });

  it('refuses a paused deployment, which would not roll', async () => {
    const { cluster, credential, namespace } = test();
    const parameters = { ...PARAMETERS, name: named('paused') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      name: 'NodeOperationError',
      message: 'The Deployment paused is paused: a restart would have no effect',
      description: 'Resume it first.\n\nCode: k8s_operation_refused',
      context: { itemIndex: 0, code: 'k8s_operation_refused' },
    });
    const deployment = await cluster.api.get(`/apis/apps/v1/namespaces/${namespace}/deployments/paused`);
    expect(JSON.stringify(deployment.spec)).not.toContain('restartedAt');
  });

  it('draws again when the value is the one that is there', () => {
    const draws = [1, 1, 2];
    const now = Date.parse('2026-01-31T12:00:00.123Z');
    expect(newTime(now, '2026-01-31T12:00:00.123000001Z', () => draws.shift() ?? 0)).toBe(
      '2026-01-31T12:00:00.123000002Z',
    );
  });
});
