/**
 * Reading of answers whose shape is the server's word only: each function gives what is there when it has the expected
 * type and nothing otherwise, so that an answer with a surprise in it never breaks an operation.
 */

/** The value at a path of own keys, or undefined. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, key)) return undefined;
    here = (here as Record<string | number, unknown>)[key];
  }
  return here;
}

/** The text at a path. */
export function textAt(value: unknown, ...path: readonly (string | number)[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** The number at a path. */
export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

/** The list at a path; empty when there is none. */
export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The texts by key at a path: labels, annotations, selectors. */
export function textsAt(value: unknown, ...path: readonly (string | number)[]): Record<string, string> {
  const found = at(value, ...path);
  if (typeof found !== 'object' || found === null || Array.isArray(found)) return {};
  return Object.fromEntries(
    Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

/** The condition of a type in `status.conditions`. */
export function conditionOf(object: unknown, type: string): unknown {
  return listAt(object, 'status', 'conditions').find((condition) => textAt(condition, 'type') === type);
}

/** Whether the condition of a type has status True. */
export function conditionIsTrue(object: unknown, type: string): boolean {
  return textAt(conditionOf(object, type), 'status') === 'True';
}

/** Leaves out the fields that have no value. */
export function defined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
