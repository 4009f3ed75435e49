import type { ApiResource, DiscoveryFailure } from '../kube';

/** A part of the platform that serves an API of its own. */
export interface AddOn {
  readonly name: string;
  readonly group: string;
  readonly versions: readonly string[];
  /** False: the API is registered, and its server does not answer. */
  readonly available: boolean;
}

interface Known {
  readonly name: string;
  readonly group: string;
  /** A kind it serves, where others share the group. */
  readonly kind?: string;
}

/** What is recognised, by the API group of its resources. */
const KNOWN: readonly Known[] = [
  { name: 'Argo CD', group: 'argoproj.io', kind: 'Application' },
  { name: 'Argo Rollouts', group: 'argoproj.io', kind: 'Rollout' },
  { name: 'Argo Workflows', group: 'argoproj.io', kind: 'Workflow' },
  { name: 'Calico', group: 'crd.projectcalico.org' },
  { name: 'cert-manager', group: 'cert-manager.io' },
  { name: 'Cilium', group: 'cilium.io' },
  { name: 'External Secrets', group: 'external-secrets.io' },
  { name: 'Flux', group: 'kustomize.toolkit.fluxcd.io' },
  { name: 'Gateway API', group: 'gateway.networking.k8s.io' },
  { name: 'Istio', group: 'networking.istio.io' },
  { name: 'KEDA', group: 'keda.sh' },
  { name: 'Kyverno', group: 'kyverno.io' },
  { name: 'Longhorn', group: 'longhorn.io' },
  { name: 'Metrics Server', group: 'metrics.k8s.io' },
  { name: 'Navin Platform Operator', group: 'platform.navin.ai' },
  { name: 'NVIDIA GPU Operator', group: 'nvidia.com', kind: 'ClusterPolicy' },
  { name: 'OpenShift', group: 'config.openshift.io' },
  { name: 'Prometheus Operator', group: 'monitoring.coreos.com' },
  { name: 'ToolHive', group: 'toolhive.stacklok.dev' },
  { name: 'Velero', group: 'velero.io' },
  { name: 'Volume Snapshots', group: 'snapshot.storage.k8s.io' },
];

/** The add-ons among what a cluster serves, by name. A group whose server is down may hide which of several it is. */
export function addOnsOf(
  resources: readonly Pick<ApiResource, 'group' | 'version' | 'kind'>[],
  failures: readonly Pick<DiscoveryFailure, 'group' | 'version'>[],
): readonly AddOn[] {
  return KNOWN.flatMap(({ name, group, kind }): readonly AddOn[] => {
    const served = resources.filter((resource) => resource.group === group);
    const broken = failures.filter((failure) => failure.group === group);
    const isThere = kind === undefined ? served.length + broken.length > 0 : served.some((one) => one.kind === kind);
    if (!isThere) return [];
    const versions = [...new Set([...served, ...broken].map(({ version }) => version))];
    return [{ name, group, versions, available: served.length > 0 }];
  });
}

/** The API groups, each once. */
export function groupsOf(
  resources: readonly Pick<ApiResource, 'group'>[],
  failures: readonly Pick<DiscoveryFailure, 'group'>[],
): readonly string[] {
  return [...new Set([...resources, ...failures].map(({ group }) => group))];
}
