import { describe, expect, it } from '@jest/globals';
import { deploymentManifest, useTestCluster } from '../../testing/cluster';
import { named, outputOf } from '../../testing/context';
import { jobManifest } from '../../testing/jobs';

const test = useTestCluster('any-wait');
const PARAMETERS = { resource: 'any', operation: 'wait', timeoutSeconds: 90, options: { intervalSeconds: 1 } };
const configMaps = () => `/api/v1/namespaces/${test().namespace}/configmaps`;

const wait = async (more: object) =>
  await outputOf({ credential: test().credential, parameters: { ...PARAMETERS, ...more } });

async function make(name: string, data: object = {}, labels: object = {}): Promise<void> {
  await test().cluster.api.create(configMaps(), {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels },
    data,
  });
}

/** Begins to wait and meanwhile does something. */
async function meanwhile(parameters: object, action: () => Promise<unknown>) {
  const [output] = await Promise.all([wait(parameters), action()]);
  return output;
}

describe('Any Resource: Wait', () => {
  it('waits for a condition of one object and of all that match', async () => {
    const { cluster, namespace } = test();
    await cluster.api.create(`/apis/apps/v1/namespaces/${namespace}/deployments`, deploymentManifest('web', 2));
    expect(await wait({ kind: named('deploy'), name: named('web'), condition: 'Available' })).toMatchObject([
      { kind: 'Deployment', name: 'web', namespace, met: true, failed: false, seen: 'Available=True' },
    ]);
    const ready = await wait({ kind: named('pods'), select: 'selector', labelSelector: 'app=web' });
    expect(ready).toHaveLength(2);
    expect(ready).toMatchObject([
      { met: true, seen: 'Ready=True' },
      { met: true, seen: 'Ready=True' },
    ]);
  });

  // kubernetes.core#203, #1201; ansible#54684
  it('ends at once when a job has failed that is waited for to be complete', async () => {
    const { cluster, namespace } = test();
    await cluster.api.create(`/apis/batch/v1/namespaces/${namespace}/jobs`, jobManifest('bad', 'busybox:failing'));
    const parameters = { kind: named('job'), name: named('bad'), condition: 'Complete' };
    await expect(wait(parameters)).rejects.toMatchObject({
      message: expect.stringMatching(/^Job bad failed: Failed=True \(BackoffLimitExceeded: /),
      context: {
        code: 'k8s_wait_failed',
        details: { objects: [{ name: 'bad', state: 'failed', seen: 'Failed=True' }] },
      },
    });
    expect(await wait({ ...parameters, onFailure: 'output' })).toMatchObject([
      { met: false, failed: true, reason: 'BackoffLimitExceeded' },
    ]);
    expect(await wait({ ...parameters, condition: 'Failed' })).toMatchObject([{ met: true }]);
  });

  it.each([
    ['data.color', 'blue'],
    ['{.data.color}', 'blue'],
    ['data.color', ''],
    ['metadata.labels["app.kubernetes.io/name"]', 'shop'],
  ])('waits for the field %s to be %j', async (field, value) => {
    const name = `field-${String(Math.abs(field.length * 7 + value.length))}`;
    await make(name, {}, {});
    const change = {
      metadata: { labels: { 'app.kubernetes.io/name': 'shop' } },
      data: { color: 'blue' },
    };
    const waited = await meanwhile({ kind: named('cm'), name: named(name), until: 'field', field, value }, async () => {
      await test().cluster.api.patch(`${configMaps()}/${name}`, change);
    });
    expect(waited).toMatchObject([{ met: true }]);
  });

  // kubernetes#83242, #75227, #65868; kubectl#1236
  it('waits for an object that is not there yet, unless it is told that this is an error', async () => {
    const parameters = { kind: named('cm'), name: named('late'), until: 'present' };
    expect(
      await meanwhile(parameters, async () => {
        await make('late');
      }),
    ).toMatchObject([{ name: 'late', met: true, seen: 'present' }]);
    const options = { failWhenMissing: true };
    await expect(wait({ ...parameters, name: named('never'), options })).rejects.toMatchObject({
      context: { code: 'k8s_not_found' },
    });
    const selector = { kind: named('cm'), select: 'selector', labelSelector: 'no=such', until: 'present' };
    await expect(wait({ ...selector, options })).rejects.toMatchObject({ context: { code: 'k8s_not_found' } });
    await expect(wait({ ...selector, timeoutSeconds: 1 })).rejects.toMatchObject({
      message: 'ConfigMap is not as wanted after 1 s: absent',
      context: { code: 'k8s_wait_failed' },
    });
  });

  it('waits until an object is gone, and is done at once when it is', async () => {
    await make('leaving');
    const parameters = { kind: named('cm'), name: named('leaving'), until: 'absent' };
    const leave = async () => {
      await test().cluster.api.delete(`${configMaps()}/leaving`);
    };
    expect(await meanwhile(parameters, leave)).toMatchObject([
      { kind: 'ConfigMap', name: 'leaving', met: true, seen: 'absent' },
    ]);
    expect(await wait(parameters)).toMatchObject([{ met: true, waitedSeconds: 0 }]);
    const elsewhere = { ...parameters, namespace: named('no-such-namespace') };
    expect(await wait(elsewhere)).toMatchObject([{ met: true }]);
  });

  it('says what it saw last when the time is over', async () => {
    await make('still', { color: 'red' });
    const parameters = { kind: named('cm'), name: named('still'), until: 'field', field: 'data.color', value: 'blue' };
    await expect(wait({ ...parameters, timeoutSeconds: 1 })).rejects.toMatchObject({
      message: 'ConfigMap still is not as wanted after 1 s: data.color=red',
      context: { code: 'k8s_wait_failed' },
    });
    expect(await wait({ ...parameters, timeoutSeconds: 1, onFailure: 'output' })).toMatchObject([
      { met: false, failed: false, seen: 'data.color=red' },
    ]);
  });

  it('never shows a value of a Secret', async () => {
    const { cluster, namespace } = test();
    const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, stringData: { password: 's3cr3t' } };
    await cluster.api.create(`/api/v1/namespaces/${namespace}/secrets`, secret);
    const parameters = { kind: named('secret'), name: named('s'), until: 'field', field: 'data.password' };
    expect(await wait(parameters)).toMatchObject([{ met: true, seen: 'data.password=(masked)' }]);
  });

  it.each([
    ['a selector that takes everything', { select: 'selector' }],
    ['a path that cannot be read', { name: named('a'), until: 'field', field: 'a..b' }],
    ['no field', { name: named('a'), until: 'field', field: ' ' }],
  ])('refuses %s', async (_what, given) => {
    await expect(wait({ kind: named('cm'), ...given })).rejects.toMatchObject({
      context: { code: 'k8s_parameter_invalid' },
    });
  });
});
