import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../test/cluster';
import { sharedCluster } from '../../test/cluster/jest';
import { RESOURCES, type ApiResource, type KubeClient, type KubeObject } from '../kube';
import { deleteObject } from './deleteObject';
import type { InventoryEntry } from './inventory';
import { idOf, idText, type GroupKind } from './objectId';
import { controllerReference, type Owner } from './owner';
import { prune, type PruneMeans, type PruneReport } from './prune';
import { claim, clusterClient, configMap, makeOwner, workload } from './testing/cluster';

const cluster = sharedCluster();
let client: KubeClient;
let namespace: string;
let owner: Owner;

beforeAll(async () => {
  namespace = await cluster().freshNamespace('prune');
  client = clusterClient(cluster(), { namespace });
  owner = await makeOwner(client, RESOURCES.configmaps, 'owner');
});

function resourceOf({ kind }: GroupKind): Promise<ApiResource | undefined> {
  return Promise.resolve(Object.values<ApiResource>(RESOURCES).find((resource) => resource.kind === kind));
}

async function make(object: KubeObject, by = owner): Promise<InventoryEntry> {
  const resource = await resourceOf(idOf(object));
  if (!resource) throw new Error('unknown kind');
  const body = { ...object, metadata: { ...object.metadata, ownerReferences: [controllerReference(by)] } };
  const { metadata } = await client.create(resource, {}, body);
  return { ...idOf(object, namespace), uid: metadata.uid ?? '' };
}

async function run(
  inventory: readonly InventoryEntry[],
  kept: readonly InventoryEntry[] = [],
  means: Partial<PruneMeans> = {},
): Promise<PruneReport> {
  const rendered = new Set(kept.map(idText));
  return prune({ client, resourceOf, owner, mayAct: () => true, ...means }, inventory, rendered);
}

/** Runs again and again until no deletion is under way any more. */
async function runToTheEnd(
  inventory: readonly InventoryEntry[],
  kept: readonly InventoryEntry[] = [],
  means: Partial<PruneMeans> = {},
): Promise<PruneReport> {
  let report: PruneReport | undefined;
  await eventually(async () => {
    report = await run(inventory, kept, means);
    return report.pruned.every(({ outcome }) => outcome !== 'ending');
  }, 'the deletions to be done');
  if (!report) throw new Error('no report');
  return report;
}

function outcomes({ pruned }: PruneReport): readonly string[] {
  return pruned.map(({ entry, outcome }) => `${entry.name} ${outcome}`);
}

async function exists(resource: ApiResource, name: string): Promise<boolean> {
  return client.get(resource, { name }).then(
    () => true,
    () => false,
  );
}

describe('a prune', () => {
  it('deletes what is no longer rendered, keeps what is, and never deletes storage', async () => {
    const [web, settings, data, old] = [
      await make(workload('Deployment', 'web')),
      await make(configMap('settings', {})),
      await make(claim('data', 'ReadWriteOnce')),
      await make(configMap('old', {})),
    ];
    const report = await runToTheEnd([web, settings, data, old], [settings]);
    expect(outcomes(report)).toEqual(['web gone', 'data retained', 'old gone']);
    expect(report.inventory).toEqual([settings, data]);
    expect([
      await exists(RESOURCES.deployments, 'web'),
      await exists(RESOURCES.configmaps, 'settings'),
      await exists(RESOURCES.persistentvolumeclaims, 'data'),
      await exists(RESOURCES.configmaps, 'old'),
    ]).toEqual([false, true, true, false]);
  });

  it('finds what was about to be made, by its owner', async () => {
    const entry = await make(configMap('planned', {}));
    const never = { ...entry, name: 'never-made', uid: '' };
    expect(outcomes(await runToTheEnd([{ ...entry, uid: '' }, never]))).toEqual(['planned gone', 'never-made gone']);
    expect(await exists(RESOURCES.configmaps, 'planned')).toBe(false);
  });

  it('leaves alone what has only the name, or another owner by now', async () => {
    const other = await makeOwner(client, RESOURCES.configmaps, 'other');
    const adopted = await make(configMap('adopted', {}), other);
    const entry = await make(configMap('again', {}));
    await client.delete(RESOURCES.configmaps, { name: 'again' });
    await make(configMap('again', { by: 'hand' }));
    const report = await run([adopted, entry]);
    expect([outcomes(report), report.inventory]).toEqual([['adopted foreign', 'again gone'], []]);
    expect([await exists(RESOURCES.configmaps, 'adopted'), await exists(RESOURCES.configmaps, 'again')]).toEqual([
      true,
      true,
    ]);
  });

  it('keeps an entry until its object is gone', async () => {
    const entry = await make({
      ...configMap('held', {}),
      metadata: { name: 'held', finalizers: ['example.com/hold'] },
    });
    const first = await run([entry]);
    expect([outcomes(first), first.inventory]).toEqual([['held ending'], [entry]]);
    expect(outcomes(await run([entry]))).toEqual(['held ending']);
    await client.patch(
      RESOURCES.configmaps,
      { name: 'held' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
    const last = await runToTheEnd(first.inventory);
    expect([outcomes(last), last.inventory]).toEqual([['held gone'], []]);
  });

  it('takes the objects of a kind for gone that the cluster no longer serves', async () => {
    const entry = { group: 'example.com', kind: 'Missing', namespace, name: 'x', uid: '1' };
    expect(await run([entry])).toEqual({ pruned: [{ entry, outcome: 'gone' }], inventory: [] });
  });

  it('keeps what it could not delete, goes on with the rest, and tells why', async () => {
    const [locked, free] = [await make(configMap('locked', {})), await make(configMap('free', {}))];
    const { kubeconfig } = await cluster().serviceAccount({
      namespace,
      rules: [
        { apiGroups: [''], resources: ['configmaps'], verbs: ['get'] },
        { apiGroups: [''], resources: ['configmaps'], resourceNames: ['free'], verbs: ['delete'] },
      ],
    });
    const weak = clusterClient(cluster(), { kubeconfig, namespace });
    const report = await runToTheEnd([locked, free], [], { client: weak });
    expect([outcomes(report), report.inventory]).toEqual([['locked failed', 'free gone'], [locked]]);
    expect(report.pruned[0]?.error).toMatchObject({ code: 'k8s_forbidden' });
  });

  it('stops when this process may not act any more', async () => {
    const entry = await make(configMap('spared', {}));
    await expect(run([entry], [], { mayAct: () => false })).rejects.toMatchObject({ code: 'k8s_aborted' });
    expect(await exists(RESOURCES.configmaps, 'spared')).toBe(true);
  });
});

it('a deletion is of this very object: one that has its name by now stays', async () => {
  const before = await client.create(RESOURCES.configmaps, {}, configMap('exact', {}));
  await client.delete(RESOURCES.configmaps, { name: 'exact' });
  await client.create(RESOURCES.configmaps, {}, configMap('exact', { by: 'hand' }));
  expect(await deleteObject({ client }, RESOURCES.configmaps, before)).toBe('gone');
  expect((await client.get(RESOURCES.configmaps, { name: 'exact' })).data).toEqual({ by: 'hand' });
});
