import { isNavinError } from '../errors';
import { RESOURCES, type ApiResource, type KubeClient, type KubeObject, type WriteOptions } from '../kube';
import { findInstance, type InstanceRef, type Refusal } from './find';
import { restartPatch, restartState, restartTime, type InstanceDeployment, type RestartState } from './restart';

/** A restart that was asked for. */
export interface RestartRequest {
  readonly object: KubeObject;
  /** The value of the annotation. */
  readonly time: string;
  /** The Deployment as it was before. */
  readonly deployment: InstanceDeployment;
  readonly refusal?: never;
}

/** The operator writes the status of an instance often: so many versions of it may go by. */
const MAX_TRIES = 5;

/**
 * Asks for a rolling restart of a managed instance: of this very object (uid), and of the version that was looked at
 * (resourceVersion), so that what makes it a managed one still holds. A conflict means that nothing was written; then it is
 * looked at anew.
 *
 * @param now gives milliseconds since 1970
 * @throws NavinError of the requests; `k8s_conflict` when the object does not stop to change
 */
export async function requestRestart(
  client: KubeClient,
  resource: ApiResource,
  ref: InstanceRef,
  now: () => number,
  options: Pick<WriteOptions, 'dryRun'> = {},
): Promise<RestartRequest | { readonly refusal: Refusal }> {
  let { uid } = ref;
  for (let tries = 1; ; tries += 1) {
    const found = await findInstance(client, resource, { ...ref, uid });
    if (found.refusal !== undefined) return found;
    uid = found.object.metadata.uid;
    const deployment = await instanceDeployment(client, ref);
    const time = restartTime(found.object, now());
    const patch = { type: 'merge', body: restartPatch(found.object, time) } as const;
    try {
      return { object: await client.patch(resource, ref, patch, options), time, deployment };
    } catch (error) {
      if (!isNavinError(error)) throw error;
      if (error.code === 'k8s_not_found') return { refusal: 'missing' };
      if (error.code !== 'k8s_conflict' || tries === MAX_TRIES) throw error;
    }
  }
}

/** What is seen of a restart by one look. */
export interface RestartSight {
  readonly object: KubeObject;
  readonly deployment: InstanceDeployment;
  readonly state: RestartState;
}

/** Looks what became of a restart. @throws NavinError of the requests; `k8s_not_found` when the instance is gone */
export async function seeRestart(
  client: KubeClient,
  resource: ApiResource,
  { object: { metadata }, time, deployment: before }: RestartRequest,
): Promise<RestartSight> {
  const ref = { namespace: metadata.namespace, name: metadata.name ?? '' };
  const object = await client.get(resource, ref);
  const deployment = await instanceDeployment(client, ref);
  return { object, deployment, state: restartState(object, time, before, deployment) };
}

/** The proxy of an instance, which has its name. */
async function instanceDeployment(
  client: KubeClient,
  { namespace, name }: { readonly namespace: string | undefined; readonly name: string },
): Promise<InstanceDeployment> {
  return client.get(RESOURCES.deployments, { namespace, name }).catch((error: unknown) => {
    if (isNavinError(error) && error.code === 'k8s_not_found') return 'missing';
    if (isNavinError(error) && error.code === 'k8s_forbidden') return 'unreadable';
    throw error;
  });
}
