import { isRecord } from '../kube';

/** Reading fields of objects whose form nobody has checked. */

type Fields = Readonly<Record<string, unknown>>;

/** The object at a path; an empty one when there is none. */
export function fields(value: unknown, ...path: readonly string[]): Fields {
  const found = at(value, ...path);
  return isRecord(found) ? found : {};
}

/** The objects of a list; what is none is left out. */
export function items(value: unknown, ...path: readonly string[]): readonly Fields[] {
  return list(value, ...path).filter(isRecord);
}

/** The list at a path; an empty one when there is none. */
export function list(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}

/** The text at a path. */
export function textAt(value: unknown, ...path: readonly string[]): string | undefined {
  const found = at(value, ...path);
  return typeof found === 'string' ? found : undefined;
}

/** The number at a path. */
export function numberAt(value: unknown, ...path: readonly string[]): number | undefined {
  const found = at(value, ...path);
  return typeof found === 'number' ? found : undefined;
}

/** What is at a path. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, name) => (isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined),
    value,
  );
}

/** An object without some of its fields. */
export function without<T extends object, K extends keyof T>(value: T, ...names: readonly K[]): Omit<T, K> {
  const left = Object.entries(value).filter(([name]) => !(names as readonly PropertyKey[]).includes(name));
  return Object.fromEntries(left) as Omit<T, K>;
}
