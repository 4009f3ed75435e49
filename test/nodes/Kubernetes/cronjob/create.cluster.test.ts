import { describe, expect, it } from '@jest/globals';
import { useTestCluster } from '../../testing/cluster';
import { execute, named, outputOf } from '../../testing/context';
import { cronJobManifest } from '../../testing/jobs';

const test = useTestCluster('cronjob-create');
const FIELDS = { resource: 'cronjob', operation: 'create', schedule: '0 3 * * *', image: 'busybox:fast' };

interface Stored {
  readonly metadata: { readonly name: string; readonly labels?: object };
  readonly spec: Readonly<Record<string, unknown>>;
}

async function stored(name: string): Promise<Stored> {
  return await test().cluster.api.get<Stored>(`/apis/batch/v1/namespaces/${test().namespace}/cronjobs/${name}`);
}

async function create(parameters: object) {
  return await outputOf({ credential: test().credential, parameters: { ...FIELDS, ...parameters } });
}

describe('CronJob: Create', () => {
  it('makes one from a name, a schedule and an image, with the defaults of Kubernetes', async () => {
    expect(await create({ name: 'plain' })).toMatchObject([
      {
        name: 'plain',
        namespace: test().namespace,
        schedule: '0 3 * * *',
        suspended: false,
        concurrencyPolicy: 'Allow',
      },
    ]);
    expect((await stored('plain')).spec).toMatchObject({ successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
  });

  it('takes all fields', async () => {
    const [made] = await create({
      name: 'full',
      schedule: ' @hourly ',
      timeZone: 'Europe/Berlin',
      command: ['sh'],
      args: ['-c', 'true'],
      environment: { variable: [{ name: 'MONTH', value: '01' }] },
      options: {
        activeDeadlineSeconds: 60,
        backoffLimit: 2,
        concurrencyPolicy: 'Forbid',
        failedJobsHistoryLimit: 0,
        labels: { label: [{ key: 'team', value: 'shop' }] },
        restartPolicy: 'OnFailure',
        serviceAccountName: 'runner',
        startingDeadlineSeconds: 300,
        successfulJobsHistoryLimit: 1,
        suspend: true,
        ttlSecondsAfterFinished: 60,
      },
    });
    expect(made).toMatchObject({ schedule: '@hourly', timeZone: 'Europe/Berlin', suspended: true });
    const { metadata, spec } = await stored('full');
    expect(metadata.labels).toEqual({ team: 'shop' });
    expect(spec).toMatchObject({
      schedule: '@hourly',
      timeZone: 'Europe/Berlin',
      concurrencyPolicy: 'Forbid',
      failedJobsHistoryLimit: 0,
      successfulJobsHistoryLimit: 1,
      startingDeadlineSeconds: 300,
      suspend: true,
      jobTemplate: {
        metadata: { labels: { team: 'shop' } },
        spec: {
          activeDeadlineSeconds: 60,
          backoffLimit: 2,
          ttlSecondsAfterFinished: 60,
          template: {
            metadata: { labels: { team: 'shop' } },
            spec: {
              restartPolicy: 'OnFailure',
              serviceAccountName: 'runner',
              containers: [
                {
                  name: 'main',
                  image: 'busybox:fast',
                  command: ['sh'],
                  args: ['-c', 'true'],
                  env: [{ name: 'MONTH', value: '01' }],
                },
              ],
            },
          },
        },
      },
    });
  });

  it('makes one from a manifest, and it runs', async () => {
    const manifest = JSON.stringify(cronJobManifest('whole', 'busybox:fast'));
    expect(await create({ definition: 'manifest', manifest })).toMatchObject([{ name: 'whole' }]);
    const run = { resource: 'cronjob', operation: 'runNow', name: named('whole'), wait: true };
    expect(await outputOf({ credential: test().credential, parameters: run })).toMatchObject([{ result: 'complete' }]);
  });

  it('takes the longest name there may be, and a schedule only the API server can judge', async () => {
    const name = 'a'.repeat(52);
    expect(await create({ name, schedule: '*/5 0-6 1,15 JAN-MAR MON' })).toMatchObject([{ name }]);
    await expect(create({ name: 'wrong', schedule: '61 3 * * *' })).rejects.toMatchObject({
      message: expect.stringContaining('spec.schedule'),
      context: { code: 'k8s_invalid' },
    });
    await expect(create({ name })).rejects.toMatchObject({ context: { code: 'k8s_already_exists' } });
  });

  /** What we refuse ourselves is refused by the API server, too: with other words, or none at all. */
  it.each([
    ['a name of 53 characters', { metadata: { name: 'a'.repeat(53) } }],
    ['a time zone in the schedule', { spec: { schedule: 'TZ=UTC 0 3 * * *' } }],
    ['the time zone Local', { spec: { timeZone: 'Local' } }],
    ['an unknown time zone', { spec: { timeZone: 'Mars/Olympus' } }],
    ['a time zone in lower case', { spec: { timeZone: 'europe/berlin' } }],
    ['six fields', { spec: { schedule: '0 0 3 * * *' } }],
    ['an unknown word', { spec: { schedule: '@reboot' } }],
  ])('refuses nothing that the API server takes: %s', async (_what, changed: { metadata?: object; spec?: object }) => {
    const { cluster, namespace } = test();
    const manifest = cronJobManifest('refused', 'busybox:fast') as { metadata: object; spec: object };
    const body = {
      ...manifest,
      metadata: { ...manifest.metadata, ...changed.metadata },
      spec: { ...manifest.spec, ...changed.spec },
    };
    const path = `/apis/batch/v1/namespaces/${namespace}/cronjobs?dryRun=All`;
    expect((await cluster.request('POST', path, { body: JSON.stringify(body) })).status).toBe(422);
    const parameters = { ...FIELDS, definition: 'manifest', manifest: JSON.stringify(body) };
    await expect(execute({ credential: test().credential, parameters })).rejects.toMatchObject({
      context: { code: 'k8s_parameter_invalid', details: { parameter: 'manifest' } },
    });
  });
});
