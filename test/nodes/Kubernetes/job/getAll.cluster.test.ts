import { beforeAll, describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { outputOf } from '../../testing/context';
import { jobManifest } from '../../testing/jobs';

const test = useTestCluster('job-list');

beforeAll(async () => {
  const { cluster, namespace } = test();
  for (const name of ['a', 'b']) {
    await cluster.api.create(`/apis/batch/v1/namespaces/${namespace}/jobs`, jobManifest(name, 'busybox:endless'));
  }
});

describe('Job: Get Many', () => {
  it('gives one item for each job', async () => {
    const { credential } = test();
    const jobs = await outputOf({ credential, parameters: { resource: 'job', operation: 'getAll' } });
    expect(jobs).toMatchObject([
      { name: 'a', status: 'Running' },
      { name: 'b', status: 'Running' },
    ]);
  });

  it('selects by label', async () => {
    const { credential } = test();
    const options = { labelSelector: 'app=b' };
    const parameters = { resource: 'job', operation: 'getAll', options };
    expect(await outputOf({ credential, parameters })).toMatchObject([{ name: 'b' }]);
  });
});
