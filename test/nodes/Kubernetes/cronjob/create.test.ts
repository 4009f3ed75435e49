import { describe, expect, it } from '@jest/globals';
import { execute, named, outputOf } from '../../testing/context';
import { useFakeApi } from '../../testing/fakeApi';
import { cronJobManifest } from '../../testing/jobs';

const api = useFakeApi();
const FIELDS = { resource: 'cronjob', operation: 'create', name: 'report', schedule: '@daily', image: 'busybox:1' };

async function refusal(parameters: object): Promise<unknown> {
  return await execute({ credential: api().credential(), parameters: { ...parameters } }).catch(
    (error: unknown) => error,
  );
}

describe('CronJob: Create', () => {
  it('leaves out what is not set', async () => {
    api().answer(() => ({ status: 201, json: { kind: 'CronJob', metadata: { name: 'report' } } }));
    await execute({ credential: api().credential(), parameters: FIELDS });
    expect(api().requests).toMatchObject([{ method: 'POST', path: '/apis/batch/v1/namespaces/shop/cronjobs' }]);
    expect(api().requests[0]?.body).toEqual({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { namespace: 'shop', name: 'report' },
      spec: {
        schedule: '@daily',
        jobTemplate: {
          metadata: {},
          spec: {
            template: {
              metadata: {},
              spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1' }] },
            },
          },
        },
      },
    });
  });

  // kubernetes PR#116252, #47202; website PR#18554
  it.each([
    [{ name: 'a'.repeat(53) }, "'Name' is longer than 52 characters", 'eleven characters longer'],
    [{ name: 'Report' }, "'Name' may hold lower case letters, digits, - and .,", 'Name'],
    [{ schedule: 'TZ=UTC 0 3 * * *' }, "'Schedule' must not hold a time zone (TZ= or CRON_TZ=)", 'spec.timeZone'],
    [{ schedule: '0 0 3 * * *' }, "'Schedule' has 6 fields instead of five", 'Write minute, hour'],
    [{ timeZone: 'Local' }, "'Time Zone' must not be Local", 'Europe/Berlin'],
    [{ timeZone: 'Berlin' }, "'Time Zone' is no time zone that is known", 'It may be meant Europe/Berlin'],
  ])('refuses %j before anything is sent, and says what to do', async (fields, message, description) => {
    expect(await refusal({ ...FIELDS, ...fields })).toMatchObject({
      message: expect.stringContaining(message),
      description: expect.stringContaining(description),
      context: { code: 'k8s_parameter_invalid' },
    });
    expect(api().requests).toEqual([]);
  });
});

const cronJob = (name: string, spec: object): string => JSON.stringify(cronJobManifest(name, 'busybox:1', spec));

describe('a CronJob by Any Resource', () => {
  it.each(['create', 'apply', 'replace'])('is checked before %s sends anything', async (operation) => {
    const manifest = cronJob('report', { schedule: 'CRON_TZ=Europe/Berlin 0 3 * * *' });
    const documents = ['apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }', manifest].join('\n---\n');
    expect(await refusal({ resource: 'any', operation, manifest: documents })).toMatchObject({
      message: "'Manifest' holds a CronJob whose spec.schedule must not hold a time zone (TZ= or CRON_TZ=)",
      description: expect.stringContaining('spec.timeZone'),
    });
    expect(await refusal({ resource: 'any', operation, manifest: cronJob('a'.repeat(53), {}) })).toMatchObject({
      message: "'Manifest' holds a CronJob whose metadata.name is longer than 52 characters",
    });
    expect(api().requests).toEqual([]);
  });

  const PATCH = { resource: 'any', operation: 'patch', kind: named('cronjobs'), name: named('report') };

  it.each([
    ['merge', { spec: { timeZone: 'Local' } }, 'spec.timeZone must not be Local'],
    ['strategic', { spec: { schedule: '@reboot' } }, 'spec.schedule must be one of'],
    ['json', [{ op: 'replace', path: '/spec/timeZone', value: 'Berlin' }], 'spec.timeZone is no time zone'],
    ['json', [{ op: 'add', path: '/spec', value: { schedule: '' } }], 'spec.schedule has 0 fields'],
  ])('is checked before a %s patch %j is sent', async (patchType, patch, message) => {
    expect(await refusal({ ...PATCH, patchType, patch: JSON.stringify(patch) })).toMatchObject({
      message: expect.stringContaining(`'Patch' holds a CronJob whose ${message}`),
    });
    expect(api().requests).toEqual([]);
  });

  it.each([
    ['merge', { spec: { timeZone: null, schedule: '@daily' } }],
    [
      'json',
      [
        { op: 'remove', path: '/spec/timeZone' },
        { op: 'test', path: '/spec/schedule', value: 'TZ=UTC @daily' },
      ],
    ],
  ])('is patched where a %s patch %j is for the API server to judge', async (patchType, patch) => {
    api().answer(() => ({ json: { kind: 'CronJob', metadata: { name: 'report' } } }));
    const parameters = { ...PATCH, patchType, patch: JSON.stringify(patch) };
    expect(await outputOf({ credential: api().credential(), parameters })).toMatchObject([{ name: 'report' }]);
  });
});
