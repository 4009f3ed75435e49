import { isRecord } from '../kube';
import { readRow } from './facts';
import { readMemory } from './memory';
import { TriggerState, type RelistCause, type ScopeState } from './state';
import type { CheckedSettings } from './settings';
import type { Tracked } from './tracked';

/**
 * A state as it is stored: one flat JSON object. It is made anew for every save and never changed, because n8n writes it
 * out some time after it was given.
 */
export interface StoredState {
  readonly v: 1;
  /** Owner, lineage, collection, filter. */
  readonly o: string;
  readonly l: string;
  readonly c: string;
  readonly f: string;
  /** Number of commits, epoch. */
  readonly n: number;
  readonly e: number;
  /** Server and uid of the cluster. */
  readonly s?: string;
  readonly u?: string;
  /** Newest creationTimestamp. */
  readonly t: string;
  /** Scopes: name, cursor, cause of a relist, overflow. */
  readonly p: readonly (readonly [string, string, string, 0 | 1])[];
  /** Rows of known objects and of incidents, one a line. */
  readonly k: string;
  readonly i: string;
}

/** Why a stored state cannot be gone on from. */
export type StateProblem =
  /** There is none: the first activation, or somebody cleared it. */
  | 'absent'
  /** It is of another workflow or node: imported or copied. */
  | 'foreign'
  /** Another resource, namespaces or selectors were chosen. */
  | 'other-collection'
  /** Written by a newer version of this package. */
  | 'newer'
  /** It is damaged, or was never ours. */
  | 'damaged';

/** A stored state, read, or why it cannot be used. */
export type ReadState = { readonly state: TriggerState } | { readonly problem: StateProblem };

const CAUSES: ReadonlySet<string> = new Set(['seed', 'reseed', 'expired', 'restored', 'cluster', 'filter', 'oversize']);
const MAX_TEXT = 4 * 1024 * 1024;

/** Writes a state. */
export function writeState(state: TriggerState): StoredState {
  const { owner, lineage, collection } = state.identity;
  return {
    v: 1,
    o: owner,
    l: lineage,
    c: collection,
    f: state.filter,
    n: state.commits,
    e: state.epoch,
    ...(state.cluster === undefined ? {} : { s: state.cluster.server }),
    ...(state.cluster?.uid === undefined ? {} : { u: state.cluster.uid }),
    t: state.newestCreation,
    p: [...state.scopes].map(
      ([name, scope]) => [name, scope.cursor, scope.relist ?? '', scope.overflow ? 1 : 0] as const,
    ),
    k: rowsOf([...state.scopes.values()].map(({ known }) => known)),
    i: rowsOf([...state.scopes.values()].map(({ incidents }) => incidents)),
  };
}

/**
 * Reads what is stored, whatever it is. Never throws. Rows that cannot be read make the whole state `damaged`: a missing
 * row would let a change go by unseen.
 */
export function readState(stored: unknown, owner: string, settings: CheckedSettings): ReadState {
  if (stored === undefined || stored === null) return { problem: 'absent' };
  if (!isRecord(stored)) return { problem: 'damaged' };
  if (typeof stored.v === 'number' && stored.v > 1) return { problem: 'newer' };
  const fields = parseFields(stored);
  if (!fields) return { problem: 'damaged' };
  if (fields.o !== owner) return { problem: 'foreign' };
  if (fields.c !== settings.collection) return { problem: 'other-collection' };
  const state = new TriggerState({ owner, lineage: fields.l, collection: fields.c }, settings.scopes, settings.tracked);
  state.commits = fields.n;
  state.epoch = fields.e;
  state.filter = fields.f;
  state.cluster = fields.s === undefined ? undefined : { server: fields.s, uid: fields.u };
  state.newestCreation = fields.t;
  for (const [name, scope] of state.scopes) {
    const stored = fields.p.get(name);
    if (!stored) return { problem: 'damaged' };
    Object.assign(scope, stored);
  }
  const known = readRows(fields.k, readRow, (namespace) => scopeOf(state, namespace)?.known, state);
  const incidents = readRows(fields.i, readMemory, (namespace) => scopeOf(state, namespace)?.incidents, state);
  return known && incidents ? { state } : { problem: 'damaged' };
}

/** The scope an object of a namespace belongs to. */
function scopeOf(state: TriggerState, namespace: string): ScopeState | undefined {
  return state.scopes.get(namespace) ?? state.scopes.get('');
}

type StoredScope = Pick<ScopeState, 'cursor' | 'relist' | 'overflow'>;
type Fields = Omit<StoredState, 'p'> & { readonly p: ReadonlyMap<string, StoredScope> };

function parseFields(stored: Readonly<Record<string, unknown>>): Fields | undefined {
  const { v, o, l, c, f, n, e, s, u, t, p, k, i } = stored;
  if (v !== 1 || !isText(o) || !isText(l) || !isText(c) || !isText(f) || !isText(t)) return undefined;
  if (!isCount(n) || !isCount(e) || !isText(k) || !isText(i)) return undefined;
  if ((s !== undefined && !isText(s)) || (u !== undefined && !isText(u))) return undefined;
  const scopes = parseScopes(p);
  if (!scopes) return undefined;
  return {
    v,
    o,
    l,
    c,
    f,
    n,
    e,
    t,
    k,
    i,
    p: scopes,
    ...(s === undefined ? {} : { s }),
    ...(u === undefined ? {} : { u }),
  };
}

function parseScopes(value: unknown): ReadonlyMap<string, StoredScope> | undefined {
  if (!Array.isArray(value) || value.length > 1000) return undefined;
  const scopes = new Map<string, StoredScope>();
  for (const entry of value as unknown[]) {
    if (!Array.isArray(entry)) return undefined;
    const [name, cursor, cause, overflow] = entry as unknown[];
    if (!isText(name) || !isText(cursor) || !isText(cause) || (overflow !== 0 && overflow !== 1)) return undefined;
    if (cause !== '' && !CAUSES.has(cause)) return undefined;
    if (cursor === '' && cause === '') return undefined;
    if (cursor !== '' && !/^[\w.-]{1,128}$/.test(cursor)) return undefined;
    scopes.set(name, {
      cursor,
      relist: cause === '' ? undefined : (cause as RelistCause),
      overflow: overflow === 1,
    });
  }
  return scopes;
}

function rowsOf(parts: readonly Tracked<{ readonly row: string }>[]): string {
  const rows: string[] = [];
  for (const part of parts) for (const [, entry] of part) rows.push(entry.row);
  return rows.join('\n');
}

/** False when a row cannot be read. One that does not fit (the user tracks fewer objects now) is let go. */
function readRows<Entry extends { readonly row: string; readonly namespace: string }>(
  text: string,
  read: (row: string) => readonly [string, Entry] | undefined,
  placeOf: (namespace: string) => Tracked<Entry> | undefined,
  state: TriggerState,
): boolean {
  if (text === '') return true;
  for (const row of text.split('\n')) {
    const [uid, entry] = read(row) ?? [];
    const place = entry && placeOf(entry.namespace);
    if (uid === undefined || !entry || !place) return false;
    if (place.fits(uid, entry)) place.put(uid, entry);
    else Object.assign(scopeOf(state, entry.namespace) ?? {}, { overflow: true });
  }
  return true;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT;
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
