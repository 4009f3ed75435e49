import { isKubeObject, isRecord, type KubeObject } from '../../kube';
import { items, textAt } from '../fields';
import { isReservedName } from '../names';
import { isAllowedKind, refOf } from '../objects';
import { finding, shown, type Finding } from './violation';

const NAME = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const HOOK = 'helm.sh/hook';
const TESTS = new Set(['test', 'test-success', 'test-failure']);

/** Whether an object is a test of its chart only: then it is none of the component's. */
export function isTestHook(object: unknown): boolean {
  const hook = isKubeObject(object) ? object.metadata.annotations?.[HOOK] : undefined;
  return typeof hook === 'string' && hook.split(',').every((event) => TESTS.has(event.trim()));
}

/** The form every object must have, whatever its kind. */
export function formFinding(object: unknown, namespace: string): Finding | undefined {
  if (!isKubeObject(object)) return finding('InvalidObject', 'A document is not an object of the API.');
  const { apiVersion, kind, metadata } = object;
  if (typeof apiVersion !== 'string' || typeof kind !== 'string') {
    return finding('InvalidObject', 'A document has no apiVersion or kind.');
  }
  return kindFinding(object) ?? nameFinding(metadata.name) ?? metadataFinding(object, namespace);
}

function kindFinding(object: KubeObject): Finding | undefined {
  const { group, version, kind } = refOf(object);
  if (isAllowedKind({ group, version, kind })) return undefined;
  if (kind.endsWith('List')) return finding('ForbiddenKind', 'Lists are not allowed: render each object by itself.');
  const message = `Objects of the kind ${shown(kind)} (${shown(object.apiVersion)}) are not allowed.`;
  return finding('ForbiddenKind', message, 'kind');
}

function nameFinding(name: unknown): Finding | undefined {
  if (typeof name !== 'string' || name.length > 253 || !NAME.test(name)) {
    return finding('InvalidObject', 'An object has no valid name.', 'metadata.name');
  }
  if (isReservedName(name)) return finding('ReservedName', 'This name is kept for the platform.', 'metadata.name');
  return undefined;
}

function metadataFinding({ metadata }: KubeObject, namespace: string): Finding | undefined {
  if (metadata.namespace !== undefined && metadata.namespace !== namespace) {
    return finding(
      'ForbiddenNamespace',
      'Objects may be in the namespace of the component only.',
      'metadata.namespace',
    );
  }
  if (textAt(metadata, 'annotations', HOOK) !== undefined) {
    return finding('ForbiddenHook', 'Hooks are not allowed, but for tests.', 'metadata.annotations');
  }
  if (metadata.ownerReferences !== undefined || metadata.finalizers !== undefined) {
    const path = metadata.ownerReferences === undefined ? 'metadata.finalizers' : 'metadata.ownerReferences';
    return finding('InvalidObject', 'Owners and finalizers are the business of the operator.', path);
  }
  return undefined;
}

/** Lists whose items server-side apply tells apart by a key: two of one key are refused by the API server. */
const KEYED: readonly (readonly [string, readonly string[]])[] = [
  ['containers', ['name']],
  ['initContainers', ['name']],
  ['env', ['name']],
  ['volumes', ['name']],
  ['volumeMounts', ['mountPath']],
  ['volumeDevices', ['devicePath']],
  ['imagePullSecrets', ['name']],
];

/** The first item that repeats the key of another, below a value. */
export function repeatedItem(value: unknown, path: string): Finding | undefined {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      const found = repeatedItem(item, `${path}[${index}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  for (const [name, keys] of KEYED) {
    const seen = new Set<string>();
    for (const [index, item] of items(value, name).entries()) {
      const key = JSON.stringify(keys.map((field) => item[field]));
      const place = `${path}.${name}[${index}]`;
      if (seen.has(key))
        return finding('DuplicateObject', `An item repeats the ${keys.join(' and ')} of another.`, place);
      seen.add(key);
    }
  }
  for (const [name, child] of Object.entries(value)) {
    const found = repeatedItem(child, `${path}.${shown(name)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}
