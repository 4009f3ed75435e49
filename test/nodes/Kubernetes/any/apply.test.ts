import { describe, expect, it } from '@jest/globals';
import { execute } from '../../testing/context';
import { useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PATH = '/api/v1/namespaces/shop/configmaps/a';
const MANIFEST = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }';

describe('Any Resource: Apply, when things go wrong', () => {
  it.each([
    ['the connection breaks', { drop: true } as const],
    [
      'a gateway lost the answer',
      { status: 504, json: { kind: 'Status', status: 'Failure', code: 504, reason: 'Timeout' } },
    ],
  ])('says that the outcome is not known when %s, and does not try again', async (_what, answer) => {
    api().answer(({ path }) => (path === PATH ? answer : undefined));
    const parameters = { resource: 'any', operation: 'apply', manifest: MANIFEST };
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      description: expect.stringContaining('Read the object'),
      context: { code: 'k8s_outcome_unknown' },
    });
    expect(api().requests.map(({ method, path, contentType }) => [method, path, contentType])).toEqual([
      ['PATCH', PATH, 'application/apply-patch+yaml'],
    ]);
  });
});
