import type { NavinError } from '../errors';
import { parameterError } from './errors';
import { isRecord } from './kubeObject';

/** One step into an object. */
type Segment =
  | { readonly kind: 'key'; readonly key: string }
  | { readonly kind: 'index'; readonly index: number }
  | { readonly kind: 'match'; readonly key: string; readonly value: string };

/** A checked path to a field, for instance `spec.template.spec.containers[name=app].image`. */
export interface FieldPath {
  /** As the user wrote it. */
  readonly text: string;
  readonly segments: readonly Segment[];
}

const MAX_LENGTH = 200;
const MAX_SEGMENTS = 32;

/**
 * Reads a path: keys separated by dots (`spec.replicas`), keys with dots in brackets
 * (`metadata.labels["app.kubernetes.io/name"]`) or with escaped dots, items of lists by place (`[0]`) or by a field
 * (`[type=Ready]`). The same as kubectl takes it as JSONPath: `{.status.conditions[?(@.type=="Ready")].status}`.
 *
 * @throws NavinError `k8s_parameter_invalid` saying what is not understood, and where
 */
export function parseFieldPath(text: string): FieldPath {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed.length > MAX_LENGTH) throw invalid(`A field path has 1 to ${MAX_LENGTH} characters.`);
  let rest = (/^\{(.*)\}$/.exec(trimmed)?.[1] ?? trimmed).trim().replace(/^\$?\.?/, '');
  const segments: Segment[] = [];
  while (rest !== '') {
    const [segment, length] = nextSegment(rest, segments.length === 0, trimmed);
    segments.push(segment);
    rest = rest.slice(length);
  }
  if (segments.length === 0 || segments.length > MAX_SEGMENTS) {
    throw invalid(
      `The field path "${shown(trimmed)}" has ${segments.length} parts; 1 to ${MAX_SEGMENTS} are possible.`,
    );
  }
  return { text: trimmed, segments };
}

function nextSegment(rest: string, first: boolean, path: string): [Segment, number] {
  const quoted = /^\[(?:"([^"\n]+)"|'([^'\n]+)')\]/.exec(rest);
  if (quoted) return [{ kind: 'key', key: quoted[1] ?? quoted[2] ?? '' }, quoted[0].length];
  const index = /^\[(\d{1,6})\]/.exec(rest);
  if (index) return [{ kind: 'index', index: Number(index[1]) }, index[0].length];
  const match = /^\[([\w-]+)=([^\]\n]*)\]/.exec(rest);
  if (match) {
    const value = (match[2] ?? '').replace(/^(["'])(.*)\1$/, '$2');
    return [{ kind: 'match', key: match[1] ?? '', value }, match[0].length];
  }
  const filter = /^\[\?\(\s*@\.([\w-]+)\s*==\s*(?:"([^"\n]*)"|'([^'\n]*)')\s*\)\]/.exec(rest);
  if (filter) return [{ kind: 'match', key: filter[1] ?? '', value: filter[2] ?? filter[3] ?? '' }, filter[0].length];
  const key = (first ? /^((?:\\\.|[^.[\]\s{}])+)/ : /^\.((?:\\\.|[^.[\]\s{}])+)/).exec(rest);
  if (key && key[1] !== '*') return [{ kind: 'key', key: (key[1] ?? '').replaceAll('\\.', '.') }, key[0].length];
  throw invalid(
    `The field path "${shown(path)}" is not understood at "${shown(rest.slice(0, 20))}". Possible are spec.replicas, metadata.labels["a.b/c"], spec.containers[0].image and status.conditions[type=Ready].status.`,
  );
}

/** The value at a path; undefined when there is none. */
export function readField(object: unknown, path: FieldPath): unknown {
  let value: unknown = object;
  for (const segment of path.segments) {
    value = step(value, segment);
    if (value === undefined) return undefined;
  }
  return value;
}

function step(value: unknown, segment: Segment): unknown {
  switch (segment.kind) {
    case 'key':
      return isRecord(value) && Object.hasOwn(value, segment.key) ? value[segment.key] : undefined;
    case 'index':
      return Array.isArray(value) ? (value[segment.index] as unknown) : undefined;
    case 'match':
      return Array.isArray(value)
        ? value.find((item: unknown) => isRecord(item) && String(item[segment.key]) === segment.value)
        : undefined;
  }
}

/** The first key of a path: the part of the object it looks into. */
export function rootOf(path: FieldPath): string {
  const [first] = path.segments;
  return first?.kind === 'key' ? first.key : '';
}

function shown(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 80);
}

function invalid(message: string): NavinError {
  return parameterError('fields', message);
}
