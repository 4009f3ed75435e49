import type { KubeObject } from '../kube';

/** A kind, whatever its version. */
export interface GroupKind {
  /** '' is the core group. */
  readonly group: string;
  readonly kind: string;
}

/** An object by name. */
export interface ObjectId extends GroupKind {
  /** '' where there is none. */
  readonly namespace: string;
  readonly name: string;
}

/**
 * Of an object that may have been rendered from anything: what is no text counts as empty.
 *
 * @param namespace where the object goes when it names none
 */
export function idOf(object: KubeObject, namespace = ''): ObjectId {
  const { apiVersion, kind, metadata } = object;
  const { name, namespace: own = namespace } = metadata;
  return { group: groupOf(text(apiVersion)), kind: text(kind), namespace: text(own), name: text(name) };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/** Equal for the same object. */
export function idText({ group, kind, namespace, name }: ObjectId): string {
  return [group, kind, namespace, name].join('/');
}

/** For people: `Deployment.apps "web" in namespace "shop"`. Safe to show whatever the names hold. */
export function describeId({ group, kind, namespace, name }: ObjectId): string {
  const what = (group === '' ? kind : `${kind}.${group}`).slice(0, MAX_SHOWN).replaceAll(/[^\w.-]/g, '?');
  const where = namespace === '' ? '' : ` in namespace ${quoted(namespace)}`;
  return `${what} ${quoted(name)}${where}`;
}

const MAX_SHOWN = 253;

function quoted(name: string): string {
  return JSON.stringify(name.slice(0, MAX_SHOWN));
}
