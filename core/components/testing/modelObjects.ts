import { isRecord, type KubeObject } from '../../kube';

/** Server-side apply as far as decisions depend on it: fields have managers, lists are of one piece. */

type Tree = Record<string, unknown>;
/** Paths of fields, by manager and operation (`navin-operator Apply`). */
export type Managers = ReadonlyMap<string, ReadonlySet<string>>;

/** Why an apply is refused. */
export class ModelConflict extends Error {}

/** A stored object: what it holds, and who holds which field. */
export interface Stored {
  readonly object: KubeObject;
  readonly managers: Managers;
}

/** What identifies an object or is written by the server, and is nobody's field. */
const SYSTEM = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'metadata.resourceVersion',
  'metadata.generation',
];

/** The fields of an object with their values, by path. */
export function leaves(value: unknown, path: readonly string[] = []): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const walk = (child: unknown, place: readonly string[]): void => {
    if (isRecord(child) && Object.keys(child).length > 0) {
      for (const [name, inner] of Object.entries(child)) walk(inner, [...place, name]);
    } else {
      found.set(JSON.stringify(place), child);
    }
  };
  walk(value, path);
  return found;
}

function fieldsOf(body: KubeObject): ReadonlyMap<string, unknown> {
  const all = [...leaves(body)].filter(([path]) => {
    const dotted = (JSON.parse(path) as string[]).join('.');
    return dotted !== 'apiVersion' && dotted !== 'kind' && !SYSTEM.includes(dotted) && !dotted.startsWith('status');
  });
  return new Map(all);
}

/** Applies a body. @throws ModelConflict when another manager holds a field with another value */
export function applied(stored: Stored | undefined, body: KubeObject, manager: string, force: boolean): Stored {
  const owner = `${manager} Apply`;
  const fields = fieldsOf(body);
  const current = stored === undefined ? new Map<string, unknown>() : fieldsOf(stored.object);
  const managers = new Map([...(stored?.managers ?? [])].map(([name, paths]) => [name, new Set(paths)]));
  for (const [path, value] of fields) {
    const differs = JSON.stringify(current.get(path)) !== JSON.stringify(value);
    for (const [name, paths] of managers) {
      if (name === owner || !paths.has(path) || !differs) continue;
      if (!force) throw new ModelConflict(`${name} ${path}`);
      paths.delete(path);
    }
  }
  const tree = structuredClone(
    stored?.object ?? { ...body, metadata: { name: body.metadata.name } },
  ) as unknown as Tree;
  for (const path of managers.get(owner) ?? []) {
    const isOthers = [...managers].some(([name, paths]) => name !== owner && paths.has(path));
    if (!fields.has(path) && !isOthers) put(tree, JSON.parse(path) as string[], undefined);
  }
  for (const [path, value] of fields) put(tree, JSON.parse(path) as string[], value);
  managers.set(owner, new Set(fields.keys()));
  return { object: tree as unknown as KubeObject, managers: nonEmpty(managers) };
}

/** Somebody writes a field, and takes it from everybody else. */
export function updated(stored: Stored, path: readonly string[], value: unknown, manager: string): Stored {
  const tree = structuredClone(stored.object) as unknown as Tree;
  put(tree, path, value);
  const field = JSON.stringify(path);
  const managers = new Map([...stored.managers].map(([name, paths]) => [name, new Set(paths)]));
  for (const paths of managers.values()) paths.delete(field);
  const owner = `${manager} Update`;
  managers.set(owner, new Set([...(managers.get(owner) ?? []), field]));
  return { object: tree as unknown as KubeObject, managers: nonEmpty(managers) };
}

/** The managed fields as the API server shows them. */
export function managedFields(managers: Managers): readonly object[] {
  return [...managers].map(([name, paths]) => {
    const [manager, operation] = name.split(' ');
    const fieldsV1: Tree = {};
    for (const path of paths) {
      put(
        fieldsV1,
        (JSON.parse(path) as string[]).map((part) => `f:${part}`),
        {},
      );
    }
    return { manager, operation, fieldsV1 };
  });
}

function put(tree: Tree, path: readonly string[], value: unknown): void {
  const [name = '', ...rest] = path;
  if (rest.length === 0) {
    if (value === undefined) Reflect.deleteProperty(tree, name);
    else tree[name] = value;
    return;
  }
  const inner = tree[name];
  if (!isRecord(inner)) {
    if (value === undefined) return;
    tree[name] = {};
  }
  put(tree[name] as Tree, rest, value);
}

function nonEmpty(managers: Map<string, Set<string>>): Managers {
  return new Map([...managers].filter(([, paths]) => paths.size > 0));
}
