import { isNavinError } from '../errors';
import { ifFound, type ApiResource, type DeleteOptions, type KubeClient, type KubeObject } from '../kube';
import { findInstance, type Found, type InstanceRef } from './find';

/**
 * Deletes a managed instance, the very one that was found (uid). What goes or is exchanged in between is not there any more.
 *
 * @throws NavinError of the requests
 */
export async function deleteInstance(
  client: KubeClient,
  resource: ApiResource,
  ref: InstanceRef,
  options: Pick<DeleteOptions, 'dryRun'> = {},
): Promise<Found> {
  const found = await findInstance(client, resource, ref);
  if (found.refusal !== undefined) return found;
  const { uid } = found.object.metadata;
  const preconditions = uid === undefined ? {} : { preconditions: { uid } };
  try {
    await client.delete(resource, ref, { ...options, ...preconditions });
    return found;
  } catch (error) {
    if (!isNavinError(error)) throw error;
    if (error.code === 'k8s_not_found') return { refusal: 'missing' };
    if (error.code === 'k8s_conflict') return { refusal: 'another_uid' };
    throw error;
  }
}

/** Whether the object that was deleted is still there; another one of its name is not it. */
export async function isStillThere(client: KubeClient, resource: ApiResource, deleted: KubeObject): Promise<boolean> {
  const { namespace, name = '', uid } = deleted.metadata;
  const object = await ifFound(client.get(resource, { namespace, name }));
  return object !== undefined && object.metadata.uid === uid;
}
