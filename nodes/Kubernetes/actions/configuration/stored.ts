import { isUtf8 } from 'node:buffer';
import type { KubeObject } from '../../../../core/kube';
import { textsAt } from '../../../shared/json';

/** The kinds that hold values by key. */
export type ConfigurationKind = 'configmap' | 'secret';

/** Where a kind has its values: texts as they are, or base64. */
export type Field = 'data' | 'binaryData';

/** A value as the API server stores it. */
export interface Stored {
  readonly field: Field;
  readonly text: string;
}

/** The fields of a kind, and whether each holds base64. */
const FIELDS: Readonly<Record<ConfigurationKind, readonly { readonly field: Field; readonly base64: boolean }[]>> = {
  configmap: [
    { field: 'data', base64: false },
    { field: 'binaryData', base64: true },
  ],
  secret: [{ field: 'data', base64: true }],
};

/** A value as a kind stores it: in a ConfigMap text stays text, as with kubectl. */
export function storedAs(kind: ConfigurationKind, value: Buffer): Stored {
  if (kind === 'configmap' && isUtf8(value)) return { field: 'data', text: value.toString('utf8') };
  return { field: kind === 'secret' ? 'data' : 'binaryData', text: value.toString('base64') };
}

/** All keys, in order. */
export function keysOf(kind: ConfigurationKind, object: KubeObject): readonly string[] {
  return FIELDS[kind].flatMap(({ field }) => Object.keys(textsAt(object, field))).sort();
}

/** What is stored under a key. */
export function storedIn(kind: ConfigurationKind, object: KubeObject, key: string): Stored | undefined {
  for (const { field } of FIELDS[kind]) {
    const texts = textsAt(object, field);
    const text = Object.hasOwn(texts, key) ? texts[key] : undefined;
    if (text !== undefined) return { field, text };
  }
  return undefined;
}

/** The value under a key. */
export function valueIn(kind: ConfigurationKind, object: KubeObject, key: string): Buffer | undefined {
  const stored = storedIn(kind, object, key);
  const base64 = FIELDS[kind].some(({ field, base64: encoded }) => field === stored?.field && encoded);
  return stored === undefined ? undefined : Buffer.from(stored.text, base64 ? 'base64' : 'utf8');
}

/** The merge patch that stores values and takes keys away; a key is in one field only. */
export function patchOf(
  kind: ConfigurationKind,
  values: ReadonlyMap<string, Stored>,
  removed: readonly string[] = [],
): Readonly<Record<string, Readonly<Record<string, string | null>>>> {
  const fields = FIELDS[kind].map(({ field }) => {
    const changes = [...values].map(([key, stored]) => [key, stored.field === field ? stored.text : null] as const);
    return [field, Object.fromEntries([...changes, ...removed.map((key) => [key, null] as const)])] as const;
  });
  return Object.fromEntries(fields);
}
