import { createHash } from 'node:crypto';
import { packInventory, unpackInventory, type Comparable } from '../../../../core/inventory';

/** Where the memory of the node has the inventories, by cluster. */
const KEY = 'inventories';
/** More clusters than this are not remembered: the one that was discovered longest ago goes first. */
const MAX_CLUSTERS = 4;

/** An inventory to compare with. */
interface Last {
  readonly discoveredAt: string;
  readonly comparable: Comparable;
}

/** The last inventory of a cluster that this node made. */
export function lastInventory(memory: Readonly<Record<string, unknown>>, server: string): Last | undefined {
  return unpackInventory(stored(memory).find(([cluster]) => cluster === clusterKey(server))?.[1]);
}

/**
 * Keeps an inventory until the next one. Where it is too large nothing is kept of the cluster: an older one would show what
 * changed before.
 * @returns whether it is kept
 */
export function keepInventory(memory: Record<string, unknown>, server: string, inventory: Last): boolean {
  const key = clusterKey(server);
  const text = packInventory(inventory);
  const others = stored(memory).filter(([cluster]) => cluster !== key);
  const kept = text === undefined ? others : [...others, [key, text] as const];
  // Assigned as a whole: n8n sees changes of the outermost level.
  memory[KEY] = Object.fromEntries(kept.slice(-MAX_CLUSTERS));
  return text !== undefined;
}

function stored(memory: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  const found = memory[KEY];
  return typeof found === 'object' && found !== null ? Object.entries(found) : [];
}

/** The address itself need not be in what n8n exports with the workflow; a letter keeps keys in their order. */
function clusterKey(server: string): string {
  return `c${createHash('sha256').update(server).digest('hex').slice(0, 16)}`;
}
