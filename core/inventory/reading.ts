import { isRecord } from '../kube';

/** Reading fields of answers whose form is the server's word only: what is of another type counts as absent. */

/** The value at a path of own keys. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) => (isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    value,
  );
}

/** The text at a path; an empty one counts as none. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' && found !== '' ? found : undefined;
}

/** The whole number at a path. */
export function countAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isSafeInteger(found) ? found : undefined;
}

/** The objects of the list at a path. */
export function recordsAt(value: unknown, ...path: readonly string[]): readonly Readonly<Record<string, unknown>>[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found.filter(isRecord) : [];
}

/** Texts by key at a path: labels, annotations. */
export function textsAt(value: unknown, ...path: readonly string[]): readonly (readonly [string, string])[] {
  const found = at(value, ...path);
  if (!isRecord(found)) return [];
  return Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
}

/** Leaves out the fields that have no value. */
export function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
