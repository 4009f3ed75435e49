import { createHash } from 'node:crypto';
import { isRecord } from '../kube';

/** Fields that are rewritten all the time although nothing happened (conditions of Nodes and Pods). */
const HEARTBEATS: ReadonlySet<string> = new Set(['lastHeartbeatTime', 'lastProbeTime']);

/**
 * JSON with sorted keys and without heartbeat times: equal texts for equal meaning, also after an upgrade of the API
 * server that orders fields otherwise.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (!isRecord(value)) return value === undefined ? 'null' : JSON.stringify(value);
  const fields = Object.keys(value)
    .filter((key) => value[key] !== undefined && !HEARTBEATS.has(key))
    .sort()
    .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
  return `{${fields.join(',')}}`;
}

/** 48 bits of SHA-256 over the canonical JSON, 8 characters: tells two versions of one part of one object apart. */
export function digest(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('base64url').slice(0, 8);
}

/** SHA-256 over a list of texts (as JSON, so that no two lists run together), 43 characters. */
export function hash(parts: readonly (string | number)[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
