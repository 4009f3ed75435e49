import { describe, expect, it } from '@jest/globals';
import { execute, named, outputOf } from '../../testing/context';
import { forbidden, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PARAMETERS = { resource: 'job', operation: 'wait', name: named('report'), options: { intervalSeconds: 1 } };
const JOB = '/apis/batch/v1/namespaces/shop/jobs/report';
const COMPLETE = { conditions: [{ type: 'Complete', status: 'True' }] };

function job(uid: string, status: object = {}): object {
  return { kind: 'Job', metadata: { name: 'report', namespace: 'shop', uid }, status };
}

function pod(name: string, uid: string, created: string): object {
  const metadata = { name, namespace: 'shop', creationTimestamp: created, ownerReferences: [{ uid }] };
  return { metadata, spec: { containers: [{ name: 'main' }] } };
}

describe('Job: Wait, when things go wrong', () => {
  it('takes a job of the same name for another one when its UID is another', async () => {
    let looks = 0;
    api().answer(({ path }) => {
      if (path !== JOB) return { json: { kind: 'PodList', metadata: { resourceVersion: '1' }, items: [] } };
      looks += 1;
      return { json: job(looks === 1 ? 'u-1' : 'u-2', looks === 1 ? {} : COMPLETE) };
    });
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      message: 'The Job report was replaced by another of the same name while it was waited for',
      context: { code: 'k8s_wait_failed', details: { result: 'replaced' } },
    });
  });

  it('ends when the right is taken away meanwhile', async () => {
    let looks = 0;
    api().answer(() => {
      looks += 1;
      return looks === 1 ? { json: job('u-1') } : forbidden('get', 'jobs', 'shop');
    });
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_forbidden' },
    });
  });

  it('reads the logs of its own newest pods only, and says which it could not read', async () => {
    api().answer(({ path }) => {
      if (path === JOB) return { json: job('u-1', COMPLETE) };
      if (path.endsWith('/pods')) {
        const items = [
          pod('oldest', 'u-1', '2026-01-31T10:00:00Z'),
          pod('newest', 'u-1', '2026-01-31T12:00:00Z'),
          pod('foreign', 'u-9', '2026-01-31T13:00:00Z'),
          pod('middle', 'u-1', '2026-01-31T11:00:00Z'),
        ];
        return { json: { kind: 'PodList', metadata: { resourceVersion: '1' }, items } };
      }
      if (path.endsWith('/newest/log')) return { text: 'done\n', headers: { 'content-type': 'text/plain' } };
      return forbidden('get', 'pods/log', 'shop');
    });
    const parameters = { ...PARAMETERS, options: { maxPods: 2, tailLines: 7 } };
    expect(await outputOf({ credential: api().credential(), parameters })).toMatchObject([
      {
        result: 'complete',
        logs: [
          { pod: 'newest', container: 'main', logs: 'done\n', truncated: false },
          { pod: 'middle', container: 'main', notRead: 'k8s_forbidden' },
        ],
      },
    ]);
    const log = api().requests.find(({ path }) => path.endsWith('/newest/log'));
    expect(log?.query.get('tailLines')).toBe('7');
  });
});
