import { describe, expect, it } from '@jest/globals';
import type { IDataObject } from 'n8n-workflow';
import { nodesOf } from '../../../core/inventory/testing/clusterNodes';
import { keepInventory, lastInventory } from '../../../nodes/NavinCluster/actions/inventory/last';
import { execute, outputOf } from '../testing/context';
import { type FakeAnswer, type FakeRequest, statusAnswer, useFakeApi } from '../testing/fakeApi';

const api = useFakeApi();
const DISCOVER = { resource: 'inventory', operation: 'discover' };
const COMPARE = { resource: 'inventory', operation: 'compare' };
const NODES = nodesOf('gke', 3);

/** A cluster of three nodes on GKE. */
function gke(change: Readonly<Record<string, FakeAnswer>> = {}): (request: FakeRequest) => FakeAnswer | undefined {
  const list = (items: readonly object[]): FakeAnswer => ({ json: { kind: 'List', metadata: {}, items } });
  const answers: Readonly<Record<string, FakeAnswer>> = {
    '/version': { json: { major: '1', minor: '35', gitVersion: 'v1.35.1-gke.1396000', platform: 'linux/amd64' } },
    '/api': { json: { kind: 'APIVersions', versions: [] } },
    '/apis': { json: { kind: 'APIGroupList', groups: [] } },
    '/api/v1/nodes': list(NODES),
    '/apis/storage.k8s.io/v1/storageclasses': list([]),
    '/apis/networking.k8s.io/v1/ingressclasses': list([]),
    ...change,
  };
  return ({ path }) => answers[path];
}

const discover = async (more: IDataObject = {}, memory: IDataObject = {}) =>
  await outputOf({ credential: api().credential(), memory, parameters: { ...DISCOVER, ...more } });

describe('Inventory: Discover', () => {
  it('is sure of what several signs say, and has no CoreDNS where there is none', async () => {
    api().answer(gke());
    const [inventory] = await discover();
    expect(inventory).toMatchObject({
      distribution: 'gke',
      mode: 'managed',
      confidence: 'high',
      evidence: [
        { source: 'gitVersion', value: 'v1.35.1-gke.1396000' },
        { source: 'label', value: 'cloud.google.com/gke-nodepool=group-1', nodes: 3 },
      ],
      totals: { nodes: 3, ready: 3, allocatable: { cpu: '11760m', memory: '40776456Ki' } },
      coreDns: null,
    });
    expect(inventory).not.toHaveProperty('notRead');
    expect(inventory).not.toHaveProperty('changes');
  });

  it('fits into what an agent gets of a call when the nodes are left out, which are compared all the same', async () => {
    api().answer(gke({ '/api/v1/nodes': { json: { kind: 'NodeList', metadata: {}, items: nodesOf('gke', 500) } } }));
    const memory: IDataObject = {};
    const parameters = { ...DISCOVER, includeNodes: false, compare: 'last' };
    const run = async () => await outputOf({ credential: api().credential(), asTool: true, memory, parameters });
    expect(await run()).toMatchObject([{ totals: { nodes: 500 }, changes: { changed: false } }]);
    api().answer(gke());
    const [later] = await run();
    expect(later).not.toHaveProperty('nodes');
    expect(later?.changes).toMatchObject({ removed: 497 });
  });

  it('goes on where even the version and the list of APIs are hidden', async () => {
    const hidden = statusAnswer(403, 'Forbidden', 'forbidden: User "u" cannot get path');
    api().answer(gke({ '/version': hidden, '/apis': hidden }));
    expect(await discover()).toMatchObject([
      {
        version: null,
        platform: null,
        distribution: 'gke',
        confidence: 'medium',
        addOns: null,
        notRead: [
          { part: 'version', right: null },
          { part: 'addOns', right: null },
        ],
      },
    ]);
  });

  it('ends with the error of a part that is broken, and keeps nothing', async () => {
    api().answer(gke({ '/api/v1/nodes': { json: { kind: 'NodeList', metadata: {}, items: ['a node'] } } }));
    const memory = {};
    await expect(discover({ compare: 'last' }, memory)).rejects.toMatchObject({
      context: { code: 'k8s_response_invalid' },
    });
    expect(memory).toEqual({});
  });

  it.each([
    ['no JSON', 'last week', 'is not JSON'],
    ['something else', '{"pods":[]}', 'is no inventory'],
  ])('takes %s for no inventory, before anything is sent', async (_what, before, problem) => {
    await expect(discover({ compare: 'given', before })).rejects.toMatchObject({
      message: expect.stringContaining(problem),
      context: { code: 'k8s_parameter_invalid' },
    });
    expect(api().requests).toEqual([]);
  });

  it('compares with the item an earlier one gave', async () => {
    api().answer(gke());
    const [earlier = {}] = await discover();
    api().answer(gke({ '/api/v1/nodes': { json: { kind: 'NodeList', metadata: {}, items: NODES.slice(1) } } }));
    const expressions = { '={{ $json.inventory }}': () => earlier };
    const parameters = { ...DISCOVER, compare: 'given', before: '={{ $json.inventory }}' };
    const [later] = await outputOf({ credential: api().credential(), parameters, expressions });
    expect(later?.changes).toEqual({
      since: earlier.discoveredAt,
      changed: true,
      added: 0,
      removed: 1,
      modified: 0,
      changes: [{ part: 'nodes', name: NODES[0]?.metadata.name, change: 'removed', fields: [] }],
      notCompared: [],
    });
  });

  it('takes what it has kept for nothing when somebody has written something else there', async () => {
    api().answer(gke());
    const memory = { inventories: { c0: 7 } };
    const [first] = await discover({ compare: 'last' }, memory);
    expect(first?.changes).toMatchObject({ since: null, changed: false });
    const [second] = await discover({ compare: 'last' }, memory);
    expect(second?.changes).toMatchObject({ since: first?.discoveredAt, changed: false });
  });

  it('refuses to keep anything in a workflow of the Kubernetes Trigger, whose place would be lost', async () => {
    const running = execute({
      credential: api().credential(),
      parameters: { ...DISCOVER, compare: 'last' },
      parents: ['n8n-nodes-base.set', '@navin/n8n-nodes-kubernetes.kubernetesTrigger'],
    });
    await expect(running).rejects.toMatchObject({
      description: expect.stringContaining('Execute Sub-workflow'),
      context: { code: 'k8s_parameter_invalid' },
    });
    expect(api().requests).toEqual([]);
  });
});

