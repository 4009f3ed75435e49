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

/** @param namespace where the object goes when it names none */
export function idOf(object: KubeObject, namespace = ''): ObjectId {
  const { apiVersion = '', kind = '', metadata } = object;
  return { group: groupOf(apiVersion), kind, namespace: metadata.namespace ?? namespace, name: metadata.name ?? '' };
}

export function groupOf(apiVersion: string): string {
  return apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/')) : '';
}

/** Equal for the same object. */
export function idText({ group, kind, namespace, name }: ObjectId): string {
  return [group, kind, namespace, name].join('/');
}

/** For people: `Deployment.apps "web" in namespace "shop"`. */
export function describeId({ group, kind, namespace, name }: ObjectId): string {
  const what = group === '' ? kind : `${kind}.${group}`;
  return namespace === '' ? `${what} "${name}"` : `${what} "${name}" in namespace "${namespace}"`;
}
