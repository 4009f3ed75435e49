import { type Comparable, COMPARED_PARTS, type ComparedPart, type Fields, type Objects } from './comparable';

/** Something that is another than it was. */
export interface Change {
  readonly part: ComparedPart;
  /** The object; `cluster` for what is there once. */
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  /** Of what changed; empty for what came or went. */
  readonly fields: readonly FieldChange[];
}

/** A field and its values; null where it had or has none. */
export interface FieldChange {
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What changed from one inventory to another. */
export interface Changes {
  readonly changes: readonly Change[];
  /** Parts that were read in one of the two only: nothing is said of them. */
  readonly notCompared: readonly ComparedPart[];
}

/** Compares two inventories, part by part and name by name. */
export function compareInventories(before: Comparable, after: Comparable): Changes {
  const notCompared = COMPARED_PARTS.filter((part) => before.has(part) !== after.has(part));
  const changes = COMPARED_PARTS.flatMap((part) => {
    const [old, now] = [before.get(part), after.get(part)];
    return old === undefined || now === undefined ? [] : objectChanges(part, old, now);
  });
  return { changes, notCompared };
}

function objectChanges(part: ComparedPart, before: Objects, after: Objects): readonly Change[] {
  const names = [...new Set([...before.keys(), ...after.keys()])].sort();
  return names.flatMap((name): readonly Change[] => {
    const [old, now] = [before.get(name), after.get(name)];
    if (old === undefined) return [{ part, name, change: 'added', fields: [] }];
    if (now === undefined) return [{ part, name, change: 'removed', fields: [] }];
    const fields = fieldChanges(old, now);
    return fields.length === 0 ? [] : [{ part, name, change: 'changed', fields }];
  });
}

function fieldChanges(before: Fields, after: Fields): readonly FieldChange[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((field) => before.get(field) !== after.get(field))
    .map((field) => ({ field, before: before.get(field) ?? null, after: after.get(field) ?? null }));
}
