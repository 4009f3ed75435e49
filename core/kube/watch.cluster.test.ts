import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedCluster } from '../../test/cluster/jest';
import { RESOURCES } from './apiResource';
import type { KubeClient } from './client';
import { clusterClient } from './testing/clusterClient';
import { all } from './testing/faultClient';

const cluster = sharedCluster();
let namespace: string;
let client: KubeClient;

beforeAll(async () => {
  namespace = await cluster().freshNamespace('watch');
  client = clusterClient(cluster(), { namespace });
});

async function cursor(): Promise<string> {
  return (await client.list(RESOURCES.configmaps, { namespace, limit: 1 })).resourceVersion;
}

describe('a watch window', () => {
  it('gives what happened after the cursor, in order, and ends by itself', async () => {
    const resourceVersion = await cursor();
    await client.create(RESOURCES.configmaps, {}, { metadata: { name: 'a', labels: { app: 'x' } } });
    await client.patch(RESOURCES.configmaps, { name: 'a' }, { type: 'merge', body: { data: { k: 'v' } } });
    await client.delete(RESOURCES.configmaps, { name: 'a' });
    await client.create(RESOURCES.configmaps, {}, { metadata: { name: 'b' } });
    const events = await all(client.watch(RESOURCES.configmaps, { namespace, resourceVersion, timeoutSeconds: 1 }));
    const seen = events
      .filter(({ type }) => type !== 'BOOKMARK')
      .map(({ type, object }) => `${type} ${object.metadata.name ?? ''}`);
    expect(seen).toEqual(['ADDED a', 'MODIFIED a', 'DELETED a', 'ADDED b']);
    expect(events[0]?.object).toMatchObject({ kind: 'ConfigMap', apiVersion: 'v1' });
  });

  it('gives what happens while it is open', async () => {
    const resourceVersion = await cursor();
    const events = client.watch(RESOURCES.configmaps, {
      namespace,
      resourceVersion,
      timeoutSeconds: 20,
      allowWatchBookmarks: false,
    });
    const first = events.next();
    await client.create(RESOURCES.configmaps, {}, { metadata: { name: 'live' } });
    expect((await first).value).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'live' } } });
    await events.return();
  });

  it('goes on without a gap from the last event', async () => {
    let resourceVersion = await cursor();
    const names = Array.from({ length: 6 }, (_, index) => `gap-${index}`);
    for (const name of names) await client.create(RESOURCES.configmaps, {}, { metadata: { name } });
    const seen: string[] = [];
    while (seen.length < names.length) {
      // Each window is left after two events.
      let left = 2;
      for await (const { type, object } of client.watch(RESOURCES.configmaps, {
        namespace,
        resourceVersion,
        timeoutSeconds: 5,
      })) {
        resourceVersion = object.metadata.resourceVersion ?? '';
        if (type === 'ADDED') seen.push(object.metadata.name ?? '');
        left -= 1;
        if (left === 0) break;
      }
    }
    expect(seen).toEqual(names);
  });

  it('selects, and gives metadata only', async () => {
    const resourceVersion = await cursor();
    await client.create(RESOURCES.configmaps, {}, { metadata: { name: 'other' } });
    await client.create(
      RESOURCES.configmaps,
      {},
      { metadata: { name: 'wanted', labels: { pick: 'me' } }, data: { k: 'v' } },
    );
    const events = await all(
      client.watch(RESOURCES.configmaps, {
        resourceVersion,
        timeoutSeconds: 1,
        labelSelector: 'pick=me',
        metadataOnly: true,
        allowWatchBookmarks: false,
      }),
    );
    expect(events).toMatchObject([
      { type: 'ADDED', object: { kind: 'PartialObjectMetadata', metadata: { name: 'wanted' } } },
    ]);
    expect(events[0]?.object).not.toHaveProperty('data');
  });
});
