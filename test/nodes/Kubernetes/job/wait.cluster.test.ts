import { describe, expect, it } from '@jest/globals';
import { credentialFor, useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';
import { jobManifest } from '../../testing/jobs';

const test = useTestCluster('job-wait');
const PARAMETERS = { resource: 'job', operation: 'wait', timeoutSeconds: 60, options: { intervalSeconds: 1 } };

async function createJob(name: string, image: string, spec: object = {}): Promise<string> {
  const { cluster, namespace } = test();
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  await cluster.api.create(jobs, jobManifest(name, image, spec));
  return `${jobs}/${name}`;
}

async function podOf(job: string): Promise<string> {
  const { cluster, namespace } = test();
  let name = '';
  await cluster.api.until<{ items: { metadata: { name: string } }[] }>(
    `/api/v1/namespaces/${namespace}/pods?labelSelector=job-name%3D${job}`,
    (list) => {
      name = list?.items[0]?.metadata.name ?? '';
      return name !== '';
    },
  );
  return name;
}

describe('Job: Wait', () => {
  it('waits until the job is complete and gives the end of its log', async () => {
    const { cluster, credential, namespace } = test();
    await createJob('report', 'busybox:slow');
    const pod = await podOf('report');
    await cluster.logs.set({ namespace, pod }, { lines: ['counting', 'done'] });
    const parameters = { ...PARAMETERS, name: named('report') };
    expect(await outputOf({ credential, parameters })).toMatchObject([
      {
        name: 'report',
        status: 'Complete',
        result: 'complete',
        waitedSeconds: expect.any(Number),
        logs: [{ pod, container: 'main', logs: 'counting\ndone\n', truncated: false }],
      },
    ]);
  });

  // kubernetes.core#203, #1201; ansible#54684
  it('fails the item as soon as the job has failed, with its state and logs in the details', async () => {
    const { cluster, credential, namespace } = test();
    await createJob('broken', 'busybox:failing');
    const pod = await podOf('broken');
    await cluster.logs.set({ namespace, pod }, { lines: ['out of memory'] });
    const parameters = { ...PARAMETERS, timeoutSeconds: 3_600, name: named('broken') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      message: 'The Job broken failed (BackoffLimitExceeded)',
      context: {
        itemIndex: 0,
        code: 'k8s_wait_failed',
        details: { result: 'failed', status: 'Failed', logs: [{ logs: 'out of memory\n' }] },
      },
    });
  });

  it('returns the failed job instead when asked to', async () => {
    const { credential } = test();
    await createJob('returned', 'busybox:failing');
    const parameters = { ...PARAMETERS, name: named('returned'), onFailure: 'output', includeLogs: false };
    const [job] = await outputOf({ credential, parameters });
    expect(job).toMatchObject({ result: 'failed', status: 'Failed', reason: 'BackoffLimitExceeded' });
    expect(job).not.toHaveProperty('logs');
  });

  it('ends when the time is over', async () => {
    const { credential } = test();
    await createJob('endless', 'busybox:endless');
    const parameters = { ...PARAMETERS, name: named('endless'), timeoutSeconds: 1 };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      message: 'The Job endless is not complete after 1 s',
      context: { code: 'k8s_wait_failed', details: { result: 'timeout' } },
    });
    expect(await outputOf({ credential, parameters: { ...parameters, onFailure: 'output' } })).toMatchObject([
      { result: 'timeout', status: 'Running' },
    ]);
  });

  it('says that a job is suspended when the time is over', async () => {
    const { credential } = test();
    await createJob('resting', 'busybox:fast', { suspend: true });
    const parameters = { ...PARAMETERS, name: named('resting'), timeoutSeconds: 1 };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({
      message: 'The Job resting is not complete after 1 s: it is suspended',
    });
  });

  it('says that the job was deleted meanwhile', async () => {
    const { cluster, credential } = test();
    const path = await createJob('gone', 'busybox:endless');
    const waiting = outputOf({ credential, parameters: { ...PARAMETERS, name: named('gone'), onFailure: 'output' } });
    await cluster.api.until(path, (job) => JSON.stringify(job ?? {}).includes('"active":1'));
    await cluster.api.delete(`${path}?propagationPolicy=Background`);
    expect(await waiting).toMatchObject([{ name: 'gone', result: 'deleted' }]);
  });

  it('works without the right to watch, and says when logs may not be read', async () => {
    const { cluster, namespace } = test();
    const rules = [{ apiGroups: ['batch'], resources: ['jobs'], verbs: ['get'] }];
    const credential = await credentialFor(cluster, { namespace, rules });
    await createJob('modest', 'busybox:fast');
    const parameters = { ...PARAMETERS, name: named('modest') };
    expect(await outputOf({ credential, parameters })).toMatchObject([
      { result: 'complete', logs: [], logsNotRead: 'k8s_forbidden' },
    ]);
  });

  it('stops waiting when the execution is stopped', async () => {
    const { credential } = test();
    await createJob('stopped', 'busybox:endless');
    const stop = new AbortController();
    const parameters = { ...PARAMETERS, name: named('stopped'), timeoutSeconds: 3_600 };
    const waiting = execute({ credential, parameters, signal: stop.signal, onError: 'continueRegularOutput' });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ context: { code: 'k8s_aborted' } });
  });

  it('says at once which job is not there', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('nobody') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});