describe('Inventory: Compare', () => {
  const before = {
    distribution: 'k3s',
    version: 'v1.36.1+k3s1',
    discoveredAt: '2026-01-01T00:00:00.000Z',
    server: 'a',
  };
  const after = { ...before, version: 'v1.36.2+k3s1', server: 'b' };
  const change = {
    part: 'cluster',
    name: 'cluster',
    change: 'changed',
    fields: [{ field: 'version', before: 'v1.36.1+k3s1', after: 'v1.36.2+k3s1' }],
  };

  it.each([
    ['the input item', {}, [after]],
    ['another given one', { after: JSON.stringify(after) }, [{}]],
  ])('compares with %s without asking a cluster', async (_what, more, items) => {
    const parameters = { ...COMPARE, before: JSON.stringify(before), ...more };
    const run = async (output: string) =>
      await outputOf({ credential: api().credential(), items, parameters: { ...parameters, output } });
    expect(await run('all')).toMatchObject([{ since: before.discoveredAt, changed: true, changes: [change] }]);
    expect(await run('changes')).toEqual([{ server: 'b', since: before.discoveredAt, ...change }]);
    expect(api().requests).toEqual([]);
  });

  it('says which of the two is none', async () => {
    const parameters = { ...COMPARE, before: JSON.stringify(before) };
    await expect(execute({ credential: api().credential(), parameters })).rejects.toMatchObject({
      message: expect.stringContaining('Later Inventory'),
    });
  });
});

describe('the inventories a node keeps', () => {
  const inventory = { discoveredAt: '2026-01-01T00:00:00.000Z', comparable: new Map([['nodes', new Map()]] as const) };

  it('are those of four clusters, the newest ones', () => {
    const memory: Record<string, unknown> = {};
    for (const server of ['a', 'b', 'c', 'a', 'd', 'e']) expect(keepInventory(memory, server, inventory)).toBe(true);
    const kept = ['a', 'b', 'c', 'd', 'e'].filter((server) => lastInventory(memory, server) !== undefined);
    expect(kept).toEqual(['a', 'c', 'd', 'e']);
    expect(lastInventory(memory, 'a')).toEqual(inventory);
  });

  it('lose the one of a cluster that has become too large, and no other', () => {
    const memory: Record<string, unknown> = {};
    keepInventory(memory, 'a', inventory);
    keepInventory(memory, 'b', inventory);
    let seed = 7;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647).toString(36);
    const fields = () => new Map([['kernel', random() + random()]]);
    const nodes = new Map(Array.from({ length: 20_000 }, () => [random() + random(), fields()]));
    expect(keepInventory(memory, 'a', { ...inventory, comparable: new Map([['nodes', nodes]] as const) })).toBe(false);
    expect([lastInventory(memory, 'a'), lastInventory(memory, 'b')]).toEqual([undefined, inventory]);
  });
});
