/**
 * The kinds the nodes act on, as data: words for descriptions, rights, and the key of the resource in core/kube
 * (`RESOURCES`), which is looked up only when an operation runs.
 */
export const KINDS = {
  pod: { title: 'Pod', plural: 'pods', group: '', namespaced: true, list: 'searchPods' },
  deployment: {
    title: 'Deployment',
    plural: 'deployments',
    group: 'apps',
    namespaced: true,
    list: 'searchDeployments',
  },
  statefulset: {
    title: 'StatefulSet',
    plural: 'statefulsets',
    group: 'apps',
    namespaced: true,
    list: 'searchStatefulsets',
  },
  daemonset: { title: 'DaemonSet', plural: 'daemonsets', group: 'apps', namespaced: true, list: 'searchDaemonsets' },
  service: { title: 'Service', plural: 'services', group: '', namespaced: true, list: 'searchServices' },
  job: { title: 'Job', plural: 'jobs', group: 'batch', namespaced: true, list: 'searchJobs' },
  namespace: {
    title: 'Namespace',
    plural: 'namespaces',
    group: '',
    namespaced: false,
    list: 'searchNamespaces',
  },
  configmap: { title: 'ConfigMap', plural: 'configmaps', group: '', namespaced: true, list: 'searchConfigmaps' },
  secret: { title: 'Secret', plural: 'secrets', group: '', namespaced: true, list: 'searchSecrets' },
  cronjob: { title: 'CronJob', plural: 'cronjobs', group: 'batch', namespaced: true, list: 'searchCronjobs' },
  ingress: {
    title: 'Ingress',
    plural: 'ingresses',
    group: 'networking.k8s.io',
    namespaced: true,
    list: 'searchIngresses',
  },
  persistentvolumeclaim: {
    title: 'PersistentVolumeClaim',
    plural: 'persistentvolumeclaims',
    group: '',
    namespaced: true,
    list: 'searchPersistentvolumeclaims',
  },
  horizontalpodautoscaler: {
    title: 'HorizontalPodAutoscaler',
    plural: 'horizontalpodautoscalers',
    group: 'autoscaling',
    namespaced: true,
    list: 'searchHorizontalpodautoscalers',
  },
  serviceaccount: {
    title: 'ServiceAccount',
    plural: 'serviceaccounts',
    group: '',
    namespaced: true,
    list: 'searchServiceaccounts',
  },
  node: { title: 'Node', plural: 'nodes', group: '', namespaced: false, list: 'searchNodes' },
} as const;

/** A kind, see {@link KINDS}. */
export type KindName = keyof typeof KINDS;

/** The kinds that live in a namespace. */
export type NamespacedKindName = {
  [K in KindName]: (typeof KINDS)[K]['namespaced'] extends true ? K : never;
}[KindName];
