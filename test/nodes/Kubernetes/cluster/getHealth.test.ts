import { describe, expect, it } from '@jest/globals';
import { execute, outputOf } from '../../testing/context';
import { statusAnswer, useFakeApi } from '../../testing/fakeApi';

const api = useFakeApi();
const PARAMETERS = { resource: 'cluster', operation: 'getHealth' };
const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

describe('Cluster: Get Health, when things go wrong', () => {
  it('says which check fails, and asks once', async () => {
    api().answer(({ path }) =>
      path === '/readyz'
        ? {
            status: 500,
            text: '[+]ping ok\n[-]etcd failed: reason withheld\nreadyz check failed\n',
            headers: TEXT,
          }
        : { text: '[+]ping ok\nlivez check passed\n', headers: TEXT },
    );
    expect(await outputOf({ credential: api().credential(), parameters: PARAMETERS })).toEqual([
      {
        ready: false,
        live: true,
        failed: ['etcd'],
        checks: [
          { name: 'ping', ok: true },
          { name: 'etcd', ok: false },
        ],
      },
    ]);
    expect(api().requests).toHaveLength(2);
  });

  it('says that the cluster does not let the credential ask', async () => {
    api().answer(({ path }) => statusAnswer(403, 'Forbidden', `forbidden: User "u" cannot get path "${path}"`));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      message: 'The credential may not read the health checks of the API server.',
      description: expect.stringContaining('nonResourceURLs: [/'),
      context: { code: 'k8s_forbidden' },
    });
  });

  it('does not take something else for an API server', async () => {
    api().answer(() => ({ text: '<html>welcome</html>', headers: { 'content-type': 'text/html' } }));
    await expect(execute({ credential: api().credential(), parameters: PARAMETERS })).rejects.toMatchObject({
      context: { code: 'k8s_response_invalid' },
    });
  });
});
