import { RESOURCE_DESCRIPTIONS, RUNS } from './Kubernetes/actions';
import * as navinCluster from './NavinCluster/actions';
import * as navinComponent from './NavinComponent/actions';
import * as navinMcpRuntime from './NavinMcpRuntime/actions';
import type { AnyRun, OperationDescription, ResourceDescription } from './shared/operation';

/** A node that acts: its operations as data, and their functions. */
export interface ActingNode {
  /** Its folder below `nodes`. */
  readonly folder: string;
  /** `Kubernetes` */
  readonly displayName: string;
  /** Its page, below `docs`. */
  readonly page: string;
  readonly resources: readonly ResourceDescription[];
  /** By resource and operation. */
  readonly runs: Readonly<Record<string, Readonly<Record<string, AnyRun>>>>;
}

/**
 * All nodes that act. Groups of rights, pages, schemas and tests follow from this list. The values of resources differ
 * between nodes.
 */
export const NODES: readonly ActingNode[] = [
  {
    folder: 'Kubernetes',
    displayName: 'Kubernetes',
    page: 'kubernetes-node.md',
    resources: RESOURCE_DESCRIPTIONS,
    runs: RUNS,
  },
  {
    folder: 'NavinCluster',
    displayName: 'Navin Cluster',
    page: 'navin-cluster.md',
    resources: navinCluster.RESOURCE_DESCRIPTIONS,
    runs: navinCluster.RUNS,
  },
  {
    folder: 'NavinComponent',
    displayName: 'Navin Component',
    page: 'navin-component.md',
    resources: navinComponent.RESOURCE_DESCRIPTIONS,
    runs: navinComponent.RUNS,
  },
  {
    folder: 'NavinMcpRuntime',
    displayName: 'Navin MCP Runtime',
    page: 'navin-mcp-runtime.md',
    resources: navinMcpRuntime.RESOURCE_DESCRIPTIONS,
    runs: navinMcpRuntime.RUNS,
  },
];

/**
 * The operations of all nodes: what the groups of rights follow from. Not by way of {@link NODES}: whoever needs the
 * descriptions of all nodes must not load what runs them.
 */
export const OPERATIONS: readonly OperationDescription[] = [
  ...RESOURCE_DESCRIPTIONS,
  ...navinCluster.RESOURCE_DESCRIPTIONS,
  ...navinComponent.RESOURCE_DESCRIPTIONS,
  ...navinMcpRuntime.RESOURCE_DESCRIPTIONS,
].flatMap(({ operations }) => operations);
