import { describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { named, outputOf } from '../../testing/context';
import { cronJobManifest } from '../../testing/jobs';

const test = useTestCluster('cronjob');

interface Made {
  readonly metadata: {
    readonly uid: string;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly labels?: Readonly<Record<string, string>>;
    readonly ownerReferences?: readonly object[];
  };
  readonly spec: { readonly suspend?: boolean };
}

const pathOf = (name = ''): string => `/apis/batch/v1/namespaces/${test().namespace}/cronjobs/${name}`;

async function create(name: string, image = 'busybox:fast', spec: object = {}): Promise<Made> {
  return await test().cluster.api.create<Made>(pathOf().slice(0, -1), cronJobManifest(name, image, spec));
}

async function perform(operation: string, name: string, more: object = {}) {
  const parameters = { resource: 'cronjob', operation, name: named(name), ...more };
  return await outputOf({ credential: test().credential, parameters });
}

const job = async (name: string): Promise<Made> =>
  await test().cluster.api.get<Made>(`/apis/batch/v1/namespaces/${test().namespace}/jobs/${name}`);

describe('CronJob: Get and Get Many', () => {
  it('gives the fields people look for', async () => {
    await create('report', 'busybox:fast', { timeZone: 'Europe/Berlin' });
    const seen = {
      name: 'report',
      schedule: '0 0 29 2 *',
      timeZone: 'Europe/Berlin',
      suspended: false,
      concurrencyPolicy: 'Allow',
      active: [],
    };
    expect(await perform('get', 'report')).toMatchObject([seen]);
    const parameters = { resource: 'cronjob', operation: 'getAll', options: { labelSelector: 'app=report' } };
    expect(await outputOf({ credential: test().credential, parameters })).toMatchObject([seen]);
  });
});

describe('CronJob: Run Now', () => {
  it('starts the job kubectl would start', async () => {
    const { cluster, namespace } = test();
    const { metadata } = await create('by-hand');
    const [started] = await perform('runNow', 'by-hand');
    expect(started).toMatchObject({
      name: expect.stringMatching(/^by-hand-manual-[a-z0-9]{5}$/),
      cronJob: 'by-hand',
      namespace,
    });
    await cluster.kubectl(['create', 'job', 'by-kubectl', '--from=cronjob/by-hand', '-n', namespace]);
    const [ours, theirs] = [await job(started?.name as string), await job('by-kubectl')];
    expect(ours.metadata.ownerReferences).toEqual([
      { apiVersion: 'batch/v1', kind: 'CronJob', name: 'by-hand', uid: metadata.uid, controller: true },
    ]);
    const { annotations, labels, ownerReferences } = theirs.metadata;
    expect(ours.metadata).toMatchObject({ annotations, labels, ownerReferences });
    expect(annotations).toMatchObject({ 'cronjob.kubernetes.io/instantiate': 'manual', team: 'shop' });
  });

  it('waits for the job and reads its log', async () => {
    await create('waited', 'busybox:slow');
    const [done] = await perform('runNow', 'waited', { wait: true });
    expect(done).toMatchObject({ result: 'complete', status: 'Complete', logs: [{ container: 'main' }] });
  });

  it('fails as soon as the job has failed', async () => {
    await create('broken', 'busybox:failing');
    await expect(perform('runNow', 'broken', { wait: true, jobName: 'broken-now' })).rejects.toMatchObject({
      message: 'The Job broken-now failed (BackoffLimitExceeded)',
      context: { code: 'k8s_wait_failed' },
    });
  });

  it('finds a name within 63 characters for the longest CronJob', async () => {
    const longest = 'a'.repeat(52);
    await create(longest);
    const [started] = await perform('runNow', longest);
    expect(started?.name).toMatch(/^a{50}-manual-[a-z0-9]{5}$/);
  });

  it('starts also what is suspended, and says when its policy is not heeded', async () => {
    const { cluster } = test();
    await create('single', 'busybox:endless', { suspend: true, concurrencyPolicy: 'Forbid' });
    const [first] = await perform('runNow', 'single', { jobName: 'first-run' });
    expect(first).not.toHaveProperty('warning');
    await cluster.api.patch(
      `${pathOf('single')}/status`,
      { status: { active: [{ kind: 'Job', namespace: test().namespace, name: 'first-run' }] } },
      'application/merge-patch+json',
    );
    const [second] = await perform('runNow', 'single');
    // The controller may have told the job apart from its own by then.
    expect([
      undefined,
      'a job run by hand does not heed its concurrencyPolicy Forbid, and first-run runs beside it',
    ]).toContain(second?.warning);
  });

  it('refuses a name that exists, or that no job may have', async () => {
    await create('named');
    await perform('runNow', 'named', { jobName: 'taken' });
    await expect(perform('runNow', 'named', { jobName: 'taken' })).rejects.toMatchObject({
      context: { code: 'k8s_already_exists' },
    });
    for (const jobName of ['Not A Name', 'a'.repeat(64), '-a']) {
      await expect(perform('runNow', 'named', { jobName })).rejects.toMatchObject({
        message: expect.stringMatching(/^'Job Name' must have at most 63 /),
      });
    }
  });

  it('says that there is no such CronJob', async () => {
    await expect(perform('runNow', 'nobody')).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});

describe('CronJob: Suspend and Resume', () => {
  it('changes it once, and says whether it did', async () => {
    await create('switched');
    expect(await perform('suspend', 'switched')).toMatchObject([{ suspended: true, changed: true }]);
    expect((await test().cluster.api.get<Made>(pathOf('switched'))).spec.suspend).toBe(true);
    expect(await perform('suspend', 'switched')).toMatchObject([{ suspended: true, changed: false }]);
    expect(await perform('resume', 'switched')).toMatchObject([{ suspended: false, changed: true }]);
    expect(await perform('resume', 'switched')).toMatchObject([{ changed: false }]);
  });

  it('only says what it would change as a dry run', async () => {
    await create('tried');
    const options = { dryRun: true };
    expect(await perform('suspend', 'tried', { options })).toMatchObject([
      {
        suspended: true,
        changed: true,
        dryRun: true,
        changes: [{ path: 'spec.suspend', before: false, after: true }],
      },
    ]);
    expect(await perform('resume', 'tried', { options })).toMatchObject([
      { suspended: false, changed: false, dryRun: true, changes: [] },
    ]);
    expect((await test().cluster.api.get<Made>(pathOf('tried'))).spec.suspend).toBe(false);
  });

  it('says that there is no such CronJob', async () => {
    await expect(perform('suspend', 'nobody')).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
  });
});
