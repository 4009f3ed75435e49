import { gunzipSync, gzipSync } from 'node:zlib';
import { isRecord } from '../kube';
import { type Comparable, COMPARED_PARTS, type ComparedPart } from './comparable';

/** An inventory as it is kept until the next one: what is compared of it, and when it was made. */
export interface Kept {
  /** RFC 3339. */
  readonly discoveredAt: string;
  readonly comparable: Comparable;
}

/**
 * The longest text that is kept. n8n stores it with the workflow and reads it at each execution; 500 nodes take about 20 KiB,
 * because nodes are much alike.
 */
export const MAX_KEPT = 128 * 1024;
/** What it unpacks to at most, whoever wrote it. */
const MAX_UNPACKED = 32 * 1024 * 1024;

/** As a text; undefined when it would be longer than {@link MAX_KEPT}. */
export function packInventory({ discoveredAt, comparable }: Kept): string | undefined {
  const parts = [...comparable].map(([part, objects]) => [
    part,
    [...objects].map(([name, fields]) => [name, [...fields]]),
  ]);
  const text = gzipSync(JSON.stringify({ v: 1, discoveredAt, parts })).toString('base64');
  return text.length > MAX_KEPT ? undefined : text;
}

/** Reads it back; undefined for anything else, because whoever may edit the workflow may have written it. */
export function unpackInventory(text: unknown): Kept | undefined {
  if (typeof text !== 'string' || text.length > MAX_KEPT) return undefined;
  const stored = parsed(text);
  if (!isRecord(stored) || stored.v !== 1 || typeof stored.discoveredAt !== 'string') return undefined;
  const parts = pairsOf(stored.parts).flatMap(([part, objects]) =>
    isPart(part)
      ? [[part, new Map(pairsOf(objects).map(([name, fields]) => [name, new Map(textPairs(fields))]))] as const]
      : [],
  );
  return { discoveredAt: stored.discoveredAt.slice(0, 64), comparable: new Map(parts) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(gunzipSync(Buffer.from(text, 'base64'), { maxOutputLength: MAX_UNPACKED }).toString());
  } catch {
    return undefined;
  }
}

function isPart(name: string): name is ComparedPart {
  return (COMPARED_PARTS as readonly string[]).includes(name);
}

function pairsOf(value: unknown): readonly (readonly [string, unknown])[] {
  if (!Array.isArray(value)) return [];
  return value.filter((pair): pair is [string, unknown] => Array.isArray(pair) && typeof pair[0] === 'string');
}

function textPairs(value: unknown): readonly (readonly [string, string])[] {
  return pairsOf(value).filter((pair): pair is readonly [string, string] => typeof pair[1] === 'string');
}
