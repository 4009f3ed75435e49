import { isRecord } from '../../core/kube';

/** A field that differs, as a path like `spec.template.spec.containers[name=app].image`. */
export interface FieldChange {
  readonly path: string;
  /** Absent: the field was not there. */
  readonly before?: unknown;
  /** Absent: the field is not there any more. */
  readonly after?: unknown;
}

/** A value, and what may be shown of it, which has the same shape. */
export interface Shown {
  readonly value: unknown;
  readonly shown: unknown;
}

/**
 * What differs between two values, field by field. Lists of objects with names are compared by name
 * while they keep their order, others by place.
 * @param most so many changes are listed at most
 */
export function fieldChanges(before: Shown, after: Shown, most: number): readonly FieldChange[] {
  const found: FieldChange[] = [];
  collect('', before, after, found, most);
  return found;
}

function collect(path: string, before: Shown, after: Shown, found: FieldChange[], most: number): void {
  if (found.length >= most || before.value === after.value) return;
  const fields = fieldsOf(before.value, after.value);
  if (fields === undefined) {
    found.push({
      path,
      ...(before.value === undefined ? {} : { before: before.shown }),
      ...(after.value === undefined ? {} : { after: after.shown }),
    });
    return;
  }
  for (const { step, read } of fields) {
    const [old, now] = [before, after].map(({ value, shown }) => ({ value: read(value), shown: read(shown) }));
    if (old !== undefined && now !== undefined) collect(joined(path, step), old, now, found, most);
  }
}

/** A step into both values. */
interface Field {
  readonly step: string;
  readonly read: (value: unknown) => unknown;
}

/** The fields two values can be compared by; undefined when they have none in common. */
function fieldsOf(before: unknown, after: unknown): readonly Field[] | undefined {
  if (isRecord(before) && isRecord(after)) {
    return distinct([...Object.keys(before), ...Object.keys(after)]).map((key) => ({
      step: /^[\w-]+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`,
      read: (value) => (isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined),
    }));
  }
  if (!Array.isArray(before) || !Array.isArray(after)) return undefined;
  const names = commonNames(before, after);
  if (names !== undefined) {
    return names.map((name) => ({
      step: `[name=${name}]`,
      read: (value) =>
        Array.isArray(value)
          ? (value as readonly unknown[]).find((entry) => isRecord(entry) && entry.name === name)
          : undefined,
    }));
  }
  return Array.from({ length: Math.max(before.length, after.length) }, (_, index) => ({
    step: `[${String(index)}]`,
    read: (value) => (Array.isArray(value) ? (value[index] as unknown) : undefined),
  }));
}

/** The names of the entries of two lists, where each has one of its own and those of both are in the same order. */
function commonNames(before: readonly unknown[], after: readonly unknown[]): readonly string[] | undefined {
  const [old, now] = [namesOf(before), namesOf(after)];
  if (old === undefined || now === undefined) return undefined;
  const [stayed, staying] = [old.filter((name) => now.includes(name)), now.filter((name) => old.includes(name))];
  return stayed.every((name, index) => name === staying[index]) ? distinct([...old, ...now]) : undefined;
}

/** The names of the entries of a list, where each has one of its own. */
function namesOf(list: readonly unknown[]): readonly string[] | undefined {
  const names = list.map((entry) => (isRecord(entry) ? entry.name : undefined));
  const isNamed = names.every((name) => typeof name === 'string' && !/[\]\n]/.test(name));
  return isNamed && new Set(names).size === names.length ? (names as readonly string[]) : undefined;
}

function distinct(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)];
}

function joined(path: string, step: string): string {
  return path === '' ? step.replace(/^\./, '') : `${path}${step}`;
}
