import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../kube';
import { compareInventories } from './changes';
import { type Comparable, comparableOf } from './comparable';
import { MAX_KEPT, packInventory, unpackInventory } from './kept';
import { readNode } from './node';
import { mixedNodes } from './testing/clusterNodes';

const NODES = mixedNodes(16).map((node) => readNode(node as unknown as KubeObject).facts);

const INVENTORY = {
  version: 'v1.35.0',
  platform: 'linux/amd64',
  distribution: 'kubernetes',
  mode: 'byo',
  confidence: 'medium',
  totals: { nodes: 16 },
  nodes: NODES,
  storageClasses: [{ name: 'fast', provisioner: 'p', default: true }],
  ingressClasses: [],
  coreDns: { name: 'coredns', image: 'coredns:1', version: '1', replicas: 2, readyReplicas: 2 },
  addOns: [{ name: 'KEDA', group: 'keda.sh', versions: ['v1alpha1'], available: true }],
};

function comparable(inventory: unknown): Comparable {
  const found = comparableOf(inventory);
  if (found === undefined) throw new Error('no inventory');
  return found;
}

const compare = (before: unknown, after: unknown) => compareInventories(comparable(before), comparable(after));

describe('what changed since', () => {
  it('is nothing between equal inventories, whatever is only about the moment', () => {
    const later = { ...INVENTORY, confidence: 'low', totals: {}, discoveredAt: 'later' };
    const coreDns = { ...INVENTORY.coreDns, readyReplicas: 1 };
    expect(compare(INVENTORY, { ...later, coreDns })).toEqual({ changes: [], notCompared: [] });
  });

  it('names each object, each field and both values', () => {
    const [first, second, ...rest] = NODES;
    const after = {
      ...INVENTORY,
      version: 'v1.36.0',
      nodes: [
        { ...first, ready: false, taints: ['a:NoSchedule', 'b:NoExecute'], capacity: { ...first?.capacity, cpu: '8' } },
        ...rest,
        { name: 'new', ready: true },
      ],
      storageClasses: [{ name: 'fast', provisioner: 'p', default: false }],
      coreDns: null,
    };
    expect(compare(INVENTORY, after)).toEqual({
      changes: [
        {
          part: 'cluster',
          name: 'cluster',
          change: 'changed',
          fields: [{ field: 'version', before: 'v1.35.0', after: 'v1.36.0' }],
        },
        {
          part: 'nodes',
          name: first?.name,
          change: 'changed',
          fields: [
            { field: 'ready', before: 'true', after: 'false' },
            { field: 'capacity.cpu', before: '4', after: '8' },
            { field: 'taints', before: null, after: 'a:NoSchedule, b:NoExecute' },
          ],
        },
        { part: 'nodes', name: second?.name, change: 'removed', fields: [] },
        { part: 'nodes', name: 'new', change: 'added', fields: [] },
        {
          part: 'storageClasses',
          name: 'fast',
          change: 'changed',
          fields: [{ field: 'default', before: 'true', after: 'false' }],
        },
        { part: 'coreDns', name: 'coredns', change: 'removed', fields: [] },
      ],
      notCompared: [],
    });
  });

  it('sees GPUs that are gone and a node that was made anew', () => {
    const node = { name: 'n', createdAt: '2026-01-01T00:00:00Z', allocatable: { gpus: { nvidia: 8 } } };
    const anew = { name: 'n', createdAt: '2026-01-02T00:00:00Z', allocatable: { gpus: { nvidia: 7 } } };
    const { changes } = compare({ ...INVENTORY, nodes: [node] }, { ...INVENTORY, nodes: [anew] });
    expect(changes[0]?.fields).toEqual([
      { field: 'createdAt', before: '2026-01-01T00:00:00Z', after: '2026-01-02T00:00:00Z' },
      { field: 'allocatable.gpus', before: 'nvidia=8', after: 'nvidia=7' },
    ]);
  });

  it('does not take what may not be read for what is gone', () => {
    const hidden = { ...INVENTORY, nodes: null, version: null, coreDns: null, notRead: [{ part: 'coreDns' }] };
    expect(compare(INVENTORY, hidden)).toEqual({ changes: [], notCompared: ['cluster', 'nodes', 'coreDns'] });
    expect(compare(hidden, INVENTORY)).toEqual({ changes: [], notCompared: ['cluster', 'nodes', 'coreDns'] });
  });

  it.each([undefined, null, 7, 'a', [], {}, { nodes: [] }, { distribution: 'eks', nodes: Array(20_001).fill({}) }])(
    '%# is no inventory',
    (value) => {
      expect(comparableOf(value)).toBeUndefined();
    },
  );

  it('is not misled by names that mean something to a program', () => {
    const odd = JSON.parse('{"name":"__proto__","ready":true,"__proto__":{"x":1}}') as object;
    const after = { ...INVENTORY, storageClasses: [odd, { name: 'constructor' }] };
    expect(compare({ ...INVENTORY, storageClasses: [] }, after).changes.map(({ name }) => name)).toEqual([
      '__proto__',
      'constructor',
    ]);
  });
});

describe('an inventory that is kept', () => {
  const kept = { discoveredAt: '2026-01-01T00:00:00.000Z', comparable: comparable(INVENTORY) };

  it('comes back as it was', () => {
    expect(unpackInventory(packInventory(kept))).toEqual(kept);
  });

  it('of 500 nodes takes a sixth of what is kept at most', () => {
    const nodes = mixedNodes(500).map((node) => readNode(node as unknown as KubeObject).facts);
    const text = packInventory({ ...kept, comparable: comparable({ ...INVENTORY, nodes }) }) ?? '';
    expect(text.length).toBeGreaterThan(1_000);
    expect(text.length).toBeLessThan(MAX_KEPT / 6);
  });

  it('that is too large is not kept', () => {
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647).toString(36);
    const nodes = Array.from({ length: 20_000 }, () => ({ name: random() + random(), kernel: random() + random() }));
    expect(packInventory({ ...kept, comparable: comparable({ ...INVENTORY, nodes }) })).toBeUndefined();
  });

  it.each([
    undefined,
    {},
    '',
    'no base64 of anything',
    'a'.repeat(MAX_KEPT + 1),
    packInventory(kept)?.slice(0, -40),
    'H4sIAAAAAAAAA6tWKlOyUjJUqgUAxY8j6wgAAAA=',
  ])('%# is not taken for one', (text) => {
    expect(unpackInventory(text)).toBeUndefined();
  });
});
