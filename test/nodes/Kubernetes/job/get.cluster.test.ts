import { beforeAll, describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';
import { jobManifest } from '../../testing/jobs';

const test = useTestCluster('job-get');

beforeAll(async () => {
  const { cluster, namespace } = test();
  const jobs = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  await cluster.api.create(jobs, jobManifest('done', 'busybox:fast'));
  await cluster.api.create(jobs, jobManifest('broken', 'busybox:failing'));
  await cluster.api.create(jobs, jobManifest('resting', 'busybox:fast', { suspend: true }));
  for (const name of ['done', 'broken']) {
    await cluster.api.until(`${jobs}/${name}`, (job) => /"type":"(Complete|Failed)"/.test(JSON.stringify(job ?? {})));
  }
});

const PARAMETERS = { resource: 'job', operation: 'get' };

describe('Job: Get', () => {
  it('gives a complete job in flat fields', async () => {
    const { credential, namespace } = test();
    expect(await outputOf({ credential, parameters: { ...PARAMETERS, name: named('done') } })).toEqual([
      {
        name: 'done',
        namespace,
        status: 'Complete',
        active: 0,
        succeeded: 1,
        failed: 0,
        reason: 'CompletionsReached',
        message: expect.any(String),
        startedAt: expect.any(String),
        completedAt: expect.any(String),
        createdAt: expect.any(String),
        labels: { app: 'done' },
      },
    ]);
  });

  it('says why a job failed', async () => {
    const { credential } = test();
    expect(await outputOf({ credential, parameters: { ...PARAMETERS, name: named('broken') } })).toMatchObject([
      {
        status: 'Failed',
        failed: 1,
        reason: 'BackoffLimitExceeded',
        message: expect.stringContaining('backoff limit'),
      },
    ]);
  });

  it('says that a job is suspended', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('resting') };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ status: 'Suspended', active: 0 }]);
  });

  it('says which job is not there', async () => {
    const { credential } = test();
    const parameters = { ...PARAMETERS, name: named('nobody') };
    await expect(execute({ credential, parameters })).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});
