import type { OperationContext } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';
import { holdsMask } from '../../../shared/secretValues';
import { type ConfigurationKind, type Stored, storedAs } from './stored';

/** The most a ConfigMap or Secret holds. */
const MAX_BYTES = 1_048_576;
const LABEL = 'Keys';

/** A key to set, as the parameters say it. */
export interface Entry {
  readonly key: string;
  readonly from: 'text' | 'file' | 'base64';
  readonly value: string;
  readonly inputField: string;
}

/**
 * The values to store by key. No error holds a value.
 * @throws NavinError `k8s_parameter_invalid`
 */
export async function readEntries(
  kind: ConfigurationKind,
  entries: readonly Entry[],
  context: OperationContext,
): Promise<ReadonlyMap<string, Stored>> {
  const values = new Map<string, Stored>();
  for (const entry of entries) {
    const key = checkedKey(entry.key);
    if (values.has(key)) throw parameterInvalid('keys', LABEL, 'has the same key twice');
    values.set(key, storedAs(kind, await valueOf(kind, entry, context)));
  }
  if (values.size === 0) throw parameterInvalid('keys', LABEL, 'has no key');
  return values;
}

/** Keys as Kubernetes takes them. */
export function checkedKey(text: string): string {
  const key = text.trim();
  if (/^[-._a-zA-Z0-9]{1,253}$/.test(key) && key !== '.' && !key.startsWith('..')) return key;
  throw parameterInvalid(
    'keys',
    LABEL,
    'has a key that Kubernetes does not take: at most 253 letters, digits, -, _ and .',
  );
}

async function valueOf(kind: ConfigurationKind, entry: Entry, context: OperationContext): Promise<Buffer> {
  switch (entry.from) {
    case 'text':
      if (kind === 'secret' && holdsMask({ data: { value: entry.value } })) throw masked();
      return Buffer.from(entry.value, 'utf8');
    case 'base64':
      return decoded(entry.value);
    case 'file':
      return (await context.readFile(entry.inputField, MAX_BYTES)).data;
  }
}

function masked(): Error {
  return parameterInvalid(
    'keys',
    LABEL,
    'has a value that only stands for a masked one',
    "Take the value from where it is kept, or ask for it by 'Reveal Keys' of Secret: Get",
  );
}

/** Node decodes whatever it is given: what is no base64 must not be stored as something else. */
function decoded(text: string): Buffer {
  const base64 = text.replace(/\s+/g, '');
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(base64);
  if (!isBase64) throw parameterInvalid('keys', LABEL, 'has a value that is no base64');
  return Buffer.from(base64, 'base64');
}
