import type { AccessAttributes } from '../../core/kube';
import type { OperationDescription } from './operation';

/** A right an operation uses, in the namespace it acts in. */
export interface Right extends Pick<AccessAttributes, 'verb' | 'group' | 'resource' | 'subresource'> {
  /** Only a ClusterRole can grant it. */
  readonly clusterWide?: true;
  /** It is used in this namespace, whatever namespace the operation acts in. */
  readonly namespace?: string;
  /** It is used on these objects alone. */
  readonly names?: readonly string[];
  /** The operation does without it and says nothing. */
  readonly optional?: true;
}

/**
 * The groups of rights a credential can be checked for, and the blocks a Role is made of (docs/permissions.md).
 * What a group holds follows from the operations: {@link rightsOfGroup}.
 */
export const RIGHTS_GROUPS = {
  read: { title: 'Read', description: 'Read pods, logs, workloads, services and events' },
  surroundings: {
    title: 'Around Workloads',
    description: 'Read Ingresses, volume claims, autoscalers and ServiceAccounts',
  },
  usage: { title: 'Usage', description: 'Read how much CPU and memory pods use (metrics.k8s.io)' },
  workloads: {
    title: 'Restart, Scale and Set Image',
    description: 'Change deployments, stateful sets and daemon sets',
  },
  jobs: { title: 'Jobs', description: 'Read and create jobs' },
  mcpRuntime: {
    title: 'MCP Runtime',
    description: 'See ToolHive and the managed MCP instances of all namespaces; needs a ClusterRole',
  },
  mcpRuntimeChanges: {
    title: 'MCP Runtime Changes',
    description: 'Install ToolHive, restart and delete managed MCP instances; needs a ClusterRole',
  },
  delete: { title: 'Delete Pods', description: 'Delete and evict pods' },
  exec: { title: 'Execute Commands', description: 'Execute commands in containers and copy files from and to them' },
  cronJobs: { title: 'CronJobs', description: 'Read, create, run, suspend and resume CronJobs' },
  inventory: { title: 'Inventory', description: 'Discover what the cluster consists of; needs a ClusterRole' },
  components: { title: 'Components', description: 'Read, install, change and remove components of the Navin platform' },
  configMaps: { title: 'ConfigMaps', description: 'Read and change ConfigMaps' },
  secrets: { title: 'Secrets', description: 'Read and change Secrets, all their values' },
  tokens: { title: 'Tokens', description: 'Create tokens of ServiceAccounts, which act with the rights of these' },
  nodes: { title: 'Nodes', description: 'Read nodes, what they use and the pods on them; needs a ClusterRole' },
  maintenance: {
    title: 'Cordon, Taint and Drain',
    description: 'Change nodes and evict the pods on them; needs a ClusterRole',
  },
  watch: { title: 'Watch', description: 'List and watch what the trigger looks at' },
  cluster: { title: 'All Namespaces', description: 'List namespaces and read in all of them; needs a ClusterRole' },
} as const;

/**
 * A verb on the kind that the parameter `kind` of an operation names: on whatever kind that is, so no group can hold it
 * and each kind is granted by itself.
 */
export interface KindVerb {
  readonly verb: 'get' | 'list' | 'create' | 'update' | 'patch' | 'delete';
  /** When it is needed, as the rest of a sentence: `by selector`. Always where it is absent. */
  readonly when?: string;
  /** The operation does without it and says what it cannot tell then. */
  readonly optional?: true;
}

/** A group of rights, see {@link RIGHTS_GROUPS}. */
export type RightsGroup = keyof typeof RIGHTS_GROUPS;

/** What the trigger looks at by default: the kinds of the ready-made conditions, Events and ConfigMaps. */
const WATCHED: readonly Pick<Right, 'group' | 'resource'>[] = [
  { group: '', resource: 'configmaps' },
  { group: '', resource: 'events' },
  { group: '', resource: 'persistentvolumeclaims' },
  { group: '', resource: 'pods' },
  { group: 'apps', resource: 'daemonsets' },
  { group: 'apps', resource: 'deployments' },
  { group: 'apps', resource: 'statefulsets' },
  { group: 'batch', resource: 'jobs' },
];

/** The rights of the trigger on what lives in a namespace. Secrets and custom resources are granted one by one. */
export const WATCH_RIGHTS: readonly Right[] = watchRights(WATCHED);

/** The rights of the trigger on what has no namespace. */
export const CLUSTER_WATCH_RIGHTS: readonly Right[] = watchRights([{ group: '', resource: 'nodes' }]).map((right) => ({
  ...right,
  clusterWide: true,
}));

/* @__NO_SIDE_EFFECTS__ */
function watchRights(watched: readonly Pick<Right, 'group' | 'resource'>[]): readonly Right[] {
  return watched.flatMap((kind) => [
    { verb: 'list', ...kind },
    { verb: 'watch', ...kind },
  ]);
}

/** Whether a text names a group of rights. */
export function isRightsGroup(text: string): text is RightsGroup {
  return Object.hasOwn(RIGHTS_GROUPS, text);
}

/**
 * The rights of a group: those its operations use, each once, in the order of the operations. Optional rights are left
 * out. The group `watch` is the trigger's; the group `cluster` also holds the lists of the group `read`, in all namespaces.
 */
export function rightsOfGroup(group: RightsGroup, operations: readonly OperationDescription[]): readonly Right[] {
  if (group === 'watch') return WATCH_RIGHTS;
  const own = operations.filter((operation) => operation.rightsGroup === group).flatMap(({ rights }) => rights);
  const lists =
    group === 'cluster'
      ? rightsOfGroup('read', operations)
          .filter(({ verb }) => verb === 'list')
          .map((right): Right => ({ ...right, clusterWide: true }))
      : [];
  return uniqueRights([...own, ...lists].filter(({ optional }) => optional !== true));
}

/** Each right once; the first of equal ones stays. */
export function uniqueRights(rights: readonly Right[]): readonly Right[] {
  const seen = new Set<string>();
  return rights.filter((right) => {
    const key = rightKey(right);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** The right in one namespace, or in all of them, as an access review takes it. */
export function rightIn(
  { verb, group, resource, subresource, clusterWide, namespace: fixed, names: [name] = [] }: Right,
  namespace: string,
): AccessAttributes {
  return {
    verb,
    group,
    resource,
    ...(subresource === undefined ? {} : { subresource }),
    ...(clusterWide === true ? {} : { namespace: fixed ?? namespace }),
    ...(name === undefined ? {} : { name }),
  };
}

/** `patch deployments.apps in production`, `list namespaces in all namespaces` */
export function accessText({ verb, group, resource, subresource, namespace, name }: AccessAttributes): string {
  const kind = `${resource}${group === '' ? '' : `.${group}`}${subresource ? `/${subresource}` : ''}`;
  const which = name ? ` ${name}` : '';
  return `${verb} ${kind}${which} in ${namespace ?? 'all namespaces'}`;
}

/** A text that is equal for equal rights. */
function rightKey({ verb, group, resource, subresource, clusterWide, namespace = '', names = [] }: Right): string {
  return [verb, group, resource, subresource ?? '', clusterWide === true ? '*' : namespace, ...names].join('|');
}
