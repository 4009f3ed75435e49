import { describe, expect, it } from '@jest/globals';
import { manualName } from '../../../../nodes/Kubernetes/actions/cronjob/manualJob';
import { execute, named, outputOf } from '../../testing/context';
import { useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PARAMETERS = { resource: 'cronjob', operation: 'runNow', name: named('report'), jobName: 'report-now' };
const JOB_TEMPLATE = { spec: { template: {} } };

function cronjob(status: object = {}, jobTemplate: object | undefined = JOB_TEMPLATE): object {
  const spec = { schedule: '@daily', concurrencyPolicy: 'Replace', jobTemplate };
  return { kind: 'CronJob', metadata: { name: 'report', uid: 'u-1' }, spec, status };
}

describe('CronJob: Run Now, when things go wrong', () => {
  it.each([
    ['report', 'report-manual-bbbbb'],
    ['a'.repeat(52), `${'a'.repeat(50)}-manual-bbbbb`],
    [`${'a'.repeat(49)}-b`, `${'a'.repeat(49)}-manual-bbbbb`],
    ['a.b', 'a.b-manual-bbbbb'],
  ])('makes of %s the name %s', (name, made) => {
    expect(manualName(name, () => 0)).toBe(made);
    expect(made.length).toBeLessThanOrEqual(63);
  });

  it('names the job when it is not known whether it was started, and does not try again', async () => {
    api().answer(({ method }) => (method === 'GET' ? { json: cronjob() } : { drop: true }));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      message: expect.stringContaining('report-now'),
      context: { code: 'k8s_outcome_unknown' },
    });
    expect(api().requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
  });

  it('says that a policy is not heeded', async () => {
    const active = [{ name: 'report-1' }];
    api().answer(({ method }) => ({
      json: method === 'GET' ? cronjob({ active }) : { kind: 'Job', metadata: { name: 'report-now' } },
    }));
    expect(await outputOf({ credential: api().credential(), parameters: PARAMETERS })).toMatchObject([
      { warning: 'a job run by hand does not heed its concurrencyPolicy Replace, and report-1 runs beside it' },
    ]);
  });

  it('starts nothing from a CronJob without a template', async () => {
    api().answer(() => ({ json: cronjob({}, {}) }));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_response_invalid' },
    });
    expect(api().requests).toHaveLength(1);
  });
});
