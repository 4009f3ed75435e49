import { expect, it } from '@jest/globals';
import { eventually } from '../../test/cluster';
import { useCluster } from '../../test/cluster/jest';
import { systemClock } from '../clock';
import { RESOURCES, type KubeObject } from '../kube';
import { Informer } from './informer';
import type { ScopeFault } from './reflector';
import { kubeSource } from './source';
import { objectKey } from './store';
import { clusterClient } from './testing/cluster';

/** A cluster of its own: its API server is restarted, and it forgets history within seconds. */
const cluster = useCluster({ nodes: 0, compactionInterval: '1s' });

it('an informer of two namespaces follows its objects, also through restarts of an API server that forgets', async () => {
  const [left, right] = [await cluster().freshNamespace('left'), await cluster().freshNamespace('right')];
  const writer = clusterClient(cluster());
  const reader = clusterClient(cluster());
  const put = (namespace: string, name: string, value: string, app = 'mine'): Promise<KubeObject> =>
    writer.create(RESOURCES.configmaps, { namespace }, { metadata: { name, labels: { app } }, data: { value } });
  const change = (namespace: string, name: string, body: object): Promise<KubeObject> =>
    writer.patch(RESOURCES.configmaps, { namespace, name }, { type: 'merge', body });
  const told = new Map<string, KubeObject>();
  const faults: ScopeFault[] = [];
  const informer = new Informer({
    source: kubeSource(reader, RESOURCES.configmaps, { labelSelector: 'app=mine' }),
    scopes: [left, right],
    clock: systemClock,
    random: Math.random,
    onFault: (fault) => faults.push(fault),
    onChange: (before, after) => {
      const object = after ?? before;
      if (!object) return;
      if (after) told.set(objectKey(object), after);
      else told.delete(objectKey(object));
    },
    indexers: { value: ({ data }) => [JSON.stringify(data)] },
  });
  /** Until the informer has what the API server has. */
  const follows = async (): Promise<void> => {
    await eventually(async () => {
      const lists = await Promise.all(
        [left, right].map((namespace) => writer.list(RESOURCES.configmaps, { namespace, labelSelector: 'app=mine' })),
      );
      const there = lists.flatMap(({ items }) =>
        items.map((item) => `${objectKey(item)} ${item.metadata.resourceVersion ?? ''}`),
      );
      const seen = [...told].map(([key, { metadata }]) => `${key} ${metadata.resourceVersion ?? ''}`);
      const kept = informer.list().map((object) => `${objectKey(object)} ${object.metadata.resourceVersion ?? ''}`);
      return [seen, kept].every((list) => list.sort().join() === [...there].sort().join());
    }, 'the informer to have what the API server has');
  };

  await put(left, 'a', '1');
  await put(left, 'other', '1', 'theirs');
  for (let index = 0; index < 5; index += 1) await put(right, `b${index}`, '1');
  informer.start();
  expect(await informer.synced).toBe(true);
  expect(informer.size).toBe(6);
  // From a list and from a watch they look the same.
  await put(left, 'c', '2');
  await follows();
  for (const name of ['a', 'c']) {
    const object = informer.get(left, name);
    expect([object?.kind, object?.apiVersion, object?.metadata.managedFields]).toEqual(['ConfigMap', 'v1', undefined]);
  }
  expect(informer.by('value', '{"value":"2"}').map(({ metadata }) => metadata.name)).toEqual(['c']);

  await change(left, 'a', { data: { value: '3' } });
  await change(left, 'c', { metadata: { labels: { app: 'theirs' } } });
  await change(left, 'other', { metadata: { labels: { app: 'mine' } } });
  await writer.delete(RESOURCES.configmaps, { namespace: right, name: 'b0' });
  await follows();
  expect(faults).toEqual([]);

  for (const round of ['1', '2']) {
    // While nobody watches: changes, and a history that is gone afterwards.
    await writer.delete(RESOURCES.configmaps, { namespace: right, name: `b${round}` });
    const restart = cluster().restartApiServer();
    await restart;
    await change(left, 'a', { data: { value: `r${round}` } });
    await put(right, `b${round}`, `again ${round}`);
    await follows();
  }
  expect(informer.hasSynced(left)).toBe(true);

  await informer.stop();
  await change(left, 'a', { data: { value: 'late' } });
  expect(informer.get(left, 'a')?.data).toEqual({ value: 'r2' });
  reader.close();
  writer.close();
}, 180_000);
