import {
  clusterSigns,
  type Distribution,
  isBuiltOn,
  type NodeSigns,
  ORDER,
  type Sign,
  type SignSource,
  versionSign,
} from './signs';

/** Who runs the control plane: a cloud, or whoever brought the cluster. */
export type Mode = 'managed' | 'byo';

/**
 * `high`: signs of two kinds, or one of the API server itself, and none against it. `medium`: one kind of sign of the nodes,
 * or something small speaks against it. `low`: signs that contradict each other, or none where there could be some.
 */
export type Confidence = 'high' | 'medium' | 'low';

/** What was seen, and for which distribution it speaks. */
export interface Evidence {
  readonly distribution: Distribution;
  readonly source: SignSource | 'nodes';
  readonly value: string;
  /** How many nodes show it. */
  readonly nodes?: number;
}

/** A distribution with what speaks for it, and what against. */
export interface Detected {
  readonly distribution: Distribution;
  readonly mode: Mode;
  readonly confidence: Confidence;
  readonly evidence: readonly Evidence[];
}

/** What can be known of a cluster. */
export interface ClusterFacts {
  /** Empty when it is not known. */
  readonly gitVersion: string;
  /** The host of the API server. */
  readonly host: string;
  /** API groups; none when they may not be read. */
  readonly groups: readonly string[];
  /** Undefined when they may not be read. */
  readonly nodes: readonly NodeSigns[] | undefined;
}

const MANAGED: ReadonlySet<Distribution> = new Set(['eks', 'gke', 'aks', 'iks', 'ack', 'tke', 'doks', 'lke', 'oke']);
/** Where the machines of EKS itself stand; EKS Anywhere has others. */
const EKS_PROVIDERS: ReadonlySet<string> = new Set(['aws', 'eks-hybrid']);

/** A distribution that something speaks for. */
interface Candidate {
  readonly distribution: Distribution;
  readonly evidence: readonly Evidence[];
  /** The API server says so, or at least half of the nodes do. */
  readonly decisive: boolean;
  /** The most nodes that show a sign. */
  readonly nodes: number;
}

/** Who built a cluster, by all that can be read of it; nodes need not be readable. */
export function detectDistribution(facts: ClusterFacts): Detected {
  const candidates = candidatesOf(facts);
  const [lead, ...others] = [...candidates].sort(byWeight);
  if (lead === undefined) return plain(facts);
  const found = lead.distribution === 'eks' ? eksOrAnywhere(lead, facts) : { ...lead, doubt: false };
  const { distribution, evidence, doubt } = found;
  const against = others.filter((other) => !isBuiltOn(distribution, other.distribution));
  return {
    distribution,
    mode: MANAGED.has(distribution) ? 'managed' : 'byo',
    confidence: confidenceOf(lead, evidence, against, doubt),
    evidence: [...evidence, ...others.flatMap((other) => other.evidence)],
  };
}

function candidatesOf({ gitVersion, host, groups, nodes = [] }: ClusterFacts): readonly Candidate[] {
  const version = versionSign(gitVersion);
  const ofServer = [...clusterSigns(groups, host), ...(version === undefined ? [] : [version])];
  const ofNodes = countSigns(nodes);
  return ORDER.flatMap((distribution) => {
    const server = ofServer.filter((sign) => sign.distribution === distribution);
    const counted = ofNodes.filter((sign) => sign.distribution === distribution);
    if (server.length + counted.length === 0) return [];
    const most = Math.max(0, ...counted.map((sign) => sign.nodes));
    const decisive = server.length > 0 || 2 * most >= nodes.length;
    return [{ distribution, evidence: [...server, ...counted], decisive, nodes: most }];
  });
}

function countSigns(nodes: readonly NodeSigns[]): readonly (Sign & { readonly nodes: number })[] {
  const counted = new Map<string, Sign & { nodes: number }>();
  for (const sign of nodes.flatMap(({ signs }) => signs)) {
    const key = `${sign.distribution} ${sign.source}`;
    const before = counted.get(key);
    if (before === undefined) counted.set(key, { ...sign, nodes: 1 });
    else before.nodes += 1;
  }
  return [...counted.values()];
}

/** What decides before what does not, else what most nodes show; the order of the candidates stays where that is equal. */
function byWeight(left: Candidate, right: Candidate): number {
  if (left.decisive !== right.decisive) return left.decisive ? -1 : 1;
  return left.decisive ? 0 : right.nodes - left.nodes;
}

/**
 * EKS and EKS Anywhere have the same version. EKS hides its control plane, and its nodes are machines of AWS or registered
 * as hybrid ones.
 */
function eksOrAnywhere(
  { evidence }: Candidate,
  { nodes = [] }: ClusterFacts,
): Pick<Detected, 'distribution' | 'evidence'> & { readonly doubt: boolean } {
  const ofVersion = evidence.some(({ source }) => source === 'gitVersion');
  const controlPlane = nodes.filter((node) => node.controlPlane).length;
  const elsewhere = nodes.filter(({ provider }) => provider !== undefined && !EKS_PROVIDERS.has(provider));
  const anywhere = (value: string, count: number) => {
    const seen: Evidence = { distribution: 'eks-anywhere', source: 'nodes', value, nodes: count };
    return { distribution: 'eks-anywhere' as const, evidence: [...evidence, seen], doubt: false };
  };
  if (controlPlane > 0) return anywhere('control plane among the nodes', controlPlane);
  if (elsewhere.length > 0 && elsewhere.length === nodes.length) {
    return anywhere(`machines of ${elsewhere[0]?.provider ?? ''}`, elsewhere.length);
  }
  const doubt = ofVersion && !nodes.some(({ provider }) => provider !== undefined);
  return { distribution: 'eks', evidence, doubt };
}

function confidenceOf(
  lead: Candidate,
  evidence: readonly Evidence[],
  against: readonly Candidate[],
  doubt: boolean,
): Confidence {
  if (!lead.decisive || against.some(({ decisive }) => decisive)) return 'low';
  if (against.length > 0 || doubt) return 'medium';
  const sources = new Set(evidence.map(({ source }) => source));
  return sources.size > 1 || sources.has('apiGroup') || sources.has('gitVersion') ? 'high' : 'medium';
}

/** Nobody's sign: plain Kubernetes, or a build whose suffix nobody knows. */
function plain({ gitVersion, nodes = [] }: ClusterFacts): Detected {
  const version = versionSign(gitVersion);
  if (version !== undefined) return { distribution: 'custom', mode: 'byo', confidence: 'low', evidence: [version] };
  return {
    distribution: 'kubernetes',
    mode: 'byo',
    confidence: nodes.length > 0 && gitVersion !== '' ? 'medium' : 'low',
    evidence: gitVersion === '' ? [] : [{ distribution: 'kubernetes', source: 'gitVersion', value: gitVersion }],
  };
}
