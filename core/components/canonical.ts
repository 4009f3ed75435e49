import { createHash } from 'node:crypto';
import { isRecord } from '../kube';

/** A value as JSON with sorted keys, so that the order in which somebody wrote them makes no difference. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, child: unknown) =>
    isRecord(child)
      ? Object.fromEntries(Object.entries(child).sort(([left], [right]) => (left < right ? -1 : 1)))
      : child,
  );
}

/** The SHA-256 of a value, 64 hex digits: the same for values that are equal as JSON. */
export function digestOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}
