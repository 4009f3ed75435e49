import type { KubeObject } from '../kube';
import { textAt, textsAt } from './reading';

/** Who built a cluster, or runs its control plane. `custom`: a build suffix that nobody knows; `kubernetes`: none at all. */
export type Distribution =
  | 'openshift'
  | 'tanzu'
  | 'harvester'
  | 'embedded-cluster'
  | 'kurl'
  | 'eks-anywhere'
  | 'eks'
  | 'gke'
  | 'aks'
  | 'iks'
  | 'ack'
  | 'tke'
  | 'doks'
  | 'lke'
  | 'oke'
  | 'rke2'
  | 'k3s'
  | 'k0s'
  | 'talos'
  | 'microk8s'
  | 'minikube'
  | 'docker-desktop'
  | 'kind'
  | 'kops'
  | 'custom'
  | 'kubernetes';

/** What a distribution shows of itself and no other does. */
interface Signs {
  readonly distribution: Distribution;
  /** Of the version of the API server. */
  readonly version?: RegExp;
  /** An API group it serves. */
  readonly group?: string;
  /** The host of its API server. */
  readonly host?: RegExp;
  /** `key=value`; the key is a whole one or begins with the domain. */
  readonly labels?: readonly RegExp[];
  readonly annotation?: RegExp;
  readonly providerId?: RegExp;
  readonly osImage?: RegExp;
  /** It is built on these, or runs on their machines, so that their signs do not contradict it. */
  readonly over?: readonly Distribution[];
}

/**
 * The signs, by distribution; one that is built on another comes before it. Provider ids as `aws://`, `gce://` and
 * `azure://` tell where machines stand, not who runs the cluster: they are no signs. Sources: versions, labels and objects
 * of such clusters in public files, and kots (pkg/reporting/distribution.go).
 */
