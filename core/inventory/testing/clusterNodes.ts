/** A node as it is created: what the API server adds is absent. */
export interface NodeObject {
  readonly metadata: {
    readonly name: string;
    readonly labels: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly providerID: string;
    readonly taints?: readonly { readonly key: string; readonly effect: string; readonly value?: string }[];
  };
  readonly status: {
    readonly capacity: Readonly<Record<string, string>>;
    readonly allocatable: Readonly<Record<string, string>>;
    readonly nodeInfo: Readonly<Record<string, string>>;
    readonly conditions: readonly { readonly type: string; readonly status: string }[];
  };
}

/** What the nodes of a distribution look like. */
interface Look {
  readonly name: (index: number) => string;
  readonly labels: (index: number) => Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly providerID: (index: number) => string;
  readonly instanceType: string;
  readonly region: string;
  readonly zones: readonly string[];
  readonly osImage: string;
  readonly kernel: string;
  readonly runtime: string;
  readonly kubelet: string;
  readonly capacity: Readonly<Record<string, string>>;
  readonly allocatable: Readonly<Record<string, string>>;
}

const hex = (index: number, length: number): string => (index * 2_654_435_761).toString(16).padStart(length, '0');

/** Nodes of eight distributions with the labels, ids and amounts that public files show of them. */
const LOOKS = {
  eks: {
    name: (index) => `ip-10-0-${String(index >> 8)}-${String(index & 255)}.eu-west-1.compute.internal`,
    labels: (index) => ({
      'eks.amazonaws.com/nodegroup': `group${String(index % 3)}`,
      'eks.amazonaws.com/capacityType': 'ON_DEMAND',
      'eks.amazonaws.com/nodegroup-image': 'ami-0abc123def456789',
      'k8s.io/cloud-provider-aws': 'e69ac44ce4ffd5c6e3cd4b8d67bd8ac9',
    }),
    providerID: (index) => `aws:///eu-west-1a/i-${hex(index, 17).slice(0, 17)}`,
    instanceType: 'm6i.xlarge',
    region: 'eu-west-1',
    zones: ['eu-west-1a', 'eu-west-1b', 'eu-west-1c'],
    osImage: 'Amazon Linux 2023.9.20260105',
    kernel: '6.1.159-181.297.amzn2023.x86_64',
    runtime: 'containerd://2.1.5',
    kubelet: 'v1.35.0-eks-efcacff',
    capacity: { cpu: '4', memory: '16081904Ki', 'ephemeral-storage': '83873772Ki', pods: '58' },
    allocatable: { cpu: '3920m', memory: '15064048Ki', 'ephemeral-storage': '76224326324', pods: '58' },
  },
  gke: {
    name: (index) => `gke-shop-group-1-${hex(index, 8).slice(0, 8)}-${String(index)}`,
    labels: () => ({
      'cloud.google.com/gke-nodepool': 'group-1',
      'cloud.google.com/gke-os-distribution': 'cos',
      'cloud.google.com/gke-container-runtime': 'containerd',
      'cloud.google.com/machine-family': 'e2',
    }),
    providerID: (index) => `gce://shop-project/europe-west1-b/gke-shop-group-1-${String(index)}`,
    instanceType: 'e2-standard-4',
    region: 'europe-west1',
    zones: ['europe-west1-b', 'europe-west1-c'],
    osImage: 'Container-Optimized OS from Google',
    kernel: '6.6.97+',
    runtime: 'containerd://2.0.6',
    kubelet: 'v1.35.1-gke.1396000',
    capacity: { cpu: '4', memory: '16370264Ki', 'ephemeral-storage': '98831908Ki', pods: '110' },
    allocatable: { cpu: '3920m', memory: '13592152Ki', 'ephemeral-storage': '47060071478', pods: '110' },
  },
  aks: {
    name: (index) => `aks-agentpool-31405971-vmss${index.toString(36).padStart(6, '0')}`,
    labels: () => ({
      'kubernetes.azure.com/cluster': 'MC_group_shop_westeurope',
      'kubernetes.azure.com/role': 'agent',
      'kubernetes.azure.com/agentpool': 'agentpool',
      'kubernetes.azure.com/node-image-version': 'AKSUbuntu-2404gen2containerd-202602.13.0',
    }),
    providerID: (index) =>
      `azure:///subscriptions/0000/resourceGroups/mc_group_shop_westeurope/providers/Microsoft.Compute/virtualMachineScaleSets/aks-agentpool/virtualMachines/${String(index)}`,
    instanceType: 'Standard_D4s_v5',
    region: 'westeurope',
    zones: ['westeurope-1', 'westeurope-2', 'westeurope-3'],
    osImage: 'Ubuntu 24.04.3 LTS',
    kernel: '6.8.0-1044-azure',
    runtime: 'containerd://2.0.0',
    kubelet: 'v1.35.0',
    capacity: { cpu: '4', memory: '16371888Ki', 'ephemeral-storage': '129886128Ki', pods: '250' },
    allocatable: { cpu: '3860m', memory: '14219440Ki', 'ephemeral-storage': '119703055367', pods: '250' },
  },
  openshift: {
    name: (index) => `ci-ln-worker-${String(index)}`,
    labels: () => ({ 'node.openshift.io/os_id': 'rhcos', 'node-role.kubernetes.io/worker': '' }),
    annotations: { 'machineconfiguration.openshift.io/state': 'Done' },
    providerID: (index) => `gce://openshift-project/us-east1-b/ci-ln-worker-${String(index)}`,
    instanceType: 'n1-standard-4',
    region: 'us-east1',
    zones: ['us-east1-b'],
    osImage: 'Red Hat Enterprise Linux CoreOS 9.6.20260112-0',
    kernel: '5.14.0-570.el9_6.x86_64',
    runtime: 'cri-o://1.33.5',
    kubelet: 'v1.33.5',
    capacity: { cpu: '4', memory: '15383896Ki', 'ephemeral-storage': '133665772Ki', pods: '250' },
    allocatable: { cpu: '3500m', memory: '14232920Ki', 'ephemeral-storage': '123052275467', pods: '250' },
  },
  k3s: {
    name: (index) => `k3s-${String(index)}`,
    labels: (index) => ({
      'node.kubernetes.io/instance-type': 'k3s',
      ...(index % 20 === 0 && { 'node-role.kubernetes.io/control-plane': 'true' }),
    }),
    annotations: { 'k3s.io/node-args': '["agent"]' },
    providerID: (index) => `k3s://k3s-${String(index)}`,
    instanceType: 'k3s',
    region: 'home',
    zones: ['home-1'],
    osImage: 'Debian GNU/Linux 12 (bookworm)',
    kernel: '6.1.0-41-arm64',
    runtime: 'containerd://2.1.5-k3s1',
    kubelet: 'v1.36.1+k3s1',
    capacity: { cpu: '4', memory: '8053728Ki', 'ephemeral-storage': '30298176Ki', pods: '110' },
    allocatable: { cpu: '4', memory: '8053728Ki', 'ephemeral-storage': '29474065603', pods: '110' },
  },
  rke2: {
    name: (index) => `rke2-${String(index)}`,
    labels: () => ({ 'node.kubernetes.io/instance-type': 'rke2' }),
    annotations: { 'rke2.io/node-args': '["agent"]' },
    providerID: (index) => `rke2://rke2-${String(index)}`,
    instanceType: 'rke2',
    region: 'cellar',
    zones: ['cellar-1', 'cellar-2'],
    osImage: 'SUSE Linux Enterprise Server 15 SP7',
    kernel: '6.4.0-150700.53.25-default',
    runtime: 'containerd://2.1.5-k3s1',
    kubelet: 'v1.35.3+rke2r3',
    capacity: {
      cpu: '128',
      memory: '1056489324Ki',
      'ephemeral-storage': '1843217Mi',
      pods: '110',
      'nvidia.com/gpu': '8',
    },
    allocatable: {
      cpu: '128',
      memory: '1056386924Ki',
      'ephemeral-storage': '1843217Mi',
      pods: '110',
      'nvidia.com/gpu': '7',
    },
  },
  talos: {
    name: (index) => `talos-${hex(index, 6).slice(0, 6)}-${String(index)}`,
    labels: () => ({ 'extensions.talos.dev/qemu-guest-agent': '10.0.2' }),
    providerID: (index) => `talos://${String(index)}`,
    instanceType: 'bare',
    region: 'rack',
    zones: ['rack-1'],
    osImage: 'Talos (v1.12.1)',
    kernel: '6.18.1-talos',
    runtime: 'containerd://2.1.5',
    kubelet: 'v1.35.0',
    capacity: { cpu: '16', memory: '65730Mi', 'ephemeral-storage': '487652Mi', pods: '110', 'amd.com/gpu': '1' },
    allocatable: { cpu: '15950m', memory: '65218Mi', 'ephemeral-storage': '449165Mi', pods: '110', 'amd.com/gpu': '1' },
  },
  doks: {
    name: (index) => `pool-y25ag12r1-${index.toString(36)}`,
    labels: (index) => ({
      'doks.digitalocean.com/node-pool': 'pool-y25ag12r1',
      'doks.digitalocean.com/node-id': hex(index, 12),
      'doks.digitalocean.com/version': '1.34.1-do.2',
    }),
    providerID: (index) => `digitalocean://${String(219_734_980 + index)}`,
    instanceType: 's-4vcpu-8gb',
    region: 'fra1',
    zones: ['fra1'],
    osImage: 'Debian GNU/Linux 13 (trixie)',
    kernel: '6.12.57+deb13-amd64',
    runtime: 'containerd://1.7.29',
    kubelet: 'v1.34.1',
    capacity: { cpu: '4', memory: '8151128Ki', 'ephemeral-storage': '164855920Ki', pods: '110' },
    allocatable: { cpu: '3900m', memory: '6694Mi', 'ephemeral-storage': '151931215595', pods: '110' },
  },
} as const satisfies Record<string, Look>;

