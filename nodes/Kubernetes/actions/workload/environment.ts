import { at, defined, listAt, textAt } from '../../../shared/json';
import { parameterInvalid } from '../../../shared/parameters';

/** A variable to set, as the parameters say it. */
export interface Variable {
  readonly name: string;
  readonly from: 'text' | 'configMap' | 'secret';
  readonly value: string;
  readonly source: string;
  readonly key: string;
  readonly optional: boolean;
}

/** A ConfigMap or Secret all keys of which are variables. */
export interface Source {
  readonly kind: 'configMap' | 'secret';
  readonly name: string;
}

/** One to set: with what its variables begin, and whether it may be missing. */
export interface PrefixedSource extends Source {
  readonly prefix: string;
  readonly optional: boolean;
}

/** Where an entry of `env` and one of `envFrom` has what it is read from. */
const KEY_FIELDS = { configMap: 'configMapKeyRef', secret: 'secretKeyRef' } as const;
/** All that a variable can be read from: it is read from one place only. */
const NOWHERE = { configMapKeyRef: null, fieldRef: null, fileKeyRef: null, resourceFieldRef: null, secretKeyRef: null };
const SOURCE_FIELDS = { configMap: 'configMapRef', secret: 'secretRef' } as const;

/** The entry of a strategic merge patch that makes a variable what it shall be, whatever it was. */
export function variablePatch({ name, from, value, source, key, optional }: Variable): object {
  if (from === 'text') return { name, value, valueFrom: null };
  const reference = { name: source.trim(), key: key.trim(), optional: optional ? true : null };
  return { name, value: null, valueFrom: { ...NOWHERE, [KEY_FIELDS[from]]: reference } };
}

/**
 * The list `envFrom` after sources were removed and set. It is told apart by kind, name and prefix; a later one wins
 * over an earlier one, so that those there are keep their places and new ones come last.
 */
export function sourcesAfter(
  present: readonly unknown[],
  set: readonly PrefixedSource[],
  removed: readonly Source[],
): readonly unknown[] {
  const kept = present.filter((entry) => !removed.some((source) => isOf(entry, source)));
  const entries = kept.map((entry) => {
    const changed = set.find((source) => isSame(entry, source));
    return changed === undefined ? entry : sourceEntry(changed);
  });
  const added = set.filter((source) => !kept.some((entry) => isSame(entry, source)));
  return [...entries, ...added.map(sourceEntry)];
}

function sourceEntry({ kind, name, prefix, optional }: PrefixedSource): object {
  return defined({
    prefix: prefix === '' ? undefined : prefix,
    [SOURCE_FIELDS[kind]]: defined({ name, optional: optional ? true : undefined }),
  });
}

function isOf(entry: unknown, { kind, name }: Source): boolean {
  return textAt(entry, SOURCE_FIELDS[kind], 'name') === name;
}

function isSame(entry: unknown, source: PrefixedSource): boolean {
  return isOf(entry, source) && (textAt(entry, 'prefix') ?? '') === source.prefix;
}

/** `Secret login` */
export function sourceText({ kind, name }: Source): string {
  return `${kind === 'secret' ? 'Secret' : 'ConfigMap'} ${name}`;
}

/** The list `envFrom` of a container of a workload. */
export function sourcesOf(workload: unknown, list: string, index: number): readonly unknown[] {
  return listAt(at(workload, 'spec', 'template', 'spec', list, index), 'envFrom');
}

/** The name of a variable, or what it begins with. @throws NavinError `k8s_parameter_invalid` */
export function checkedName(name: string, parameter: string, label: string, what = 'name'): string {
  const trimmed = name.trim();
  if (trimmed !== '' && !/[=\s\p{Cc}]/u.test(trimmed)) return trimmed;
  throw parameterInvalid(parameter, label, `has a ${what} that is empty or holds = or spaces`);
}

/** @throws NavinError `k8s_parameter_invalid` naming what is there twice */
export function checkDistinct(names: readonly string[], parameter: string, label: string): void {
  const twice = names.find((each, index) => names.indexOf(each) !== index);
  if (twice !== undefined) throw parameterInvalid(parameter, label, `names ${twice} twice`);
}
