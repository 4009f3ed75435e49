import { beforeAll, describe, expect, it } from '@jest/globals';
import { deploymentManifest, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';

const test = useTestCluster('deploy-rollout');
const NEVER_READY = { containers: [{ name: 'app', image: 'nginx:never-ready' }] };

beforeAll(async () => {
  const { cluster, namespace } = test();
  const deployments = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await cluster.api.create(deployments, deploymentManifest('web', 2));
  await cluster.api.create(deployments, deploymentManifest('stuck', 1, { progressDeadlineSeconds: 600 }, NEVER_READY));
  await cluster.api.create(deployments, deploymentManifest('late', 1, { progressDeadlineSeconds: 1 }, NEVER_READY));
  await cluster.api.create(deployments, deploymentManifest('paused', 1, { paused: true }));
});

const PARAMETERS = { resource: 'deployment', operation: 'getRolloutStatus' };
const OPTIONS = { intervalSeconds: 1 };

describe('Deployment: Get Rollout Status', () => {
  it('waits until the rollout is complete', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('web'), wait: true, timeoutSeconds: 60, options: OPTIONS };
    expect(await outputOf({ credential, parameters })).toMatchObject([
      { name: 'web', status: 'complete', availableReplicas: 2, timedOut: false, waitedSeconds: expect.any(Number) },
    ]);
  });

  it('gives the state at once when it does not wait', async () => {
    const { credential } = test();
    const [state] = await outputOf({ credential, parameters: { ...PARAMETERS, name: named('stuck') } });
    expect(state).toMatchObject({ name: 'stuck', status: 'progressing' });
    expect(state).not.toHaveProperty('timedOut');
  });

  it('fails the item when the time is over', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('stuck'), wait: true, timeoutSeconds: 1, options: OPTIONS };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      message: expect.stringMatching(/^The rollout of stuck is not complete after 1 s: /),
      context: { itemIndex: 0, code: 'k8s_wait_failed', details: { status: 'progressing', name: 'stuck' } },
    });
  });

  it('returns the state instead when asked to', async () => {
    const { credential } = test();
    const waiting = { wait: true, timeoutSeconds: 1, onFailure: 'output', options: OPTIONS };
    expect(
      await outputOf({ credential, parameters: { ...PARAMETERS, name: named('stuck'), ...waiting } }),
    ).toMatchObject([{ status: 'progressing', timedOut: true, waitedSeconds: expect.any(Number) }]);
  });

  it('does not wait on when the rollout has failed', async () => {
    const { credential } = test();
    const waiting = { wait: true, timeoutSeconds: 300, options: OPTIONS };
    await expect(
      execute({ credential, parameters: { ...PARAMETERS, name: named('late'), ...waiting } }),
    ).rejects.toMatchObject({
      message: expect.stringMatching(/^The rollout of late failed: /),
      context: { code: 'k8s_wait_failed', details: { reason: 'ProgressDeadlineExceeded' } },
    });
  });

  it('says that a deployment is paused', async () => {
    const { credential } = test();
    expect(await outputOf({ credential, parameters: { ...PARAMETERS, name: named('paused') } })).toMatchObject([
      { status: 'paused' },
    ]);
  });
});
