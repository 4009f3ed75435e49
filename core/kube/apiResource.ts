/** A resource the API server serves: what a request needs to know to name it. */
export interface ApiResource {
  /** '' is the core group. */
  readonly group: string;
  readonly version: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly shortNames: readonly string[];
  /** Names only, for instance `status`, `scale`, `log`. */
  readonly subresources: readonly string[];
}

const ALL_VERBS = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'] as const;

interface Rest {
  readonly namespaced?: false;
  readonly shortNames?: readonly string[];
  readonly subresources?: readonly string[];
  readonly verbs?: readonly string[];
}

function builtIn(groupVersion: string, plural: string, kind: string, rest: Rest = {}): ApiResource {
  const [version = '', group = ''] = groupVersion.split('/').reverse();
  return Object.freeze({
    group,
    version,
    plural,
    singular: kind.toLowerCase(),
    kind,
    namespaced: rest.namespaced ?? true,
    verbs: rest.verbs ?? ALL_VERBS,
    shortNames: rest.shortNames ?? [],
    subresources: rest.subresources ?? ['status'],
  });
}

/**
 * Resources that every cluster from Kubernetes 1.24 on serves in these versions: they need no discovery. Source: the
 * built-in API groups of Kubernetes 1.24 to 1.37.
 */
export const RESOURCES = {
  pods: builtIn('v1', 'pods', 'Pod', {
    shortNames: ['po'],
    subresources: [
      'attach',
      'binding',
      'ephemeralcontainers',
      'eviction',
      'exec',
      'log',
      'portforward',
      'proxy',
      'status',
    ],
  }),
  services: builtIn('v1', 'services', 'Service', { shortNames: ['svc'], subresources: ['proxy', 'status'] }),
  events: builtIn('v1', 'events', 'Event', { shortNames: ['ev'], subresources: [] }),
  namespaces: builtIn('v1', 'namespaces', 'Namespace', {
    namespaced: false,
    shortNames: ['ns'],
    subresources: ['finalize', 'status'],
    verbs: ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'],
  }),
  nodes: builtIn('v1', 'nodes', 'Node', {
    namespaced: false,
    shortNames: ['no'],
    subresources: ['proxy', 'status'],
  }),
  configmaps: builtIn('v1', 'configmaps', 'ConfigMap', { shortNames: ['cm'], subresources: [] }),
  secrets: builtIn('v1', 'secrets', 'Secret', { subresources: [] }),
  serviceaccounts: builtIn('v1', 'serviceaccounts', 'ServiceAccount', { shortNames: ['sa'], subresources: ['token'] }),
  endpoints: builtIn('v1', 'endpoints', 'Endpoints', { shortNames: ['ep'], subresources: [] }),
  persistentvolumeclaims: builtIn('v1', 'persistentvolumeclaims', 'PersistentVolumeClaim', { shortNames: ['pvc'] }),
  persistentvolumes: builtIn('v1', 'persistentvolumes', 'PersistentVolume', { namespaced: false, shortNames: ['pv'] }),
  resourcequotas: builtIn('v1', 'resourcequotas', 'ResourceQuota', { shortNames: ['quota'] }),
  limitranges: builtIn('v1', 'limitranges', 'LimitRange', { shortNames: ['limits'], subresources: [] }),
  deployments: builtIn('apps/v1', 'deployments', 'Deployment', {
    shortNames: ['deploy'],
    subresources: ['scale', 'status'],
  }),
  statefulsets: builtIn('apps/v1', 'statefulsets', 'StatefulSet', {
    shortNames: ['sts'],
    subresources: ['scale', 'status'],
  }),
  daemonsets: builtIn('apps/v1', 'daemonsets', 'DaemonSet', { shortNames: ['ds'] }),
  replicasets: builtIn('apps/v1', 'replicasets', 'ReplicaSet', {
    shortNames: ['rs'],
    subresources: ['scale', 'status'],
  }),
  controllerrevisions: builtIn('apps/v1', 'controllerrevisions', 'ControllerRevision', { subresources: [] }),
  jobs: builtIn('batch/v1', 'jobs', 'Job'),
  cronjobs: builtIn('batch/v1', 'cronjobs', 'CronJob', { shortNames: ['cj'] }),
  horizontalpodautoscalers: builtIn('autoscaling/v2', 'horizontalpodautoscalers', 'HorizontalPodAutoscaler', {
    shortNames: ['hpa'],
  }),
  poddisruptionbudgets: builtIn('policy/v1', 'poddisruptionbudgets', 'PodDisruptionBudget', { shortNames: ['pdb'] }),
  ingresses: builtIn('networking.k8s.io/v1', 'ingresses', 'Ingress', { shortNames: ['ing'] }),
  ingressclasses: builtIn('networking.k8s.io/v1', 'ingressclasses', 'IngressClass', {
    namespaced: false,
    subresources: [],
  }),
  networkpolicies: builtIn('networking.k8s.io/v1', 'networkpolicies', 'NetworkPolicy', {
    shortNames: ['netpol'],
    subresources: [],
  }),
  storageclasses: builtIn('storage.k8s.io/v1', 'storageclasses', 'StorageClass', {
    namespaced: false,
    shortNames: ['sc'],
    subresources: [],
  }),
  roles: builtIn('rbac.authorization.k8s.io/v1', 'roles', 'Role', { subresources: [] }),
  rolebindings: builtIn('rbac.authorization.k8s.io/v1', 'rolebindings', 'RoleBinding', { subresources: [] }),
  clusterroles: builtIn('rbac.authorization.k8s.io/v1', 'clusterroles', 'ClusterRole', {
    namespaced: false,
    subresources: [],
  }),
  clusterrolebindings: builtIn('rbac.authorization.k8s.io/v1', 'clusterrolebindings', 'ClusterRoleBinding', {
    namespaced: false,
    subresources: [],
  }),
  leases: builtIn('coordination.k8s.io/v1', 'leases', 'Lease', { subresources: [] }),
  customresourcedefinitions: builtIn(
    'apiextensions.k8s.io/v1',
    'customresourcedefinitions',
    'CustomResourceDefinition',
    {
      namespaced: false,
      shortNames: ['crd', 'crds'],
    },
  ),
} as const satisfies Record<string, ApiResource>;

/**
 * What a metrics server serves, where one is installed: how much pods and nodes use now. Source: k8s.io/metrics, where
 * v1beta1 is the newest version since Kubernetes 1.8. Not every cluster serves it, and its plurals are those of other
 * kinds: so it is apart.
 */
export const METRICS = {
  pods: builtIn('metrics.k8s.io/v1beta1', 'pods', 'PodMetrics', { subresources: [], verbs: ['get', 'list'] }),
  nodes: builtIn('metrics.k8s.io/v1beta1', 'nodes', 'NodeMetrics', {
    namespaced: false,
    subresources: [],
    verbs: ['get', 'list'],
  }),
} as const satisfies Record<string, ApiResource>;

/** `v1` or `apps/v1`. */
export function apiVersionOf(resource: Pick<ApiResource, 'group' | 'version'>): string {
  return resource.group === '' ? resource.version : `${resource.group}/${resource.version}`;
}

/** Whether a resource holds secrets: then nothing the API server says about it is ever shown. */
export function holdsSecrets(resource: Pick<ApiResource, 'group' | 'plural'>): boolean {
  return resource.group === '' && resource.plural === 'secrets';
}
