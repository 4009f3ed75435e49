import type { KubeObject } from '../../kube';
import { items, textAt } from '../fields';
import { controllerOf, isAutoscaler, isWorkload, keyOf, type Ref } from '../objects';
import type { InventoryEntry } from '../resource/status';
import { heldFields } from './ownership';
import type { Action, Observed } from './types';

/** The inventory of a component by key. */
export type Inventory = ReadonlyMap<string, InventoryEntry>;

/** What was applied and is no longer wanted. */
export interface Pruning {
  /** What stays listed: failed and pending deletions, and what is retained. */
  readonly kept: readonly InventoryEntry[];
  readonly actions: readonly Action[];
  /** Whether an autoscaler still has to go: until then it would undo what is set. */
  readonly hasAutoscaler: boolean;
  /** Whether anything still has to go. */
  readonly isPending: boolean;
}

/** How far a pass has come: what may be pruned follows from it. */
export interface Progress {
  /** Everything that is wanted is applied. */
  readonly isApplied: boolean;
  /** All workloads are rolled out: no old Pod needs anything any more. */
  readonly isSettled: boolean;
}

export function inventoryOf(entries: readonly InventoryEntry[] = []): Inventory {
  return new Map(entries.map((entry) => [keyOf(entry), entry]));
}

/** Entries whose object was hand-deleted, or of whose fields somebody took some. */
export function drifted(inventory: Inventory, live: Observed['live']): readonly InventoryEntry[] {
  return [...inventory.values()].filter((entry) => {
    if (entry.fields === undefined || entry.retained === true) return false;
    const object = live.get(keyOf(entry));
    if (object === undefined) return false;
    if (object === 'absent') return true;
    const fields = heldFields(object);
    return fields !== undefined && fields !== entry.fields;
  });
}

/**
 * What of the inventory is no longer wanted, and what may go now. Only what is controlled by the component goes, by its
 * uid; a PersistentVolumeClaim never does. An autoscaler goes first, a budget when its successor is there, everything
 * else when the last old Pod is gone.
 */
export function prune(
  inventory: Inventory,
  wanted: ReadonlySet<string>,
  { live, component }: Observed,
  progress: Progress,
): Pruning {
  const kept: InventoryEntry[] = [];
  const actions: Action[] = [];
  let [hasAutoscaler, isPending] = [false, false];
  for (const [key, entry] of inventory) {
    if (wanted.has(key)) continue;
    const object = live.get(key);
    if (object === 'absent' || (object !== undefined && controllerOf(object) !== component.metadata.uid)) continue;
    if (entry.kind === 'PersistentVolumeClaim') {
      kept.push({ ...entry, retained: true });
      continue;
    }
    kept.push(entry);
    isPending = true;
    hasAutoscaler ||= isAutoscaler(entry.kind);
    if (object === undefined || object.metadata.deletionTimestamp !== undefined) continue;
    if (mayGo(entry.kind, progress)) actions.push(deletion(entry, object));
  }
  return { kept, actions, hasAutoscaler, isPending };
}

/** The deletion of a live object. */
export function deletion(ref: Ref, object: KubeObject): Action {
  const { group, version, kind, name } = ref;
  const { uid = '' } = object.metadata;
  return { type: 'delete', ref: { group, version, kind, name }, uid, disruptive: isWorkload(kind) };
}

/** The claims a StatefulSet leaves behind, as patterns: `data-db-*`. */
export function leftClaims(object: KubeObject): readonly string[] {
  if (object.kind !== 'StatefulSet') return [];
  return items(object.spec, 'volumeClaimTemplates').flatMap((template) => {
    const name = textAt(template, 'metadata', 'name');
    return name === undefined ? [] : [`${name}-${object.metadata.name ?? ''}`.slice(0, 250) + '-*'];
  });
}

function mayGo(kind: string, { isApplied, isSettled }: Progress): boolean {
  if (isAutoscaler(kind)) return true;
  if (kind === 'PodDisruptionBudget') return isApplied;
  return isApplied && isSettled;
}
