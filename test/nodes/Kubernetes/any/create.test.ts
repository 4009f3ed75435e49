import { describe, expect, it } from '@jest/globals';
import { execute } from '../../testing/context';
import { useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PATH = '/api/v1/namespaces/shop/configmaps';
const MANIFEST = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }';

describe('Any Resource: Create, when things go wrong', () => {
  it('says when it is not known whether it created, and does not try again', async () => {
    api().answer(({ path }) => (path === PATH ? { drop: true } : undefined));
    const parameters = { resource: 'any', operation: 'create', manifest: MANIFEST };
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      message: expect.stringContaining('whether it was done is not known'),
      description: expect.stringContaining('Read the object'),
      context: { code: 'k8s_outcome_unknown' },
    });
    expect(api().requests.map(({ method, path }) => `${method} ${path}`)).toEqual([`POST ${PATH}`]);
  });

  it('says of several which one is not known, and writes no more after it', async () => {
    api().answer(({ path, body }) => {
      const name = (body as { metadata?: { name?: string } } | undefined)?.metadata?.name ?? '';
      return path === PATH && name === 'a' ? { drop: true } : { json: body };
    });
    const service = 'apiVersion: v1\nkind: Service\nmetadata: { name: c }';
    const manifest = [MANIFEST, MANIFEST.replace('name: a', 'name: b'), service].join('\n---\n');
    const parameters = { resource: 'any', operation: 'create', manifest };
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      context: {
        code: 'k8s_outcome_unknown',
        details: {
          done: ['ConfigMap b'],
          failed: [{ object: 'ConfigMap a', code: 'k8s_outcome_unknown' }],
          notTried: ['Service c'],
        },
      },
    });
  });
});
