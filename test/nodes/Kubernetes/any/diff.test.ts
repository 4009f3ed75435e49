import { describe, expect, it } from '@jest/globals';
import { execute } from '../../testing/context';
import { forbidden, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const MANIFEST = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: a }';
const PARAMETERS = { resource: 'any', operation: 'diff', manifest: MANIFEST };

describe('Any Resource: Diff, when things go wrong', () => {
  it('sends dry runs only', async () => {
    const namespace = { json: { kind: 'Namespace', metadata: { name: 'shop' } } };
    api().answer(({ method, path, body }) => {
      if (path === '/api/v1/namespaces/shop') return namespace;
      return method === 'GET' ? undefined : { json: body };
    });
    await execute({ credential: api().credential(), parameters: PARAMETERS });
    const writes = api().requests.filter(({ method }) => method !== 'GET');
    expect(writes.map(({ method, query }) => [method, query.get('dryRun'), query.get('force')])).toEqual([
      ['PATCH', 'All', null],
    ]);
  });

  it('is no difference but an error when the object may not be read', async () => {
    api().answer(() => forbidden('get', 'configmaps', 'shop'));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_forbidden' },
    });
  });
});
