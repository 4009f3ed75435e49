import { isNotFound, type ApiResource, type KubeClient, type KubeObject, type ObjectRef } from '../kube';

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
