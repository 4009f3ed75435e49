import { describe, expect, it } from '@jest/globals';
import { useCluster } from '../../test/cluster/jest';
import { RESOURCES } from './apiResource';
import type { KubeClient } from './client';
import { KubeApiError } from './errors';
import { compareResourceVersions } from './kubeObject';
import { clusterClient } from './testing/clusterClient';
import { all, errorOf } from './testing/faultClient';

/** A cluster of its own: history is compacted every second, and the API server is restarted. */
const cluster = useCluster({ nodes: 1, compactionInterval: '1s' });

async function fill(client: KubeClient, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await client.create(RESOURCES.configmaps, {}, { metadata: { name: `item-${index}` } });
  }
}

/** Waits until the API server has forgotten a version. */
async function untilForgotten(client: KubeClient, namespace: string, token: string): Promise<KubeApiError> {
  for (let left = 120; left > 0; left -= 1) {
    await client.patch(
      RESOURCES.configmaps,
      { name: 'item-0' },
      { type: 'merge', body: { data: { at: String(left) } } },
    );
    try {
      await client.list(RESOURCES.configmaps, { namespace, limit: 3, continue: token });
    } catch (error) {
      if (error instanceof KubeApiError) return error;
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error('the continue token never expired');
}

describe('history that has expired', () => {
  // kubernetes PR#67284; kubectl-reap#116; mlrun PR#6360
  it('a list in pages goes on, and says that it is not of one moment', async () => {
    const namespace = await cluster().freshNamespace('expiry');
    const client = clusterClient(cluster(), { namespace });
    await fill(client, 10);
    const pages = client.pages(RESOURCES.configmaps, { namespace, pageSize: 3 });
    const first = (await pages.next()).value;
    // The second page is fetched already; the third needs a token that has expired by then.
    const second = (await pages.next()).value;
    const token = second?.continue ?? '';
    expect(token).not.toBe('');
    await pages.return();

    const expired = await untilForgotten(client, namespace, token);
    expect([expired.code, expired.httpStatus]).toEqual(['k8s_expired', 410]);
    expect(expired.continueToken).toBeDefined();

    // The same through pages(): the request for the third page meets the 410.
    let asked = 0;
    const { listPages } = await import('./pages');
    const rest = await all(
      listPages(
        (options) => {
          asked += 1;
          return client.list(RESOURCES.configmaps, {
            ...options,
            continue: asked === 1 ? undefined : asked === 2 ? token : options.continue,
          });
        },
        { namespace, pageSize: 3 },
      ),
    );
    expect(rest[0]?.inconsistent).toBe(false);
    expect(rest[1]?.inconsistent).toBe(true);
    const names = [
      ...(first?.items ?? []),
      ...(second?.items ?? []),
      ...rest.slice(1).flatMap(({ items }) => items),
    ].map(({ metadata }) => metadata.name);
    expect(names.filter((name) => name?.startsWith('item-'))).toEqual(
      Array.from({ length: 10 }, (_, index) => `item-${index}`),
    );
    expect(compareResourceVersions(rest[1]?.resourceVersion ?? '', first?.resourceVersion ?? '')).toBe(1);
  }, 120_000);

  it('a watch from a version that is too old is k8s_expired', async () => {
    const namespace = await cluster().freshNamespace('expiry');
    const client = clusterClient(cluster(), { namespace });
    const { resourceVersion } = await client.list(RESOURCES.configmaps, { namespace });
    await fill(client, 3);
    // The watch cache of a new API server begins at what it reads first, and what is older was compacted.
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await cluster().restartApiServer();
    const error = await errorOf(
      all(client.watch(RESOURCES.configmaps, { namespace, resourceVersion, timeoutSeconds: 2 })),
    );
    expect(error).toMatchObject({ code: 'k8s_expired', httpStatus: 410 });
    // The connections of before are dead: reads make new ones by themselves.
    expect((await client.list(RESOURCES.configmaps, { namespace })).items.length).toBeGreaterThan(3);
  }, 120_000);

  it('a list of a version from the future is told by its cause', async () => {
    const client = clusterClient(cluster(), { maxRetries: 0 });
    const error = await errorOf(
      client.list(RESOURCES.configmaps, { resourceVersion: '999999999', resourceVersionMatch: 'NotOlderThan' }),
    );
    expect(error.code).toBe('k8s_server_error');
    expect((error as KubeApiError).hasCause('ResourceVersionTooLarge')).toBe(true);
  }, 60_000);
});
