import { isNavinError, NavinError } from '../errors';
import { isNotFound, type ApiResource, type KubeClient, type KubeObject } from '../kube';
import { deleteObject } from './deleteObject';
import type { InventoryEntry } from './inventory';
import { idText, type GroupKind } from './objectId';
import { isControlledBy, type Owner } from './owner';

/** What a prune works with. */
export interface PruneMeans {
  readonly client: Pick<KubeClient, 'get' | 'delete'>;
  /** The resource of a kind; undefined when the cluster does not serve it (any more). */
  readonly resourceOf: (kind: GroupKind, signal?: AbortSignal) => Promise<ApiResource | undefined>;
  readonly owner: Owner;
  /** Asked before each deletion: whether this process still is the one that acts. */
  readonly mayAct: () => boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What became of an entry. `gone`: there is no such object any more. `ending`: its deletion is under way. `retained`:
 * storage, which is never deleted. `foreign`: it is no longer ours, and left alone. `failed`: next time.
 */
export type PruneOutcome = 'gone' | 'ending' | 'retained' | 'foreign' | 'failed';

/** An entry that is not rendered any more. */
export interface Pruned<Entry extends InventoryEntry = InventoryEntry> {
  readonly entry: Entry;
  readonly outcome: PruneOutcome;
  readonly error?: unknown;
}

/** The outcome of a prune. */
export interface PruneReport<Entry extends InventoryEntry = InventoryEntry> {
  readonly pruned: readonly Pruned<Entry>[];
  /** The inventory from now on: all but what is gone or no longer ours. */
  readonly inventory: readonly Entry[];
}

/**
 * Deletes what is in the inventory and no longer rendered: only by uid, only what this owner controls, and never a
 * PersistentVolumeClaim. An entry stays until its object is known to be gone, so that a deletion that fails is made again.
 *
 * @param rendered what is to stay, by {@link idText}
 * @throws NavinError `k8s_aborted` when this process may not act any more
 */
export async function prune<Entry extends InventoryEntry>(
  means: PruneMeans,
  inventory: readonly Entry[],
  rendered: ReadonlySet<string>,
): Promise<PruneReport<Entry>> {
  const kept: Entry[] = [];
  const pruned: Pruned<Entry>[] = [];
  for (const entry of inventory) {
    if (rendered.has(idText(entry))) {
      kept.push(entry);
      continue;
    }
    const result = await remove(means, entry);
    pruned.push(result);
    if (result.outcome !== 'gone' && result.outcome !== 'foreign') kept.push(entry);
  }
  return { pruned, inventory: kept };
}

async function remove<Entry extends InventoryEntry>(means: PruneMeans, entry: Entry): Promise<Pruned<Entry>> {
  const { client, resourceOf, mayAct, signal } = means;
  try {
    const resource = await resourceOf(entry, signal);
    // With its definition all its objects are gone.
    if (!resource) return { entry, outcome: 'gone' };
    const ref = { namespace: entry.namespace === '' ? undefined : entry.namespace, name: entry.name };
    const live = await client.get(resource, ref, { signal });
    const settled = judge(entry, live, means.owner);
    if (settled) return { entry, outcome: settled };
    if (!mayAct()) throw new NavinError('k8s_aborted', 'Stopped: another process acts now, or may soon.');
    return { entry, outcome: await deleteObject({ client, signal }, resource, live) };
  } catch (error) {
    if (isNavinError(error) && error.code === 'k8s_aborted') throw error;
    if (isNotFound(error)) return { entry, outcome: 'gone' };
    return { entry, outcome: 'failed', error };
  }
}

/** What is clear without a deletion; undefined: it has to be deleted. */
function judge(entry: InventoryEntry, live: KubeObject, owner: Owner): PruneOutcome | undefined {
  // Another object has the name now: ours is gone.
  if (entry.uid !== '' && live.metadata.uid !== entry.uid) return 'gone';
  if (!isControlledBy(live, owner)) return 'foreign';
  if (entry.group === '' && entry.kind === 'PersistentVolumeClaim') return 'retained';
  return live.metadata.deletionTimestamp === undefined ? undefined : 'ending';
}
