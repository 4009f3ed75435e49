import { describe, expect, it } from '@jest/globals';
import { execute } from '../../testing/context';
import { useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PARAMETERS = { resource: 'job', operation: 'create', name: 'report', image: 'busybox:1' };

describe('Job: Create, when things go wrong', () => {
  it('leaves out what is not set', async () => {
    api().answer(() => ({ status: 201, json: { kind: 'Job', metadata: { name: 'report' } } }));
    await execute({ credential: api().credential(), parameters: PARAMETERS });
    expect(api().requests).toMatchObject([{ method: 'POST', path: '/apis/batch/v1/namespaces/shop/jobs' }]);
    expect(api().requests[0]?.query.get('fieldValidation')).toBe('Strict');
    expect(api().requests[0]?.body).toEqual({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { namespace: 'shop', name: 'report' },
      spec: {
        template: {
          metadata: {},
          spec: { restartPolicy: 'Never', containers: [{ name: 'main', image: 'busybox:1' }] },
        },
      },
    });
  });

  it('never creates a job twice when the connection breaks', async () => {
    api().answer(() => ({ drop: true }));
    const parameters = { ...PARAMETERS, options: { generateName: true } };
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      description: expect.stringContaining('twice'),
      context: { code: 'k8s_outcome_unknown' },
    });
    expect(api().requests).toHaveLength(1);
  });

  it('shows no value of a variable in an error', async () => {
    api().answer(() => ({ drop: true }));
    const environment = { variable: [{ name: 'PASSWORD', value: 'hunter2-hunter2' }] };
    const error = await execute({ credential: api().credential(), parameters: { ...PARAMETERS, environment } }).catch(
      (caught: unknown) => caught,
    );
    expect(JSON.stringify(error)).not.toContain('hunter2');
  });
});
