import { beforeAll, describe, expect, it, jest } from '@jest/globals';
import { sharedCluster, useCluster } from '../../test/cluster/jest';
import { KubeApiError, RESOURCES, type WatchEvent } from './index';
import { ALL_RIGHTS, clientFor, useRealClient } from './testing/realCluster';

jest.setTimeout(180_000);
const real = useRealClient(sharedCluster(), 'streams');

async function collect(
  events: AsyncIterable<WatchEvent>,
  until: (seen: readonly WatchEvent[]) => boolean = () => false,
): Promise<WatchEvent[]> {
  const seen: WatchEvent[] = [];
  for await (const event of events) {
    seen.push(event);
    if (until(seen)) break;
  }
  return seen;
}

describe('a watch on a real API server', () => {
  it('gives what happened since its version, in order, and ends with its window', async () => {
    const { client, namespace } = real();
    const { resourceVersion } = await client.list(RESOURCES.configmaps, { namespace });
    await client.create(RESOURCES.configmaps, { namespace }, { metadata: { name: 'w' }, data: { a: '1' } });
    await client.patch(RESOURCES.configmaps, { namespace, name: 'w' }, { type: 'merge', body: { data: { a: '2' } } });
    await client.delete(RESOURCES.configmaps, { namespace, name: 'w' });
    const options = { namespace, resourceVersion, timeoutSeconds: 3, fieldSelector: 'metadata.name=w' };
    const events = await collect(client.watch(RESOURCES.configmaps, options));
    expect(events.filter(({ type }) => type !== 'BOOKMARK').map(({ type }) => type)).toEqual([
      'ADDED',
      'MODIFIED',
      'DELETED',
    ]);
  });

  it('stops at once when it is aborted', async () => {
    const { client, namespace } = real();
    const { resourceVersion } = await client.list(RESOURCES.configmaps, { namespace });
    const stop = new AbortController();
    const watching = collect(
      client.watch(RESOURCES.configmaps, { namespace, resourceVersion, timeoutSeconds: 300, signal: stop.signal }),
    );
    stop.abort();
    await expect(watching).rejects.toMatchObject({ code: 'k8s_aborted' });
  });
});

describe('logs on a real API server', () => {
  const name = 'talker';
  const ref = (): { namespace: string; name: string } => ({ namespace: real().namespace, name });

  beforeAll(async () => {
    const { cluster, client, namespace } = real();
    const containers = ['main', 'side'].map((of) => ({ name: of, image: `${of}:1` }));
    await client.create(RESOURCES.pods, { namespace }, { metadata: { name }, spec: { containers } });
    await cluster.api.until<{ status?: { phase?: string } }>(
      `/api/v1/namespaces/${namespace}/pods/${name}`,
      (pod) => pod?.status?.phase === 'Running',
    );
    await cluster.logs.set({ namespace, pod: name, container: 'main' }, { lines: ['eins', 'zwei ✓', 'drei'] });
    await cluster.logs.set({ namespace, pod: name, container: 'side' }, { lines: ['side'] });
  });

  it('come whole, and from the end when asked', async () => {
    const { client } = real();
    expect(await client.logs(ref(), { container: 'main' })).toEqual({ text: 'eins\nzwei ✓\ndrei\n', truncated: false });
    expect((await client.logs(ref(), { container: 'main', tailLines: 1 })).text).toBe('drei\n');
  });

  it('say that they were cut', async () => {
    expect(await real().client.logs(ref(), { container: 'main', limitBytes: 5 })).toMatchObject({ truncated: true });
  });

  it('come with times when asked', async () => {
    const { text } = await real().client.logs(ref(), { container: 'main', timestamps: true, tailLines: 1 });
    expect(text).toMatch(/^\d{4}-\d\d-\d\dT\S+ drei\n$/);
  });

  it('of all containers come apart', async () => {
    const logs = await real().client.allLogs(ref());
    expect(logs.map(({ container, text }) => [container, text])).toEqual([
      ['main', 'eins\nzwei ✓\ndrei\n'],
      ['side', 'side\n'],
    ]);
  });

  it('of an unknown container name those there are', async () => {
    await expect(real().client.logs(ref(), { container: 'other' })).rejects.toMatchObject({
      code: 'k8s_parameter_invalid',
      details: { containers: expect.arrayContaining(['main', 'side']) },
    });
  });
});

describe('a history that is thrown away early', () => {
  const cluster = useCluster({ nodes: 1, compactionInterval: '1s' });

  it('gives the rest of an expired list and says that it is not of one moment', async () => {
    const namespace = await cluster().freshNamespace('history');
    const client = await clientFor(cluster(), { namespace, clusterRules: ALL_RIGHTS });
    for (let index = 0; index < 6; index += 1) {
      await client.create(
        RESOURCES.configmaps,
        { namespace },
        { metadata: { name: `h-${index}`, labels: { h: 'h' } } },
      );
    }
    const first = await client.list(RESOURCES.configmaps, { namespace, labelSelector: 'h=h', limit: 2 });
    const expired = async (): Promise<unknown> => {
      await client.patch(
        RESOURCES.configmaps,
        { namespace, name: 'h-0' },
        { type: 'merge', body: { data: { t: String(performance.now()) } } },
      );
      return client
        .list(RESOURCES.configmaps, { namespace, labelSelector: 'h=h', limit: 2, continue: first.continue })
        .then(
          () => undefined,
          (error: unknown) => error,
        );
    };
    let error: unknown;
    const deadline = performance.now() + 60_000;
    while (!(error instanceof KubeApiError) && performance.now() < deadline) error = await expired();
    expect(error).toMatchObject({ code: 'k8s_expired', httpStatus: 410, continueToken: expect.any(String) });
    client.close();
  });

  it('refuses to watch from a version it no longer has', async () => {
    const namespace = await cluster().freshNamespace('old');
    const client = await clientFor(cluster(), { namespace, clusterRules: ALL_RIGHTS });
    const { resourceVersion } = await client.list(RESOURCES.configmaps, { namespace });
    const create = async (name: string): Promise<unknown> =>
      client.create(RESOURCES.configmaps, { namespace }, { metadata: { name } });
    const watch = async (): Promise<unknown> =>
      collect(client.watch(RESOURCES.configmaps, { namespace, resourceVersion, timeoutSeconds: 1 })).then(
        () => undefined,
        (error: unknown) => error,
      );
    await create('before');
    let error: unknown;
    // Compaction alone is not enough: the watch cache still knows the version until the server starts again.
    for (let round = 0; round < 10 && !(error instanceof KubeApiError); round += 1) {
      await create(`round-${round}`);
      await cluster().restartApiServer();
      error = await watch();
    }
    expect(error).toMatchObject({ code: 'k8s_expired' });
    client.close();
  });
});
