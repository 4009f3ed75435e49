import { ifFound, RESOURCES, type ApiResource, type KubeClient, type KubeObject } from '../kube';
import { hasInstanceLabel, hasNamespaceLabel, isInstanceNamespace } from './names';

/** Which instance. */
export interface InstanceRef {
  readonly namespace: string;
  readonly name: string;
  /** Given: only this very object is meant, not another one that has its name by now. */
  readonly uid?: string | undefined;
}

/** Why an object is none to act on: for the audit, never for whoever asked. */
export type Refusal = 'missing' | 'namespace_name' | 'namespace_label' | 'instance_label' | 'another_uid';

/** A managed instance, or why there is none. */
export type Found =
  { readonly object: KubeObject; readonly refusal?: never } | { readonly refusal: Refusal; readonly object?: never };

/**
 * Looks for a managed instance. Whatever is there, the same two reads are made of the API server: neither the answer nor the
 * number of requests tells a missing object from one that is not managed.
 *
 * @throws NavinError of the reads, but that something is not found
 */
export async function findInstance(client: KubeClient, resource: ApiResource, ref: InstanceRef): Promise<Found> {
  const { namespace, name, uid } = ref;
  const reads = await Promise.allSettled([
    ifFound(client.get(RESOURCES.namespaces, { name: namespace }, { looksForNamespace: false })),
    ifFound(client.get(resource, { namespace, name }, { looksForNamespace: false })),
  ]);
  const failed = reads.find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
  const [place, object] = reads.map((read) => (read.status === 'fulfilled' ? read.value : undefined));
  if (place === undefined || object === undefined) return { refusal: 'missing' };
  const refusal = refusalOf(place, object, uid);
  return refusal === undefined ? { object } : { refusal };
}

/** Why an object is none to act on. */
export function refusalOf(place: KubeObject, object: KubeObject, uid: string | undefined): Refusal | undefined {
  if (!isInstanceNamespace(place.metadata.name)) return 'namespace_name';
  if (!hasNamespaceLabel(place.metadata.labels)) return 'namespace_label';
  if (!hasInstanceLabel(object.metadata.labels)) return 'instance_label';
  return uid === undefined || object.metadata.uid === uid ? undefined : 'another_uid';
}
