import { dump } from 'js-yaml';
import { BEHAVIOUR_LABEL, createShop, type Cluster, type PolicyRule } from '../cluster';

/** All that the operations and the triggers need, for one namespace or all. */
export const ALL_RIGHTS: readonly PolicyRule[] = [
  { apiGroups: [''], resources: ['namespaces', 'pods', 'pods/log', 'services', 'events'], verbs: ['get', 'list'] },
  { apiGroups: [''], resources: ['pods'], verbs: ['delete', 'patch'] },
  { apiGroups: [''], resources: ['pods/eviction'], verbs: ['create'] },
  { apiGroups: ['apps'], resources: ['deployments', 'statefulsets', 'daemonsets'], verbs: ['get', 'list', 'patch'] },
  { apiGroups: ['apps'], resources: ['deployments/scale', 'statefulsets/scale'], verbs: ['patch'] },
  { apiGroups: ['apps'], resources: ['replicasets', 'controllerrevisions'], verbs: ['list'] },
  { apiGroups: ['batch'], resources: ['jobs', 'cronjobs'], verbs: ['get', 'list', 'create'] },
  { apiGroups: [''], resources: ['configmaps', 'nodes'], verbs: ['get', 'create', 'patch'] },
  { apiGroups: [''], resources: ['pods/exec'], verbs: ['get', 'create'] },
  { apiGroups: [''], resources: ['configmaps', 'events', 'nodes', 'pods'], verbs: ['list', 'watch'] },
  { apiGroups: ['apps'], resources: ['deployments'], verbs: ['list', 'watch'] },
];

/**
 * The shop with three things to find: a Deployment that crashes (payments), one that never gets ready (search), and a Pod
 * that no node has room for (search-index), which gets a Warning event.
 */
export async function createTroubledShop(cluster: Cluster, namespace: string): Promise<void> {
  await createShop(cluster, { namespace, trouble: true });
  await cluster.apply([SEARCH, SEARCH_INDEX].map((object) => dump(inNamespace(object, namespace))).join('---\n'));
  await cluster.api.until(`/apis/apps/v1/namespaces/${namespace}/deployments/search`, (deployment) => {
    const status = deployment?.status as { observedGeneration?: number; replicas?: number } | undefined;
    return status?.replicas === 1;
  });
}

const NAME = 'app.kubernetes.io/name';

const SEARCH = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'search', labels: { [NAME]: 'search' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { [NAME]: 'search' } },
    template: {
      metadata: { labels: { [NAME]: 'search', [BEHAVIOUR_LABEL]: 'never-ready' } },
      spec: { containers: [{ name: 'search', image: 'registry.example/shop/search:1.0.0' }] },
    },
  },
};

const SEARCH_INDEX = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'search-index', labels: { [NAME]: 'search-index' } },
  spec: {
    containers: [
      { name: 'index', image: 'registry.example/shop/search:1.0.0', resources: { requests: { cpu: '4000' } } },
    ],
  },
};

function inNamespace(object: { readonly metadata: object }, namespace: string): object {
  return { ...object, metadata: { ...object.metadata, namespace } };
}