const SIGNS: readonly Signs[] = [
  {
    distribution: 'openshift',
    group: 'config.openshift.io',
    labels: [/^node\.openshift\.io\/os_id=/],
    osImage: /^Red Hat (?:Enterprise Linux )?CoreOS/,
    // On IBM's cloud OpenShift is a variant of IKS.
    over: ['iks'],
  },
  { distribution: 'tanzu', group: 'run.tanzu.vmware.com', version: /\+vmware\.\d/ },
  { distribution: 'harvester', labels: [/^harvesterhci\.io\/managed=/], over: ['rke2', 'k3s'] },
  { distribution: 'embedded-cluster', labels: [/^kots\.io\/embedded-cluster-role(?:-\d+)?=/], over: ['k0s'] },
  { distribution: 'kurl', labels: [/^kurl\.sh\/cluster=/] },
  { distribution: 'eks-anywhere', group: 'anywhere.eks.amazonaws.com', over: ['eks'] },
  {
    distribution: 'eks',
    version: /-eks-/,
    host: /\.eks\.amazonaws\.com(?:\.cn)?$/,
    labels: [/^eks\.amazonaws\.com\//],
  },
  { distribution: 'gke', version: /[-+]gke\./, labels: [/^cloud\.google\.com\/gke-/] },
  {
    distribution: 'aks',
    host: /\.azmk8s\.io$/,
    labels: [/^kubernetes\.azure\.com\/(?:cluster|role|node-image-version|agentpool)=/],
  },
  { distribution: 'iks', version: /\+IKS$/, labels: [/^ibm-cloud\.kubernetes\.io\//] },
  {
    distribution: 'ack',
    version: /-aliyun\.\d/,
    labels: [/^alibabacloud\.com\/nodepool-id=/, /^ack\.aliyun\.com=/],
  },
  { distribution: 'tke', version: /-tke\.\d/, providerId: /^qcloud:/ },
  { distribution: 'doks', host: /\.k8s\.ondigitalocean\.com$/, labels: [/^doks\.digitalocean\.com\//] },
  { distribution: 'lke', host: /\.linodelke\.net$/, labels: [/^lke\.linode\.com\//] },
  { distribution: 'oke', labels: [/^oci\.oraclecloud\.com\/fault-domain=/] },
  {
    distribution: 'rke2',
    version: /[-+]rke2r\d/,
    annotation: /^rke2\.io\/node-args$/,
    labels: [/^node\.kubernetes\.io\/instance-type=rke2$/],
  },
  {
    distribution: 'k3s',
    // Image tags write `-`, gitVersion writes `+`.
    version: /[-+]k3s\d/,
    annotation: /^k3s\.io\/node-args$/,
    labels: [/^node\.kubernetes\.io\/instance-type=k3s$/],
  },
  { distribution: 'k0s', version: /[-+]k0s(?:\.\d+)?$/, labels: [/^node\.k0sproject\.io\/role=/] },
  { distribution: 'talos', osImage: /^Talos \(/ },
  {
    distribution: 'microk8s',
    labels: [/^microk8s\.io\/cluster=/, /^node\.kubernetes\.io\/microk8s-(?:controlplane|worker)=/],
  },
  { distribution: 'minikube', labels: [/^minikube\.k8s\.io\//] },
  { distribution: 'docker-desktop', osImage: /^Docker Desktop$/, over: ['kind'] },
  { distribution: 'kind', providerId: /^kind:/ },
  { distribution: 'kops', labels: [/^kops\.k8s\.io\/instancegroup=/] },
];

/** Where something was seen. */
export type SignSource = 'apiGroup' | 'apiServer' | 'gitVersion' | 'label' | 'annotation' | 'providerId' | 'osImage';

/** Something that was seen and whose it is. */
export interface Sign {
  readonly distribution: Distribution;
  readonly source: SignSource;
  readonly value: string;
}

/** What a node tells of who built its cluster. */
export interface NodeSigns {
  readonly signs: readonly Sign[];
  readonly controlPlane: boolean;
  /** `aws` of `aws:///…` */
  readonly provider: string | undefined;
}

/** The distributions in their order. */
export const ORDER: readonly Distribution[] = SIGNS.map(({ distribution }) => distribution);

/** Whether signs of one are no surprise on a cluster of the other. */
export function isBuiltOn(distribution: Distribution, other: Distribution): boolean {
  return SIGNS.find((signs) => signs.distribution === distribution)?.over?.includes(other) ?? false;
}

/** Who built a cluster, by the version of its API server alone; undefined for a plain version. */
export function versionSign(gitVersion: string): Sign | undefined {
  const found = SIGNS.find(({ version }) => version?.test(gitVersion));
  if (found !== undefined) return { distribution: found.distribution, source: 'gitVersion', value: gitVersion };
  return gitVersion.includes('+') ? { distribution: 'custom', source: 'gitVersion', value: gitVersion } : undefined;
}

/**
 * What a gitVersion alone tells about who built the cluster: `custom` for a build suffix that is not known, `unknown` for a
 * plain version, as kubeadm, AKS and kind have.
 */
export function distributionOf(gitVersion: string): Distribution | 'unknown' {
  return versionSign(gitVersion)?.distribution ?? 'unknown';
}

/** What a cluster shows beside its version and its nodes. */
export function clusterSigns(groups: readonly string[], host: string): readonly Sign[] {
  const served = new Set(groups);
  return SIGNS.flatMap((signs): readonly Sign[] => [
    ...(signs.group !== undefined && served.has(signs.group)
      ? [{ distribution: signs.distribution, source: 'apiGroup', value: signs.group } as const]
      : []),
    ...(signs.host?.test(host) === true
      ? [{ distribution: signs.distribution, source: 'apiServer', value: host } as const]
      : []),
  ]);
}

/** Keys of labels by the domain they begin with, so that a label is compared with few signs. */
const LABEL_SIGNS = new Map<string, (readonly [RegExp, Distribution])[]>();
for (const { distribution, labels = [] } of SIGNS) {
  for (const pattern of labels) {
    const domain = domainOf(pattern.source.slice(1).replaceAll('\\', ''));
    LABEL_SIGNS.set(domain, [...(LABEL_SIGNS.get(domain) ?? []), [pattern, distribution]]);
  }
}

const CONTROL_PLANE = /^node-role\.kubernetes\.io\/(?:control-plane|master)$/;
/** Longer values are cut: they are shown as evidence. */
const MAX_VALUE = 128;

/** What a node shows: each distribution once by each source. */
export function nodeSigns(node: KubeObject): NodeSigns {
  const labels = textsAt(node, 'metadata', 'labels');
  const annotations = textsAt(node, 'metadata', 'annotations').map(([key]) => key);
  const providerId = textAt(node, 'spec', 'providerID') ?? '';
  const osImage = textAt(node, 'status', 'nodeInfo', 'osImage') ?? '';
  const found = new Map<string, Sign>();
  const see = (distribution: Distribution, source: SignSource, value: string): void => {
    const key = `${distribution} ${source}`;
    if (!found.has(key)) found.set(key, { distribution, source, value: value.slice(0, MAX_VALUE) });
  };
  for (const [key, value] of labels) {
    for (const [pattern, distribution] of LABEL_SIGNS.get(domainOf(key)) ?? []) {
      const label = `${key}=${value}`;
      if (pattern.test(label)) see(distribution, 'label', label);
    }
  }
  for (const { distribution, annotation, providerId: ofProvider, osImage: ofSystem } of SIGNS) {
    const noted = annotation && annotations.find((key) => annotation.test(key));
    if (noted !== undefined) see(distribution, 'annotation', noted);
    if (ofProvider?.test(providerId) === true) see(distribution, 'providerId', providerId);
    if (ofSystem?.test(osImage) === true) see(distribution, 'osImage', osImage);
  }
  return {
    signs: [...found.values()],
    controlPlane: labels.some(([key]) => CONTROL_PLANE.test(key)),
    provider: /^([a-z][a-z0-9+.-]*):\/\//.exec(providerId)?.[1],
  };
}

/** `eks.amazonaws.com` of `eks.amazonaws.com/nodegroup=a` */
function domainOf(label: string): string {
  return label.split(/[/=]/, 1)[0] ?? '';
}
