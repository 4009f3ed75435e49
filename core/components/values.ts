import { isRecord } from '../kube';
import type { ComponentSpec } from './resource/spec';

/** The values a chart is rendered with, or the path at which something is in the way of the name of a Secret. */
export type ChartValues = { readonly values: Readonly<Record<string, unknown>> } | { readonly conflict: string };

/** The values of the spec with the name of each Secret at its value path. What the Secrets hold is not known here. */
export function chartValues({ values = {}, secretRefs = [] }: ComponentSpec): ChartValues {
  const result = structuredClone(values);
  for (const { secretName, valuePath } of secretRefs) {
    if (!put(result, valuePath.split('.'), secretName)) return { conflict: valuePath };
  }
  return { values: result };
}

function put(values: Record<string, unknown>, path: readonly string[], text: string): boolean {
  const [name = '', ...rest] = path;
  const own = Object.hasOwn(values, name) ? values[name] : undefined;
  if (rest.length === 0) {
    if (isRecord(own)) return false;
    define(values, name, text);
    return true;
  }
  if (own === undefined || own === null) define(values, name, {});
  const inner = values[name];
  return isRecord(inner) && put(inner, rest, text);
}

/** Sets a field, whatever its name: one called `constructor` or `__proto__` is a field like any other. */
function define(values: Record<string, unknown>, name: string, value: unknown): void {
  Object.defineProperty(values, name, { value, enumerable: true, configurable: true, writable: true });
}
