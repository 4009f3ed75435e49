import type { JsonValue } from '../errors';
import { isRecord, readField, type KubeObject } from '../kube';
import { digest } from './digest';
import { escapeText, packUid, unescapeText, unpackUid } from './rowText';
import type { CheckedSettings } from './settings';

/** What is remembered of one known object: enough to see a change and to tell of its deletion. */
export interface Facts {
  readonly version: string;
  /** With a selector: the version at which it came in. Tells one stay in the selector from the next. */
  readonly entry: string;
  /** `g` + generation, `d` + digest of the spec, or `c` + count of an Event; '' when not needed or not known. */
  readonly spec: string;
  /** `d` + digest of the status; '' when not needed or not known. */
  readonly status: string;
  /** The chosen fields as stored, see {@link storedValue}; undefined when not known. */
  readonly values: readonly string[] | undefined;
  readonly namespace: string;
  readonly name: string;
  /** How it is written into the state. */
  readonly row: string;
  /** The chosen fields as they were, too long for the state: kept in this process only. */
  readonly recent?: readonly (JsonValue | undefined)[];
}

/** A value longer than this is stored as its digest: then the previous value is not known after a restart. */
const MAX_VALUE = 80;
const MAX_RECENT = 4096;

/** What the settings need to remember of an object. `partial`: only its metadata are known. */
export function factsOf(object: KubeObject, entry: string, settings: CheckedSettings, partial: boolean): Facts {
  const { metadata } = object;
  const values = settings.modifiedWhen === 'fields' && !partial ? fieldValues(object, settings) : undefined;
  const facts = {
    version: metadata.resourceVersion ?? '',
    entry: settings.selective ? entry : '',
    spec: specMark(object, settings, partial),
    status: settings.modifiedWhen === 'status' && !partial ? `d${digest(object.status)}` : '',
    values: values?.stored,
    namespace: metadata.namespace ?? '',
    name: metadata.name ?? '',
  };
  const kept = { ...facts, row: writeRow(metadata.uid ?? '', facts) };
  return values?.recent === undefined ? kept : { ...kept, recent: values.recent };
}

/** The same facts without what depends on the choice of modifications: that is not comparable after the choice changed. */
export function withoutDetails(uid: string, facts: Facts): Facts {
  const { recent, ...kept } = facts;
  void recent;
  const bare = { ...kept, spec: facts.spec.startsWith('c') ? facts.spec : '', status: '', values: undefined };
  return { ...bare, row: writeRow(uid, bare) };
}

function specMark(object: KubeObject, settings: CheckedSettings, partial: boolean): string {
  if (settings.events) return `c${eventCount(object)}`;
  if (settings.modifiedWhen !== 'spec') return '';
  const { generation } = object.metadata;
  if (generation !== undefined && generation > 0) return `g${generation}`;
  if (partial) return '';
  const { apiVersion, kind, metadata, status, ...rest } = object;
  void [apiVersion, kind, metadata, status];
  return `d${digest(rest)}`;
}

/** How often an Event has happened, in both APIs: a repetition raises it, other writes do not. */
export function eventCount(event: KubeObject): number {
  const series = isRecord(event.series) ? event.series : {};
  const counts = [series.count, event.count, event.deprecatedCount];
  return counts.find((count): count is number => typeof count === 'number' && count > 0) ?? 1;
}

interface FieldValues {
  readonly stored: readonly string[];
  readonly recent: readonly (JsonValue | undefined)[] | undefined;
}

function fieldValues(object: KubeObject, settings: CheckedSettings): FieldValues {
  const values = settings.fields.map((path) => readField(object, path) as JsonValue | undefined);
  const stored = values.map(storedValue);
  const lost = stored.some((value) => value.startsWith('#'));
  const size = lost ? JSON.stringify(values).length : 0;
  return { stored, recent: lost && size <= MAX_RECENT ? values : undefined };
}

/** '' absent; `s` + text; `j` + JSON; `#` + digest of what is too long to be kept. */
export function storedValue(value: JsonValue | undefined): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? `s${value}` : `j${JSON.stringify(value)}`;
  return escapeText(text).length <= MAX_VALUE ? text : `#${digest(value)}`;
}

/** The value a stored text stands for; `known: false` when only its digest was kept. */
export function restoredValue(stored: string): { readonly known: boolean; readonly value?: JsonValue } {
  if (stored === '') return { known: true };
  if (stored.startsWith('s')) return { known: true, value: stored.slice(1) };
  if (!stored.startsWith('j')) return { known: false };
  try {
    return { known: true, value: JSON.parse(stored.slice(1)) as JsonValue };
  } catch {
    return { known: false };
  }
}

function writeRow(uid: string, facts: Omit<Facts, 'row'>): string {
  const fixed = [facts.version, facts.entry, facts.spec, facts.status, facts.namespace, facts.name].map(escapeText);
  const values = facts.values === undefined ? [] : ['v', ...facts.values.map(escapeText)];
  return [packUid(uid), ...fixed, ...values].join(',');
}

/** Reads a row; undefined when it is none. Never throws. */
export function readRow(row: string): readonly [string, Facts] | undefined {
  const parts = row.split(',');
  const uid = unpackUid(parts[0] ?? '');
  if (uid === undefined || parts.length < 7 || (parts.length > 7 && parts[7] !== 'v')) return undefined;
  const [version = '', entry = '', spec = '', status = '', namespace = '', name = ''] = parts
    .slice(1, 7)
    .map(unescapeText);
  if (version === '') return undefined;
  const values = parts.length > 7 ? parts.slice(8).map(unescapeText) : undefined;
  return [uid, { version, entry, spec, status, values, namespace, name, row }];
}
