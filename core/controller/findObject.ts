import { isNavinError } from '../errors';
import type { ApiResource, KubeClient, KubeObject, ObjectRef } from '../kube';

/** An object; undefined when there is none, though its namespace and kind are there. @throws NavinError of the request */
export async function findObject(
  client: Pick<KubeClient, 'get'>,
  resource: ApiResource,
  ref: ObjectRef,
  signal: AbortSignal | undefined,
): Promise<KubeObject | undefined> {
  try {
    return await client.get(resource, ref, { signal });
  } catch (error) {
    if (isNotFound(error) && error.details.missing === 'object') return undefined;
    throw error;
  }
}

/** Whether there is no such object, namespace or kind. */
export function isNotFound(error: unknown): error is Error & { readonly details: { readonly missing?: unknown } } {
  return isNavinError(error) && error.code === 'k8s_not_found';
}
