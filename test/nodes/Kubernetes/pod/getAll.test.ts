import { describe, expect, it } from '@jest/globals';
import { Kubernetes } from '../../../../nodes/Kubernetes/Kubernetes.node';
import { execute, executionContext } from '../../testing/context';
import { statusAnswer, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PARAMETERS = { resource: 'pod', operation: 'getAll', returnAll: true };

function page(name: string, token?: string): { json: object } {
  const metadata = { resourceVersion: '1', ...(token === undefined ? {} : { continue: token }) };
  return { json: { kind: 'PodList', metadata, items: [{ metadata: { name } }] } };
}

describe('Pod: Get Many, when things go wrong', () => {
  // kubernetes PR#67284; kubectl-reap#116; mlrun PR#6360
  it('goes on with a list whose history expired, and says once that it may be incomplete', async () => {
    const expired = statusAnswer(410, 'Expired', 'The provided continue parameter is too old');
    const withToken = { ...expired, json: { ...(expired.json as object), metadata: { continue: 'new' } } };
    api().answer(({ query }) => {
      const token = query.get('continue');
      if (token === null) return page('a', 'old');
      if (token === 'old') return withToken;
      return token === 'new' ? page('b', 'last') : page('c');
    });
    const context = executionContext({ credential: api().credential(), parameters: PARAMETERS });
    const [items] = await new Kubernetes().execute.call(context);
    expect(items?.map(({ json }) => json.name)).toEqual(['a', 'b', 'c']);
    expect(context.notes).toEqual([expect.stringContaining('may be missing or old')]);
  });

  it('says that the list cannot be finished without a new token', async () => {
    api().answer(({ query }) =>
      query.get('continue') === null ? page('a', 'old') : statusAnswer(410, 'Expired', 'old'),
    );
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_expired' },
    });
  });

  it('does not go round in a circle with a server that gives the same page again', async () => {
    api().answer(() => page('a', 'again'));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_response_invalid' },
    });
    expect(api().requests.length).toBeLessThan(5);
  });

  it('asks for no more than the limit', async () => {
    api().answer(() => page('a'));
    await execute({ credential: api().credential(), parameters: { resource: 'pod', operation: 'getAll', limit: 7 } });
    expect(api().requests[0]?.query.get('limit')).toBe('7');
  });
});