/** Those whose nodes there are. */
export type NodeLook = keyof typeof LOOKS;
export const NODE_LOOKS = Object.keys(LOOKS) as readonly NodeLook[];

/** Some nodes of a distribution. */
export function nodesOf(distribution: NodeLook, count: number): readonly NodeObject[] {
  const look: Look = LOOKS[distribution];
  return Array.from({ length: count }, (_, index) => nodeOf(look, index));
}

/** Nodes of all distributions in turn, as no cluster has them. */
export function mixedNodes(count: number): readonly NodeObject[] {
  const each = Math.ceil(count / NODE_LOOKS.length);
  return NODE_LOOKS.flatMap((distribution) => nodesOf(distribution, each)).slice(0, count);
}

function nodeOf(look: Look, index: number): NodeObject {
  const name = look.name(index);
  const zone = look.zones[index % look.zones.length] ?? '';
  return {
    metadata: {
      name,
      labels: {
        'beta.kubernetes.io/arch': 'amd64',
        'beta.kubernetes.io/os': 'linux',
        'kubernetes.io/arch': 'amd64',
        'kubernetes.io/hostname': name,
        'kubernetes.io/os': 'linux',
        'node.kubernetes.io/instance-type': look.instanceType,
        'topology.kubernetes.io/region': look.region,
        'topology.kubernetes.io/zone': zone,
        ...look.labels(index),
      },
      ...(look.annotations && { annotations: look.annotations }),
    },
    spec: { providerID: look.providerID(index) },
    status: {
      capacity: look.capacity,
      allocatable: look.allocatable,
      nodeInfo: {
        architecture: 'amd64',
        operatingSystem: 'linux',
        kubeletVersion: look.kubelet,
        containerRuntimeVersion: look.runtime,
        osImage: look.osImage,
        kernelVersion: look.kernel,
        kubeProxyVersion: '',
        bootID: '',
        machineID: '',
        systemUUID: '',
      },
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  };
}
