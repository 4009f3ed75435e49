import { describe, expect, it } from '@jest/globals';
import { execute, named, outputOf } from '../../testing/context';
import { statusAnswer, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const LIST = '/api/v1/namespaces/shop/configmaps';
const PARAMETERS = { resource: 'any', operation: 'delete', kind: named('cm') };
const BY_SELECTOR = { ...PARAMETERS, select: 'selector', labelSelector: 'app=old' };

const list = (names: readonly string[]) => ({
  json: {
    kind: 'PartialObjectMetadataList',
    metadata: { resourceVersion: '1' },
    items: names.map((name) => ({ metadata: { name, namespace: 'shop', uid: `uid-${name}` } })),
  },
});

describe('Any Resource: Delete, when things go wrong', () => {
  it('says when it is not known whether it deleted, and does not try again', async () => {
    api().answer(({ method }) => (method === 'DELETE' ? { drop: true } : undefined));
    const parameters = { ...PARAMETERS, name: named('a') };
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      description: expect.stringContaining('if it is gone or has a deletionTimestamp, it was deleted'),
      context: { code: 'k8s_outcome_unknown' },
    });
    expect(api().requests).toHaveLength(1);
  });

  it('deletes the objects that were found and no others that took their names', async () => {
    const success = { json: { kind: 'Status', status: 'Success' } };
    api().answer(({ path, method }) => {
      if (path === LIST) return list(['a', 'b', 'c']);
      if (method !== 'DELETE' || path.endsWith('/a')) return undefined;
      return path.endsWith('/b') ? statusAnswer(409, 'Conflict', 'Precondition failed: UID in precondition') : success;
    });
    const deleted = await outputOf({ credential: api().credential(), parameters: BY_SELECTOR });
    expect(deleted.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    const deletions = api().requests.filter(({ method }) => method === 'DELETE');
    expect(deletions.map(({ path, body }) => [path, (body as { preconditions: object }).preconditions])).toEqual(
      ['a', 'b', 'c'].map((name) => [`${LIST}/${name}`, { uid: `uid-${name}` }]),
    );
  });

  it('deletes what it can and says which could not be deleted', async () => {
    api().answer(({ path }) => {
      if (path === LIST) return list(['a', 'b']);
      return path.endsWith('/a')
        ? statusAnswer(403, 'Forbidden', 'no')
        : { json: { kind: 'Status', status: 'Success' } };
    });
    await expect(execute({ credential: api().credential(), parameters: BY_SELECTOR })).rejects.toMatchObject({
      message: expect.stringMatching(/^1 of 2 objects failed, 1 done\. ConfigMap shop\/a: /),
      context: { code: 'k8s_forbidden', details: { done: ['ConfigMap shop/b'] } },
    });
  });
});
