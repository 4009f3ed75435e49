import { describe, expect, it } from '@jest/globals';
import { podManifest, useTestCluster } from '../../testing/cluster';
import { named, outputOf } from '../../testing/context';

const test = useTestCluster('pod-wait');

async function create(name: string, image: string, spec: object = {}): Promise<string> {
  const { cluster, namespace } = test();
  const pods = `/api/v1/namespaces/${namespace}/pods`;
  await cluster.api.create(pods, podManifest(name, { containers: [{ name: 'app', image }], ...spec }));
  return `${pods}/${name}`;
}

async function wait(name: string, more: object = {}) {
  const parameters = { resource: 'pod', operation: 'wait', name: named(name), timeoutSeconds: 60, ...more };
  const [state] = await outputOf({ credential: test().credential, parameters });
  return state;
}

describe('Pod: Wait', () => {
  it('waits until the pod is ready', async () => {
    await create('web', 'nginx:slow');
    expect(await wait('web')).toMatchObject({ name: 'web', result: 'reached', status: 'Running', ready: '1/1' });
  });

  it('does not wait for an image that cannot be pulled, unless it is told to', async () => {
    await create('unknown', 'nginx:image-pull-error');
    await expect(wait('unknown', { timeoutSeconds: 3_600 })).rejects.toMatchObject({
      message: 'The Pod unknown cannot go on: ImagePullBackOff of the container app',
      context: { code: 'k8s_wait_failed', details: { result: 'failed', status: 'ImagePullBackOff' } },
    });
    const patient = { timeoutSeconds: 1, onFailure: 'output', options: { patient: true } };
    expect(await wait('unknown', patient)).toMatchObject({ result: 'timeout' });
  });

  it('fails as soon as the pod has failed', async () => {
    await create('broken', 'busybox:failing', { restartPolicy: 'Never' });
    await expect(wait('broken', { goal: 'finished', timeoutSeconds: 3_600 })).rejects.toMatchObject({
      message: 'The Pod broken failed (exit code 1 of the container app)',
    });
    expect(await wait('broken', { onFailure: 'output' })).toMatchObject({ result: 'failed', status: 'Error' });
  });

  it('says at once that a pod never finishes', async () => {
    await create('server', 'nginx:1');
    await expect(wait('server', { goal: 'finished', timeoutSeconds: 3_600 })).rejects.toMatchObject({
      message: 'The Pod server never finishes: its restartPolicy is Always',
    });
  });

  it('ends when the time is over', async () => {
    await create('unready', 'nginx:never-ready');
    await expect(wait('unready', { timeoutSeconds: 1 })).rejects.toMatchObject({
      message: 'The Pod unready is not ready after 1 s',
      context: { details: { result: 'timeout' } },
    });
  });

  // kestra-io/plugin-kubernetes#188, #257
  it('says that the pod was deleted meanwhile', async () => {
    const { cluster } = test();
    const path = await create('gone', 'nginx:never-ready');
    const waiting = wait('gone', { timeoutSeconds: 3_600, onFailure: 'output', options: { intervalSeconds: 1 } });
    await cluster.api.until(path, (pod) => JSON.stringify(pod ?? {}).includes('Running'));
    await cluster.api.delete(`${path}?gracePeriodSeconds=0`);
    expect(await waiting).toMatchObject({ result: 'failed', reason: expect.stringMatching(/deleted/) });
  });

  it('waits for one that is not there yet only when told to', async () => {
    await expect(wait('later')).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
    const waiting = wait('later', { options: { waitForCreation: true, intervalSeconds: 1 } });
    await create('later', 'nginx:1');
    expect(await waiting).toMatchObject({ result: 'reached' });
    const never = { timeoutSeconds: 1, options: { waitForCreation: true } };
    await expect(wait('never', never)).rejects.toMatchObject({ message: 'The Pod never is not there after 1 s' });
  });
});
