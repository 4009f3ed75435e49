import { describe, expect, it } from '@jest/globals';
import { execute, named, outputOf } from '../../testing/context';
import { statusAnswer, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const POD = '/api/v1/namespaces/shop/pods/web';
const PARAMETERS = {
  resource: 'any',
  operation: 'wait',
  kind: named('pod'),
  name: named('web'),
  options: { intervalSeconds: 1 },
};

const pod = (uid: string) => ({ json: { kind: 'Pod', metadata: { name: 'web', uid }, status: { phase: 'Pending' } } });

/** Answers the looks at the pod one after another; the last answer stays. */
function looks(...answers: readonly (ReturnType<typeof pod> | undefined)[]): void {
  let look = 0;
  api().answer(({ path }) => {
    if (path === '/api/v1/namespaces/shop') return { json: { kind: 'Namespace', metadata: { name: 'shop' } } };
    if (path !== POD) return undefined;
    look += 1;
    return answers[Math.min(look, answers.length) - 1];
  });
}

describe('Any Resource: Wait, when things go wrong', () => {
  // kestra-io/plugin-kubernetes#188, #257
  it('fails when the object is deleted while it is waited for, in place of waiting to the end', async () => {
    looks(pod('a'), undefined);
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      message: 'Pod web failed: absent (Deleted: It was deleted while it was waited for)',
      context: { code: 'k8s_wait_failed' },
    });
  });

  it('does not take another object of the same name for the one that was waited for', async () => {
    looks(pod('a'), pod('b'));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_wait_failed', details: { objects: [{ reason: 'Deleted' }] } },
    });
    looks(pod('a'), pod('b'));
    const parameters = { ...PARAMETERS, until: 'absent' };
    expect(await outputOf({ credential: api().credential(), parameters })).toMatchObject([
      { met: true, seen: 'absent' },
    ]);
  });

  it('ends at once with what no waiting helps against', async () => {
    api().answer(() => statusAnswer(401, 'Unauthorized', 'Unauthorized'));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_unauthorized' },
    });
    expect(api().requests).toHaveLength(1);
  });
});
