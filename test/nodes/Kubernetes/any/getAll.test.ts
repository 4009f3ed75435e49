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

describe('Any Resource: Get Many, when things go wrong', () => {
  it('marks the pages of a list whose history expired, and says so once', async () => {
    const expired = statusAnswer(410, 'Expired', 'The provided continue parameter is too old');
    const withToken = { ...expired, json: { ...(expired.json as object), metadata: { continue: 'new' } } };
    api().answer(({ query }) => {
      const token = query.get('continue');
      if (token === null) return page('a', 'old');
      if (token === 'old') return withToken;
      return token === 'new' ? page('b', 'last') : page('c');
    });
    const prepareBinaryData = () => Promise.resolve({ data: '', mimeType: 'application/json' });
    const context = executionContext({
      credential: api().credential(),
      parameters: { ...PARAMETERS, options: { onePerPage: true } },
      helpers: { prepareBinaryData } as unknown as IExecuteFunctions['helpers'],
    });
    const [items] = await new Kubernetes().execute.call(context);
    expect(items?.map(({ json }) => [json.first, json.inconsistent])).toEqual([
      ['a', false],
      ['b', true],
      ['c', true],
    ]);
    expect(context.notes).toEqual([expect.stringContaining('may be missing or old')]);
  });
});
