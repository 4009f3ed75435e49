import { isNavinError, NavinError } from '../errors';
import {
  type AccessAttributes,
  type ApiResource,
  ifFound,
  isKubeObject,
  type KubeClient,
  type KubeObject,
  RESOURCES,
} from '../kube';
import { type AddOn, addOnsOf, groupsOf } from './addOns';
import { type IngressClass, readIngressClass, readStorageClass, type StorageClass } from './classes';
import { type Detected, detectDistribution } from './distribution';
import { type InventoryNode, type ReadNode, readNode, type Totals, totalsOf } from './node';
import { readWorkload, type Workload } from './workload';

/** What a cluster consists of. A part that may not be read is null and stands in `notRead`. */
export interface Inventory extends Detected {
  readonly server: string;
  /** RFC 3339. */
  readonly discoveredAt: string;
  /** gitVersion of the API server. */
  readonly version: string | null;
  /** `linux/amd64` */
  readonly platform: string | null;
  readonly totals: Totals | null;
  readonly nodes: readonly InventoryNode[] | null;
  readonly storageClasses: readonly StorageClass[] | null;
  readonly ingressClasses: readonly IngressClass[] | null;
  /** Null, too, where the cluster has no Deployment of it under a name that is known. */
  readonly coreDns: Workload | null;
  readonly addOns: readonly AddOn[] | null;
  /** Absent when everything could be read. */
  readonly notRead?: readonly NotRead[];
}

/** A part of an inventory that is kept from the credential. */
export interface NotRead {
  readonly part: Part;
  /** The right that is missing; absent where it is no right on a resource but on a path of the API server. */
  readonly right?: AccessAttributes;
}

/** A part of an inventory. */
export type Part = 'version' | 'nodes' | 'storageClasses' | 'ingressClasses' | 'coreDns' | 'addOns';

/** More nodes than Kubernetes supports twice over; the rest is cut. */
const MAX_NODES = 10_000;
/** More classes than anybody has. */
const MAX_CLASSES = 1_000;
/** Where CoreDNS runs, and its Deployment as kubeadm, k3s, EKS and AKS (the first) and RKE2 name it. */
export const CORE_DNS = { namespace: 'kube-system', names: ['coredns', 'rke2-coredns-rke2-coredns'] } as const;

/**
 * Reads what a cluster consists of by calls that change nothing: about eight, and one more for every 500 to 1,000 nodes.
 * What a missing right hides is said, the rest comes; any other error ends it, because half an inventory would look like
 * one of a smaller cluster.
 *
 * @param now ms since 1970
 */
export async function readInventory(client: KubeClient, now: number, signal?: AbortSignal): Promise<Inventory> {
  const [version, discovered, nodes, storageClasses, ingressClasses, coreDns] = await Promise.all([
    readable(() => client.version(signal)),
    readable(async () => ({
      resources: await client.resources(signal),
      failures: await client.discoveryFailures(signal),
    })),
    readable(() => listed(client, RESOURCES.nodes, MAX_NODES, readNode, signal)),
    readable(() => listed(client, RESOURCES.storageclasses, MAX_CLASSES, readStorageClass, signal)),
    readable(() => listed(client, RESOURCES.ingressclasses, MAX_CLASSES, readIngressClass, signal)),
    readable(() => findCoreDns(client, signal)),
  ]);
  const { resources = [], failures = [] } = discovered ?? {};
  const detected = detectDistribution({
    gitVersion: version?.gitVersion ?? '',
    host: new URL(client.target.server).hostname,
    groups: groupsOf(resources, failures),
    nodes: nodes?.map(({ signs }) => signs),
  });
  const notRead = missing({ version, addOns: discovered, nodes, storageClasses, ingressClasses, coreDns });
  return {
    server: client.target.server,
    discoveredAt: new Date(now).toISOString(),
    version: version?.gitVersion ?? null,
    platform: version?.platform ?? null,
    ...detected,
    totals: nodes === undefined ? null : totalsOf(nodes),
    nodes: nodes?.map(({ facts }: ReadNode) => facts) ?? null,
    storageClasses: storageClasses ?? null,
    ingressClasses: ingressClasses ?? null,
    coreDns: coreDns ?? null,
    addOns: discovered === undefined ? null : addOnsOf(resources, failures),
    ...(notRead.length === 0 ? {} : { notRead }),
  };
}

/** What was read, or undefined where that is refused. */
async function readable<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isNavinError(error) && error.code === 'k8s_forbidden') return undefined;
    throw error;
  }
}

async function listed<T>(
  client: KubeClient,
  resource: ApiResource,
  maxItems: number,
  read: (object: KubeObject) => T,
  signal: AbortSignal | undefined,
): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const { items } of client.pages(resource, { maxItems, dropManagedFields: true, signal })) {
    for (const item of items) {
      if (!isKubeObject(item))
        throw new NavinError('k8s_response_invalid', 'The answer holds something that is no object');
      found.push(read(item));
    }
  }
  return found;
}

async function findCoreDns(client: KubeClient, signal: AbortSignal | undefined): Promise<Workload | null> {
  const { namespace, names } = CORE_DNS;
  for (const name of names) {
    const deployment = await ifFound(client.get(RESOURCES.deployments, { namespace, name }, { signal }));
    if (deployment !== undefined) return readWorkload(deployment, 'coredns');
  }
  return null;
}

/** The right that each part needs; version and API groups are paths, which everybody may read unless that was taken away. */
const RIGHTS: Readonly<Record<Part, AccessAttributes | undefined>> = {
  version: undefined,
  addOns: undefined,
  nodes: { verb: 'list', group: '', resource: 'nodes' },
  storageClasses: { verb: 'list', group: 'storage.k8s.io', resource: 'storageclasses' },
  ingressClasses: { verb: 'list', group: 'networking.k8s.io', resource: 'ingressclasses' },
  coreDns: {
    verb: 'get',
    group: 'apps',
    resource: 'deployments',
    namespace: CORE_DNS.namespace,
    name: CORE_DNS.names[0],
  },
};

function missing(parts: Readonly<Record<Part, unknown>>): readonly NotRead[] {
  return (Object.keys(RIGHTS) as Part[])
    .filter((part) => parts[part] === undefined)
    .map((part) => ({ part, ...(RIGHTS[part] && { right: RIGHTS[part] }) }));
}
