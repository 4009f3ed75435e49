import type { KubeObject } from '../kube';
import { taintsOf, taintText } from '../machine';
import { type Amounts, amountsOf, type Quantities, quantitiesOf, totalOf } from './amounts';
import { at, defined, recordsAt, textAt, textsAt } from './reading';
import { type NodeSigns, nodeSigns } from './signs';

/** A node of the cluster. What it does not state is absent. */
export interface InventoryNode {
  readonly name: string;
  readonly ready: boolean;
  readonly schedulable: boolean;
  readonly roles: readonly string[];
  readonly taints: readonly string[];
  readonly providerId?: string;
  readonly instanceType?: string;
  readonly region?: string;
  readonly zone?: string;
  readonly architecture?: string;
  readonly osImage?: string;
  readonly kernel?: string;
  readonly containerRuntime?: string;
  readonly kubelet?: string;
  readonly createdAt?: string;
  readonly capacity: Amounts;
  readonly allocatable: Amounts;
}

/** How many nodes there are, and what they have together. */
export interface Totals {
  readonly nodes: number;
  readonly ready: number;
  readonly schedulable: number;
  readonly capacity: Amounts;
  readonly allocatable: Amounts;
}

/** What is kept of a node while the others are read: it is a tenth of the object. */
export interface ReadNode {
  readonly facts: InventoryNode;
  readonly signs: NodeSigns;
  readonly capacity: Quantities;
  readonly allocatable: Quantities;
}

/** Reads a Node. */
export function readNode(node: KubeObject): ReadNode {
  const labels = new Map(textsAt(node, 'metadata', 'labels'));
  const [capacity, allocatable] = ['capacity', 'allocatable'].map((part) => quantitiesOf(node, 'status', part)) as [
    Quantities,
    Quantities,
  ];
  const info = (field: string): string | undefined => textAt(node, 'status', 'nodeInfo', field);
  const facts = defined({
    name: textAt(node, 'metadata', 'name') ?? '',
    ready: recordsAt(node, 'status', 'conditions').some(({ type, status }) => type === 'Ready' && status === 'True'),
    schedulable: at(node, 'spec', 'unschedulable') !== true,
    roles: rolesOf(labels),
    taints: taintsOf(node).map(taintText),
    providerId: textAt(node, 'spec', 'providerID'),
    instanceType: labels.get('node.kubernetes.io/instance-type') ?? labels.get('beta.kubernetes.io/instance-type'),
    region: labels.get('topology.kubernetes.io/region') ?? labels.get('failure-domain.beta.kubernetes.io/region'),
    zone: labels.get('topology.kubernetes.io/zone') ?? labels.get('failure-domain.beta.kubernetes.io/zone'),
    architecture: info('architecture'),
    osImage: info('osImage'),
    kernel: info('kernelVersion'),
    containerRuntime: info('containerRuntimeVersion'),
    kubelet: info('kubeletVersion'),
    createdAt: textAt(node, 'metadata', 'creationTimestamp'),
    capacity: amountsOf(capacity),
    allocatable: amountsOf(allocatable),
  });
  return { facts, signs: nodeSigns(node), capacity, allocatable };
}

/** As `kubectl get nodes` finds them, by the label of today and the one of old. */
function rolesOf(labels: ReadonlyMap<string, string>): readonly string[] {
  const roles = [...labels].flatMap(([key, value]) => {
    const role = /^node-role\.kubernetes\.io\/(.+)$/.exec(key)?.[1];
    return role ?? (key === 'kubernetes.io/role' && value !== '' ? value : []);
  });
  return [...new Set(roles)].sort();
}

/** Sums without a loss. */
export function totalsOf(nodes: readonly ReadNode[]): Totals {
  return {
    nodes: nodes.length,
    ready: nodes.filter(({ facts }) => facts.ready).length,
    schedulable: nodes.filter(({ facts }) => facts.schedulable).length,
    capacity: amountsOf(totalOf(nodes.map(({ capacity }) => capacity))),
    allocatable: amountsOf(totalOf(nodes.map(({ allocatable }) => allocatable))),
  };
}
