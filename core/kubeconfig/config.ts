import type { YamlNode } from './document';
import { KubeconfigError, type Place } from './errors';
import {
  checkKeys,
  CLUSTER_KEYS,
  CONTEXT_KEYS,
  type KeyRules,
  type Mapping,
  ROOT_KEYS,
  USER_KEYS,
  wrongType,
} from './keys';
import { parseServerUrl, type ServerUrl } from './server';

/** A text value and where it stands. */
export interface Located {
  readonly text: string;
  readonly place: Place;
}

/** A cluster entry: what is used of it. */
export interface ClusterEntry {
  readonly server: ServerUrl;
  readonly serverPlace: Place;
  readonly caData: Located | undefined;
  readonly place: Place;
}

/** A user entry: what is used of it. */
export interface UserEntry {
  readonly certificateData: Located | undefined;
  readonly keyData: Located | undefined;
  readonly token: Located | undefined;
  readonly place: Place;
}

/** A context entry. */
export interface ContextEntry {
  readonly cluster: string;
  readonly user: string;
  readonly namespace: Located | undefined;
}

/** A kubeconfig whose every key is on the whitelist and whose every reference leads somewhere. */
export interface Config {
  readonly clusters: ReadonlyMap<string, ClusterEntry>;
  readonly users: ReadonlyMap<string, UserEntry>;
  readonly contexts: ReadonlyMap<string, ContextEntry>;
  readonly currentContext: string;
}

const MAX_ENTRIES = 1000;
const MAX_NAME = 1024;

/**
 * Reads a parsed kubeconfig: every key of every entry, used or not, must be on the whitelist.
 * @throws KubeconfigError the rules from `not-a-kubeconfig` to `server-address`
 */
export function readConfig(root: YamlNode | undefined): Config {
  const config = requireConfig(root);
  const clusters = readEntries(config, 'clusters', 'cluster', CLUSTER_KEYS, (fields, place) => {
    const server = fields.get('server');
    if (server === undefined) throw new KubeconfigError('server-address', 'has no server', { place });
    return {
      server: parseServerUrl(server.text, server.place),
      serverPlace: server.place,
      caData: fields.get('certificate-authority-data'),
      place,
    };
  });
  const users = readEntries(config, 'users', 'user', USER_KEYS, (fields, place) => ({
    certificateData: fields.get('client-certificate-data'),
    keyData: fields.get('client-key-data'),
    token: fields.get('token'),
    place,
  }));
  const contexts = readEntries(config, 'contexts', 'context', CONTEXT_KEYS, (fields, place) => {
    const cluster = fields.get('cluster')?.text;
    const user = fields.get('user')?.text;
    if (cluster === undefined || !clusters.has(cluster)) throw dangling('cluster', place);
    if (user === undefined || !users.has(user)) throw dangling('user', place);
    return { cluster, user, namespace: fields.get('namespace') };
  });
  return { clusters, users, contexts, currentContext: readCurrentContext(config, contexts) };
}

function requireConfig(root: YamlNode | undefined): Mapping {
  if (root === undefined || (root.kind === 'scalar' && root.value === null)) {
    throw new KubeconfigError('not-a-kubeconfig', 'The kubeconfig is empty');
  }
  if (root.kind !== 'mapping') {
    throw new KubeconfigError('not-a-kubeconfig', 'The text is not a kubeconfig: it is not a mapping of keys');
  }
  for (const [key, expected] of [
    ['apiVersion', 'v1'],
    ['kind', 'Config'],
  ] as const) {
    const value = root.entries.get(key);
    // kubectl takes a missing one for the expected one.
    if (value !== undefined && !(value.kind === 'scalar' && value.value === expected)) {
      throw new KubeconfigError('not-a-kubeconfig', `is not ${expected}`, { place: { path: key, line: value.line } });
    }
  }
  if (!root.entries.has('clusters') && !root.entries.has('contexts')) {
    throw new KubeconfigError('not-a-kubeconfig', 'The text is not a kubeconfig: it has no clusters and no contexts');
  }
  checkKeys(root, ROOT_KEYS, '');
  return root;
}

/** The entries of `clusters`, `users` or `contexts` by name. Names are opaque: any text, as a key of a Map. */
function readEntries<T>(
  config: Mapping,
  listKey: string,
  bodyKey: string,
  keys: KeyRules,
  read: (fields: ReadonlyMap<string, Located>, place: Place) => T,
): ReadonlyMap<string, T> {
  const found = new Map<string, T>();
  const list = config.entries.get(listKey);
  if (list === undefined || isNull(list)) return found;
  if (list.kind !== 'list') throw wrongType('is not a list', { path: listKey, line: list.line });
  if (list.items.length > MAX_ENTRIES) {
    throw new KubeconfigError('too-many', 'has more than 1,000 entries', { place: { path: listKey, line: list.line } });
  }
  for (const [index, item] of list.items.entries()) {
    const path = `${listKey}[${index}]`;
    const place = { path, line: item.line };
    if (item.kind !== 'mapping') throw wrongType('is not a mapping', place);
    checkKeys(item, { name: 'read', [bodyKey]: 'read' }, path);
    const name = textOf(item, 'name', path);
    if (name === undefined || name.text.length > MAX_NAME)
      throw wrongType('has no name of 1 to 1,024 characters', place);
    if (found.has(name.text))
      throw new KubeconfigError('duplicate-name', 'has the name of an earlier entry', { place });
    const body = item.entries.get(bodyKey);
    found.set(name.text, read(readFields(body, keys, `${path}.${bodyKey}`), place));
  }
  return found;
}

function readFields(body: YamlNode | undefined, keys: KeyRules, path: string): ReadonlyMap<string, Located> {
  const fields = new Map<string, Located>();
  if (body === undefined || isNull(body)) return fields;
  if (body.kind !== 'mapping') throw wrongType('is not a mapping', { path, line: body.line });
  checkKeys(body, keys, path);
  for (const [key, rule] of Object.entries(keys)) {
    const value = rule === 'read' ? textOf(body, key, path) : undefined;
    if (value !== undefined) fields.set(key, value);
  }
  return fields;
}

/** A text value; absent, null and empty are the same, as they are to kubectl. */
function textOf(mapping: Mapping, key: string, path: string): Located | undefined {
  const node = mapping.entries.get(key);
  if (node === undefined || isNull(node)) return undefined;
  const place = { path: path === '' ? key : `${path}.${key}`, line: node.line };
  if (node.kind !== 'scalar' || typeof node.value !== 'string') throw wrongType('is not text', place);
  return node.value === '' ? undefined : { text: node.value, place };
}

function readCurrentContext(config: Mapping, contexts: ReadonlyMap<string, ContextEntry>): string {
  const current = textOf(config, 'current-context', '');
  if (current === undefined) throw new KubeconfigError('current-context', 'The kubeconfig has no current-context');
  if (!contexts.has(current.text)) {
    throw new KubeconfigError('current-context', 'is not the name of a context in the file', { place: current.place });
  }
  return current.text;
}

function isNull(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.value === null;
}

function dangling(what: 'cluster' | 'user', place: Place): KubeconfigError {
  return new KubeconfigError('dangling-reference', `names a ${what} that is not in the file, or none`, { place });
}
