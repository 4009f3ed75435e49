import { describe, expect, it } from '@jest/globals';
import type { IExecuteFunctions } from 'n8n-workflow';
import { Kubernetes } from '../../../../nodes/Kubernetes/Kubernetes.node';
import { executionContext, named } from '../../testing/context';
import { statusAnswer, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PARAMETERS = { resource: 'any', operation: 'getAll', kind: named('cm'), returnAll: true };

function page(name: string, token?: string): { json: object } {
  const metadata = { resourceVersion: '1', ...(token === undefined ? {} : { continue: token }) };
  return { json: { kind: 'ConfigMapList', metadata, items: [{ metadata: { name } }] } };
}

const expired = statusAnswer(410, 'Expired', 'The provided continue parameter is too old');

function contextFor(parameters: object) {
  const prepareBinaryData = () => Promise.resolve({ data: '', mimeType: 'application/json' });
  return executionContext({
    credential: api().credential(),
    parameters: { ...PARAMETERS, ...parameters },
    helpers: { prepareBinaryData } as unknown as IExecuteFunctions['helpers'],
  });
}

describe('Any Resource: Get Many, when things go wrong', () => {
  it('marks the pages of a list whose history expired, and says so once', async () => {
    const withToken = { ...expired, json: { ...(expired.json as object), metadata: { continue: 'new' } } };
    api().answer(({ query }) => {
      const token = query.get('continue');
      if (token === null) return page('a', 'old');
      if (token === 'old') return withToken;
      return token === 'new' ? page('b', 'last') : page('c');
    });
    const context = contextFor({ options: { onePerPage: true } });
    const [items] = await new Kubernetes().execute.call(context);
    expect(items?.map(({ json }) => [json.first, json.inconsistent])).toEqual([
      ['a', false],
      ['b', true],
      ['c', true],
    ]);
    expect(context.notes).toEqual([expect.stringContaining('may be missing or old')]);
  });

  it('marks what follows a page whose token expired before the workflow came back with it', async () => {
    const withToken = { ...expired, json: { ...(expired.json as object), metadata: { continue: 'new' } } };
    api().answer(({ query }) => (query.get('continue') === 'new' ? page('b', 'last') : withToken));
    const context = contextFor({ returnAll: false, limit: 1, options: { onePerPage: true, continueAfter: 'old' } });
    const [items] = await new Kubernetes().execute.call(context);
    expect(items?.map(({ json }) => json)).toEqual([
      {
        apiVersion: 'v1',
        kind: 'ConfigMap',
        page: 1,
        count: 1,
        first: 'b',
        last: 'b',
        inconsistent: true,
        continue: 'last',
      },
    ]);
    expect(context.notes).toEqual([expect.stringContaining('may be missing or old')]);
  });

  it('says what to do where the API server gives no other token for one that expired', async () => {
    api().answer(() => expired);
    const context = contextFor({ options: { onePerPage: true, continueAfter: 'old' } });
    await expect(new Kubernetes().execute.call(context)).rejects.toMatchObject({
      context: { code: 'k8s_expired' },
      description: expect.stringContaining('List again'),
    });
  });

  it('gives no part of a page in which an object cannot be read', async () => {
    const text =
      '{"kind":"ConfigMapList","metadata":{"resourceVersion":"1"},"items":[{"metadata":{"name":"a"}},{"metadata":x}]}';
    api().answer(() => ({ text, headers: { 'content-type': 'application/json' } }));
    await expect(new Kubernetes().execute.call(contextFor({ options: { onePerPage: true } }))).rejects.toMatchObject({
      context: { code: 'k8s_response_invalid' },
    });
  });
});
