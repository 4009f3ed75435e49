import { isNavinError } from '../errors';
import { RESOURCES, type KubeClient } from '../kube';
import { hash } from './digest';
import type { ClusterPort } from './ports';
import type { CheckedSettings } from './settings';

/** The uid of this namespace is that of the cluster: it is made once and never deleted. */
const CLUSTER_NAMESPACE = 'kube-system';

/** A cluster by our own client, as the settings look at it. */
export function kubeClusterPort(client: KubeClient, settings: CheckedSettings): ClusterPort {
  const { resource, labelSelector, fieldSelector } = settings;
  const selection = (
    scope: string,
  ): { namespace: string | undefined; labelSelector: string | undefined; fieldSelector: string | undefined } => ({
    namespace: scope === '' ? undefined : scope,
    labelSelector,
    fieldSelector,
  });
  return {
    identity: async (signal) => ({
      server: hash([client.target.server]).slice(0, 12),
      uid: await clusterUid(client, signal),
    }),
    newest: async (scope, signal) =>
      (await client.list(resource, { ...selection(scope), limit: 1, signal })).resourceVersion,
    pages: async function* (scope, options, signal) {
      let first: string | undefined;
      for await (const page of client.pages(resource, { ...selection(scope), ...options, signal })) {
        first ??= page.resourceVersion;
        yield { ...page, resourceVersion: first };
      }
    },
    watch: (scope, resourceVersion, timeoutSeconds, signal) =>
      client.watch(resource, { ...selection(scope), resourceVersion, timeoutSeconds, signal }),
    read: async (namespace, name, signal) => {
      // A list by name needs no right beside those of the watch itself.
      const fields = [fieldSelector, `metadata.name=${name}`].filter((part) => part !== undefined).join(',');
      const page = await client.list(resource, { ...selection(namespace), fieldSelector: fields, limit: 1, signal });
      return page.items[0];
    },
  };
}

/** Undefined where the right is missing: then other signs must do. */
async function clusterUid(client: KubeClient, signal: AbortSignal): Promise<string | undefined> {
  try {
    const namespace = await client.get(RESOURCES.namespaces, { name: CLUSTER_NAMESPACE }, { signal });
    return namespace.metadata.uid;
  } catch (error) {
    if (isNavinError(error) && (error.code === 'k8s_forbidden' || error.code === 'k8s_not_found')) return undefined;
    throw error;
  }
}
