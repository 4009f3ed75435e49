import type { JsonValue } from '../errors';
import { readField, type KubeObject } from '../kube';
import { restoredValue, storedValue, type Facts } from './facts';
import type { CheckedSettings } from './settings';
import type { FieldChange } from './triggerEvent';

/** Whether a modification is one of those the user wants. */
export interface Comparison {
  readonly counts: boolean;
  /** It cannot be told, so it counts: better once too often than never. */
  readonly unknown: boolean;
  readonly changed?: readonly FieldChange[];
  /** What all fields were, by path, where not all of them count. */
  readonly before?: Readonly<Record<string, JsonValue>>;
}

const CANNOT_TELL: Comparison = { counts: true, unknown: true };
const NO: Comparison = { counts: false, unknown: false };

/** Compares what is known of an object with what it is now. */
export function compareFacts(
  before: Facts | undefined,
  after: Facts,
  object: KubeObject,
  settings: CheckedSettings,
  partial: boolean,
): Comparison {
  // An Event with the same count is the same Event, whatever else was written into it.
  if (settings.events && before?.spec === after.spec) return NO;
  switch (settings.modifiedWhen) {
    case 'any':
      return { counts: true, unknown: false };
    case 'spec':
      return compareMarks(before?.spec, after.spec);
    case 'status':
      return compareMarks(before?.status, after.status);
    case 'fields':
      return partial ? CANNOT_TELL : compareFields(before, after, object, settings);
  }
}

function compareMarks(before: string | undefined, after: string): Comparison {
  // A generation and a digest cannot be compared (an API server that began to count generations).
  if (before === undefined || before === '' || !after.startsWith(before.slice(0, 1))) return CANNOT_TELL;
  return before === after ? NO : { counts: true, unknown: false };
}

function compareFields(
  before: Facts | undefined,
  after: Facts,
  object: KubeObject,
  settings: CheckedSettings,
): Comparison {
  const earlier = before?.values;
  const now = after.values ?? [];
  const known = earlier?.length === settings.fields.length;
  const changed = settings.fields.flatMap((path, at): FieldChange[] => {
    if (settings.counting?.has(path.text) === false) return [];
    if (known && earlier[at] === now[at]) return [];
    const current = readField(object, path) as JsonValue | undefined;
    const previous = known ? previousOf(before, earlier[at] ?? '', at) : { known: false };
    if (!known && storedValue(current) === '') return [];
    return [
      {
        path: path.text,
        ...(previous.known ? optional('previous', previous.value) : { previousUnknown: true }),
        ...optional('current', current),
      },
    ];
  });
  if (known && changed.length === 0) return NO;
  const whole = known && settings.counting !== undefined;
  return { counts: true, unknown: !known, changed, ...(whole ? { before: valuesBefore(before, settings) } : {}) };
}

/** What all fields were; what was not there, or is not known any more, is left out. */
function valuesBefore(before: Facts | undefined, { fields }: CheckedSettings): Readonly<Record<string, JsonValue>> {
  const values = fields.flatMap((path, at): (readonly [string, JsonValue])[] => {
    const { value } = previousOf(before, before?.values?.[at] ?? '', at);
    return value === undefined ? [] : [[path.text, value]];
  });
  return Object.fromEntries(values);
}

function previousOf(before: Facts | undefined, stored: string, at: number): { known: boolean; value?: JsonValue } {
  if (!stored.startsWith('#') || before?.recent === undefined) return restoredValue(stored);
  const value = before.recent[at];
  return value === undefined ? { known: true } : { known: true, value };
}

function optional<Name extends string>(name: Name, value: JsonValue | undefined): Partial<Record<Name, JsonValue>> {
  return value === undefined ? {} : ({ [name]: value } as Record<Name, JsonValue>);
}
