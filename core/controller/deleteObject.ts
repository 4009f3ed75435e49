import { isNavinError } from '../errors';
import { findObject } from './findObject';
import { isNotFound, type ApiResource, type KubeClient, type KubeObject } from '../kube';

/** What a deletion is made with. */
export interface DeleteMeans {
  readonly client: Pick<KubeClient, 'get' | 'delete'>;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Deletes this very object, by its uid, and what it owns before it: gone is gone with all its Pods.
 *
 * @returns `gone` when there is no object of this uid any more; `ending` while its deletion is under way
 * @throws NavinError of the requests
 */
export async function deleteObject(
  { client, signal }: DeleteMeans,
  resource: ApiResource,
  { metadata }: Pick<KubeObject, 'metadata'>,
): Promise<'gone' | 'ending'> {
  const { namespace, name = '', uid = '' } = metadata;
  try {
    const answer = await client.delete(
      resource,
      { namespace, name },
      { propagationPolicy: 'Foreground', preconditions: { uid }, signal },
    );
    // A Status says that it is gone; an object, that something is waited for.
    return answer.kind === 'Status' ? 'gone' : 'ending';
  } catch (error) {
    if (isNotFound(error)) return 'gone';
    if (!isNavinError(error) || error.code !== 'k8s_conflict') throw error;
    // Another object has the name by now, or something else speaks against it.
    const found = await findObject(client, resource, { namespace, name }, signal);
    if (found?.metadata.uid === uid) throw error;
    return 'gone';
  }
}
