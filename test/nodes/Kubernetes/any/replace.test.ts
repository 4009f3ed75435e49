import { describe, expect, it } from '@jest/globals';
import { execute } from '../../testing/context';
import { useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PATH = '/api/v1/namespaces/shop/configmaps/a';
const MANIFEST = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }';

describe('Any Resource: Replace, when things go wrong', () => {
  it('replaces the version it has just read, and says when the outcome is not known', async () => {
    api().answer(({ method }) =>
      method === 'GET'
        ? { json: { kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '7' } } }
        : { drop: true },
    );
    const parameters = { resource: 'any', operation: 'replace', manifest: MANIFEST };
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      context: { code: 'k8s_outcome_unknown' },
    });
    expect(api().requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['GET', PATH, undefined],
      ['PUT', PATH, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', resourceVersion: '7' } }],
    ]);
  });
});
