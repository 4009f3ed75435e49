import { describe, expect, it } from '@jest/globals';
import { execute, named, outputOf } from '../../testing/context';
import { statusAnswer, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PARAMETERS = { resource: 'pod', operation: 'delete', name: named('web') };

describe('Pod: Delete, when things go wrong', () => {
  it('sends the options and nothing else', async () => {
    api().answer(() => ({ json: { kind: 'Pod', metadata: { uid: 'u-1', deletionGracePeriodSeconds: 0 } } }));
    const options = { gracePeriodSeconds: 0, propagationPolicy: 'Orphan', uid: 'u-1' };
    expect(await outputOf({ credential: api().credential(), parameters: { ...PARAMETERS, options } })).toEqual([
      { deleted: true, name: 'web', namespace: 'shop', uid: 'u-1', gracePeriodSeconds: 0 },
    ]);
    expect(api().requests).toMatchObject([
      {
        method: 'DELETE',
        path: '/api/v1/namespaces/shop/pods/web',
        body: { gracePeriodSeconds: 0, propagationPolicy: 'Orphan', preconditions: { uid: 'u-1' } },
      },
    ]);
  });

  it('says when it is not known whether the pod was deleted, and does not try again', async () => {
    api().answer(() => ({ drop: true }));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      name: 'NodeApiError',
      description: expect.stringContaining('deletionTimestamp'),
      context: { code: 'k8s_outcome_unknown' },
    });
    expect(api().requests).toHaveLength(1);
  });

  it('does not repeat a deletion that the server could not do', async () => {
    api().answer(() => statusAnswer(500, 'InternalError', 'etcd'));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: expect.stringMatching(/^k8s_(server_error|outcome_unknown)$/) },
    });
    expect(api().requests).toHaveLength(1);
  });
});
