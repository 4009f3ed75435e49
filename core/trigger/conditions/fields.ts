import { isRecord, type KubeObject } from '../../kube';

/** A JSON object, or an empty one. */
export function recordAt(object: Readonly<Record<string, unknown>>, field: string): Readonly<Record<string, unknown>> {
  const value = object[field];
  return isRecord(value) ? value : {};
}

/** The JSON objects of a list; whatever else is in it is left out. */
export function recordsAt(
  object: Readonly<Record<string, unknown>>,
  field: string,
): readonly Readonly<Record<string, unknown>>[] {
  const value = object[field];
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** A text, cut to a length that fits into an item; undefined when it is none or empty. */
export function textAt(object: Readonly<Record<string, unknown>>, field: string, max = 500): string | undefined {
  const value = object[field];
  return typeof value === 'string' && value !== '' ? value.slice(0, max) : undefined;
}

/** A number; 0 when there is none. */
export function numberAt(object: Readonly<Record<string, unknown>>, field: string): number {
  const value = object[field];
  return typeof value === 'number' && Number.isFinite(value) ? value : 0;
}

/** A condition of `status.conditions` by its type. */
export function conditionOf(object: KubeObject, type: string): Readonly<Record<string, unknown>> | undefined {
  return recordsAt(recordAt(object, 'status'), 'conditions').find((condition) => condition.type === type);
}

/** Facts without those that are not known. */
export function known<T>(facts: Readonly<Record<string, T | undefined>>): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(facts).filter((entry): entry is [string, T] => entry[1] !== undefined));
}
