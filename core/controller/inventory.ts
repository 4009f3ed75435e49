import { isRecord } from '../kube';
import { idText, type ObjectId } from './objectId';

/**
 * An object that was made. An entry with uid '' is one that is about to be made: recorded before, so that it is found also
 * when the process ends in between.
 */
export interface InventoryEntry extends ObjectId {
  readonly uid: string;
}

/** More objects are not kept track of: a status must stay small. */
export const MAX_INVENTORY = 1000;
const MAX_TEXT = 253;

/** The inventory of a status that somebody may have written by hand: what is no entry is left out. */
export function readInventory(value: unknown): readonly InventoryEntry[] {
  if (!Array.isArray(value)) return [];
  return value.slice(0, MAX_INVENTORY).flatMap((entry: unknown) => {
    if (!isRecord(entry)) return [];
    const { group = '', kind, namespace = '', name, uid = '' } = entry;
    if (!isText(group) || !isText(kind) || !isText(namespace) || !isText(name) || !isText(uid)) return [];
    return kind === '' || name === '' ? [] : [{ group, kind, namespace, name, uid }];
  });
}

/**
 * The old inventory with newer entries in it, one an object, in a stable order. Nothing is taken out: that is for the prune
 * alone, once an object is gone.
 */
export function mergeInventory<Entry extends InventoryEntry>(
  before: readonly Entry[],
  made: readonly Entry[],
): readonly Entry[] {
  const entries = new Map(before.map((entry) => [idText(entry), entry]));
  for (const entry of made) {
    const id = idText(entry);
    const known = entries.get(id);
    // What is about to be made does not take the place of what is there.
    if (known === undefined || entry.uid !== '') entries.set(id, entry);
  }
  return [...entries].sort(([left], [right]) => (left < right ? -1 : 1)).map(([, entry]) => entry);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT;
}
