import { describe, expect, it } from '@jest/globals';
import { execute, named, outputOf } from '../../testing/context';
import { statusAnswer, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PARAMETERS = { resource: 'deployment', operation: 'scale', name: named('web'), replicas: 0 };
const AUTOSCALERS = '/apis/autoscaling/v2/namespaces/shop/horizontalpodautoscalers';
const SCALE = '/apis/apps/v1/namespaces/shop/deployments/web/scale';

describe('Deployment: Scale, when things go wrong', () => {
  it('sends 0 as 0, to the scale subresource only', async () => {
    api().answer(({ path, method }) => {
      if (path === SCALE) return { json: { kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 0 } } };
      return method === 'GET' && path !== AUTOSCALERS
        ? { json: { kind: 'Deployment', metadata: { name: 'web' } } }
        : undefined;
    });
    await outputOf({ credential: api().credential(), parameters: PARAMETERS });
    const writes = api().requests.filter(({ method }) => method !== 'GET');
    expect(writes).toMatchObject([
      { method: 'PATCH', path: SCALE, contentType: 'application/merge-patch+json', body: { spec: { replicas: 0 } } },
    ]);
  });

  it('does not scale when the look for autoscalers breaks for another reason than a missing right', async () => {
    api().answer(({ path }) => (path === AUTOSCALERS ? statusAnswer(401, 'Unauthorized', 'Unauthorized') : undefined));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_unauthorized' },
    });
    expect(api().requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it('says when it is not known whether it scaled', async () => {
    api().answer(({ path }) => (path === SCALE ? { drop: true } : undefined));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_outcome_unknown' },
    });
    expect(api().requests.filter(({ path }) => path === SCALE)).toHaveLength(1);
  });

  it('says what it did when the deployment cannot be read afterwards', async () => {
    api().answer(({ path }) =>
      path === SCALE ? { json: { kind: 'Scale', metadata: { name: 'web' }, spec: { replicas: 0 } } } : undefined,
    );
    expect(await outputOf({ credential: api().credential(), parameters: PARAMETERS })).toEqual([
      { name: 'web', namespace: 'shop', replicas: 0, notRead: 'k8s_not_found' },
    ]);
  });
});
