import { describe, expect, it } from '@jest/globals';
import { execute, named } from '../../testing/context';
import { useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const LIST = '/api/v1/namespaces/shop/configmaps';

describe('Any Resource: Label, when things go wrong', () => {
  it('says of several which was changed and of which it is not known, and tries none again', async () => {
    const items = ['a', 'b'].map((name) => ({ metadata: { name, namespace: 'shop', uid: `uid-${name}` } }));
    api().answer(({ path, method, body }) => {
      if (path === LIST)
        return { json: { kind: 'PartialObjectMetadataList', metadata: { resourceVersion: '1' }, items } };
      if (method !== 'PATCH') return undefined;
      return path.endsWith('/a') ? { drop: true } : { json: { kind: 'ConfigMap', ...(body as object) } };
    });
    const parameters = {
      ...{ resource: 'any', operation: 'label', kind: named('cm'), select: 'selector', labelSelector: 'app=web' },
      set: { entry: [{ key: 'tier', value: '1' }] },
    };
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      context: {
        code: 'k8s_outcome_unknown',
        details: { done: ['ConfigMap shop/b'], failed: [{ object: 'ConfigMap shop/a', code: 'k8s_outcome_unknown' }] },
      },
    });
    const patches = api().requests.filter(({ method }) => method === 'PATCH');
    expect(patches.map(({ body }) => body)).toEqual([
      { metadata: { uid: 'uid-a', labels: { tier: '1' } } },
      { metadata: { uid: 'uid-b', labels: { tier: '1' } } },
    ]);
  });
});
