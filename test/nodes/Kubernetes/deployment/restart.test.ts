import { describe, expect, it } from '@jest/globals';
import { execute, named } from '../../testing/context';
import { useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PARAMETERS = { resource: 'deployment', operation: 'restart', name: named('web') };

const DEPLOYMENT = '/apis/apps/v1/namespaces/shop/deployments/web';

describe('Deployment: Restart, when things go wrong', () => {
  it('sends one merge patch of the annotation and nothing else', async () => {
    api().answer(({ path }) =>
      path === DEPLOYMENT ? { json: { kind: 'Deployment', metadata: { name: 'web' } } } : undefined,
    );
    await execute({ credential: api().credential(), parameters: PARAMETERS });
    expect(api().requests.filter(({ path }) => path === DEPLOYMENT)).toMatchObject([
      { method: 'GET' },
      {
        method: 'PATCH',
        contentType: 'application/merge-patch+json',
        body: {
          spec: {
            template: {
              metadata: {
                annotations: {
                  'kubectl.kubernetes.io/restartedAt': expect.stringMatching(/^\d{4}-[\d-]+T[\d:]+\.\d{9}Z$/),
                },
              },
            },
          },
        },
      },
    ]);
  });

  it('says when it is not known whether it restarted, and does not restart twice', async () => {
    api().answer(({ method, path }) => {
      if (method === 'PATCH') return { drop: true };
      return path === DEPLOYMENT ? { json: { kind: 'Deployment', metadata: { name: 'web' } } } : undefined;
    });
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_outcome_unknown' },
    });
    expect(api().requests.filter(({ method }) => method === 'PATCH')).toHaveLength(1);
  });
});
