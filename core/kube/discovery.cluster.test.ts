import { beforeAll, describe, expect, it } from '@jest/globals';
import { sharedCluster } from '../../test/cluster/jest';
import { eventually } from '../../test/cluster';
import { RESOURCES } from './apiResource';
import type { KubeClient } from './client';
import { clusterClient } from './testing/clusterClient';
import { errorOf } from './testing/faultClient';

const cluster = sharedCluster();
let client: KubeClient;

beforeAll(() => {
  client = clusterClient(cluster());
});

describe('discovery', () => {
  it('finds the well-known resources as the table has them', async () => {
    const served = await client.resources();
    for (const known of Object.values(RESOURCES)) {
      const found = served.find(({ plural, group }) => plural === known.plural && group === known.group);
      const names = [...known.subresources].sort();
      expect(found).toMatchObject({
        version: known.version,
        kind: known.kind,
        singular: known.singular,
        namespaced: known.namespaced,
      });
      expect([known.plural, [...(found?.shortNames ?? [])].sort()]).toEqual([
        known.plural,
        [...known.shortNames].sort(),
      ]);
      // Newer servers serve more subresources than the oldest that is supported.
      expect([known.plural, names.filter((name) => !found?.subresources.includes(name))]).toEqual([known.plural, []]);
      expect([known.plural, known.verbs.filter((verb) => !found?.verbs.includes(verb))]).toEqual([known.plural, []]);
    }
    expect(await client.discoveryFailures()).toEqual([]);
  });

  it.each([
    ['flowschemas', 'flowschemas.v1.flowcontrol.apiserver.k8s.io'],
    ['PriorityClass', 'priorityclasses.v1.scheduling.k8s.io'],
    ['pc', 'priorityclasses.v1.scheduling.k8s.io'],
    ['csr', 'certificatesigningrequests.v1.certificates.k8s.io'],
    ['events.events.k8s.io', 'events.v1.events.k8s.io'],
    ['events', 'events.v1.'],
    ['scheduling.k8s.io/v1/PriorityClass', 'priorityclasses.v1.scheduling.k8s.io'],
  ])('knows %s', async (name, expected) => {
    const { plural, version, group } = await client.resource(name);
    expect(`${plural}.${version}.${group}`).toBe(expected);
  });

  it('finds custom resources by every name, also when their definition is new', async () => {
    const group = `${await cluster().freshNamespace('discovery')}.example`;
    const fresh = clusterClient(cluster());
    await fresh.resources();
    await fresh.create(
      RESOURCES.customresourcedefinitions,
      {},
      {
        metadata: { name: `gadgets.${group}` },
        spec: {
          group,
          scope: 'Cluster',
          names: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget', shortNames: ['gdg'] },
          versions: ['v1', 'v1beta1'].map((name) => ({
            name,
            served: true,
            storage: name === 'v1',
            subresources: { status: {} },
            schema: { openAPIV3Schema: { type: 'object' } },
          })),
        },
      },
    );
    await eventually(
      async () => (await clusterClient(cluster()).resources()).some(({ plural }) => plural === 'gadgets'),
      'the new resource',
    );
    const later = clusterClient(cluster());
    for (const name of [
      'gadgets',
      'Gadget',
      'gadget',
      'gdg',
      `gadgets.${group}`,
      `Gadget.${group}`,
      `${group}/v1/Gadget`,
    ]) {
      expect(await later.resource(name)).toMatchObject({
        group,
        version: 'v1',
        namespaced: false,
        subresources: ['status'],
      });
    }
    expect((await later.resourceFor(`${group}/v1beta1`, 'Gadget')).version).toBe('v1beta1');
    const error = await errorOf(later.resource('gadgts'));
    expect(error.hint).toBe(`Did you mean "gadgets.${group}"?`);

    const gadgets = await later.resource('gdg');
    await later.create(gadgets, {}, { apiVersion: `${group}/v1`, kind: 'Gadget', metadata: { name: 'a' } });
    expect((await later.list(gadgets)).items).toHaveLength(1);
    await later.delete(RESOURCES.customresourcedefinitions, { name: `gadgets.${group}` });
  }, 60_000);

  it('does without the aggregated form', async () => {
    const { discover } = await import('./discovery');
    const { clientMeans } = await import('./clientOptions');
    const { loadEgressPolicy } = await import('../egress');
    const { requester } = clientMeans(
      { target: client.target, egress: loadEgressPolicy(cluster().egressEnv) },
      new AbortController().signal,
    );
    const plain = await discover(
      Object.assign(Object.create(requester) as typeof requester, {
        json: (request: Parameters<typeof requester.json>[0]) =>
          requester.json({ ...request, accept: 'application/json' }),
      }),
    );
    const aggregated = await discover(requester);
    const names = (found: typeof plain) =>
      found.resources.map(({ plural, version, group, kind }) => `${plural}.${version}.${group} ${kind}`).sort();
    expect(names(plain)).toEqual(names(aggregated));
    expect(plain.resources.find(({ plural }) => plural === 'pods')?.subresources).toContain('log');
  });
});
