import { type Changes, type Comparable, comparableOf, compareInventories } from '../../../../core/inventory';
import { parameterInvalid } from '../../../shared/parameters';

/** What changed, for workflows: `changed` to decide by, numbers to tell, and the changes one by one. */
export interface ChangesOutput extends Changes {
  /** When the inventory was made that is compared with; null where there is none. */
  readonly since: string | null;
  readonly changed: boolean;
  readonly added: number;
  readonly removed: number;
  readonly modified: number;
}

/** Compares, where there is something to compare with. */
export function changesSince(
  before: { readonly discoveredAt: string | null; readonly comparable: Comparable } | undefined,
  after: Comparable,
): ChangesOutput {
  const { changes, notCompared } =
    before === undefined ? { changes: [], notCompared: [] } : compareInventories(before.comparable, after);
  const count = (kind: string): number => changes.filter(({ change }) => change === kind).length;
  return {
    since: before?.discoveredAt ?? null,
    changed: changes.length > 0,
    added: count('added'),
    removed: count('removed'),
    modified: count('changed'),
    changes,
    notCompared,
  };
}

/** An item for each change. */
export function changeItems(server: unknown, { since, changes }: ChangesOutput): readonly object[] {
  return changes.map((change) => ({ ...(typeof server === 'string' && { server }), since, ...change }));
}

/**
 * An inventory that a parameter holds as JSON.
 * @throws NavinError `k8s_parameter_invalid`
 */
export function givenInventory(text: string, parameter: string, label: string) {
  return inventoryOf(parsed(text, parameter, label), parameter, label);
}

/** An inventory from anywhere. @throws NavinError `k8s_parameter_invalid` */
export function inventoryOf(value: unknown, parameter: string, label: string) {
  const comparable = comparableOf(value);
  if (comparable === undefined) {
    throw parameterInvalid(parameter, label, 'is no inventory', 'Give the whole item that Discover gave');
  }
  const { discoveredAt, server } = value as { readonly discoveredAt?: unknown; readonly server?: unknown };
  return { comparable, server, discoveredAt: typeof discoveredAt === 'string' ? discoveredAt : null };
}

function parsed(text: string, parameter: string, label: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw parameterInvalid(parameter, label, 'is not JSON', 'Give the whole item that Discover gave');
  }
}
