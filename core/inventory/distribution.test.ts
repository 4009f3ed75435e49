import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../kube';
import { detectDistribution, type Detected } from './distribution';
import { distributionOf, nodeSigns } from './signs';

/** What of a node tells who built its cluster. */
interface NodeParts {
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly providerID?: string;
  readonly osImage?: string;
}

function node({ labels = {}, annotations = {}, providerID, osImage }: NodeParts): KubeObject {
  return { metadata: { name: 'n', labels, annotations }, spec: { providerID }, status: { nodeInfo: { osImage } } };
}

function detect(
  gitVersion: string,
  nodes: readonly NodeParts[] | undefined = undefined,
  more: { readonly groups?: readonly string[]; readonly host?: string } = {},
): Detected {
  const signs = nodes?.map((parts) => nodeSigns(node(parts)));
  return detectDistribution({ gitVersion, host: '10.0.0.1', groups: [], ...more, nodes: signs });
}

const PLAIN = 'v1.35.0';
const CONTROL_PLANE = { labels: { 'node-role.kubernetes.io/control-plane': '' } };

describe('who built a cluster, by the version alone', () => {
  it.each([
    // 1 to 5
    ['v1.35.0-eks-3a10415', 'eks'],
    ['v1.34.1-eks-d96d92f', 'eks'],
    ['v1.24.10-eks-48e63af', 'eks'],
    ['v1.24.10-eks-08ad9cc', 'eks'],
    ['v1.25.16-eks-8cb36c9', 'eks'],
    ['v1.26.0-eks-1-123', 'eks'],
    // 8 to 12
    ['v1.35.1-gke.1396000', 'gke'],
    ['v1.26.0-gke.1', 'gke'],
    ['v1.33.4-gke.1245000', 'gke'],
    ['v1.30.2-gke.1587003', 'gke'],
    ['1.30.2-gke.1587003', 'gke'],
    ['v1.28.3-gke.100', 'gke'],
    ['v1.28.3+gke.99', 'gke'],
    ['v1.21.11-gke.1900', 'gke'],
    // 15, 17, 19
    ['v1.34.4+k3s1', 'k3s'],
    ['v1.36.1+k3s1', 'k3s'],
    ['v1.29.1+k3s2', 'k3s'],
    ['v1.27.10+rke2r1', 'rke2'],
    ['v1.30.4+rke2r1', 'rke2'],
    ['v1.35.3+rke2r3', 'rke2'],
    ['v1.23.8+k0s.0', 'k0s'],
    ['v1.26.0+k0s', 'k0s'],
    // 20 to 22, 24
    ['v1.30.11+IKS', 'iks'],
    ['v1.17.11+IKS', 'iks'],
    ['v1.26.3-aliyun.1', 'ack'],
    ['v1.18.8-aliyun.1', 'ack'],
    ['v1.36.2-aliyun.1', 'ack'],
    ['v1.22.5-tke.9', 'tke'],
    ['v1.18.4-tke.6', 'tke'],
    ['v1.14.3-tke.4', 'tke'],
    // 26, 27
    ['v1.20.12+vmware.1', 'tanzu'],
    ['v1.21.2+vmware.1', 'tanzu'],
    ['v1.35.5+vmware.1-vkr.1', 'tanzu'],
    ['v1.18.15+vmware.1-tkg.2.ebf6117', 'tanzu'],
    // 44
    ['v1.2.3+k3s0', 'k3s'],
    ['v1.36.3-k3s1', 'k3s'],
    ['v1.24.0+3882f8f', 'custom'],
  ])('%s: %s', (gitVersion, distribution) => {
    expect(distributionOf(gitVersion)).toBe(distribution);
    expect(detect(gitVersion)).toMatchObject({ distribution, evidence: [{ source: 'gitVersion', value: gitVersion }] });
  });

  it.each(['v1.37.2', 'v1.37.0-alpha.1', ''])('%s says nothing', (gitVersion) => {
    expect(distributionOf(gitVersion)).toBe('unknown');
    expect(detect(gitVersion)).toMatchObject({ distribution: 'kubernetes', mode: 'byo', confidence: 'low' });
  });
});

/** By number of the vector: version, nodes, API groups, and what is expected. */
const VECTORS: readonly (readonly [string, string, readonly NodeParts[], readonly string[], string])[] = [
  ['6', 'v1.30.7-eks-68cabf3', [CONTROL_PLANE, {}], [], 'eks-anywhere'],
  ['7', 'v1.25.5-eks-c248520', [{ providerID: 'tinkerbell://eksa-system/node-1' }], [], 'eks-anywhere'],
  ['13', PLAIN, [{ labels: { 'kubernetes.azure.com/cluster': 'MC_group_shop_westeurope' } }], [], 'aks'],
  ['14, role', PLAIN, [{ labels: { 'kubernetes.azure.com/role': 'agent' } }], [], 'aks'],
  [
    '14, image',
    PLAIN,
    [{ labels: { 'kubernetes.azure.com/node-image-version': 'AKSUbuntu-2404gen2containerd-202602.13.0' } }],
    [],
    'aks',
  ],
  ['16', PLAIN, [{ labels: { 'node.kubernetes.io/instance-type': 'k3s' } }], [], 'k3s'],
  ['18', PLAIN, [{ annotations: { 'rke2.io/node-args': '["server"]' } }], [], 'rke2'],
  ['19, label', PLAIN, [{ labels: { 'node.k0sproject.io/role': 'control-plane' } }], [], 'k0s'],
  ['21, label', PLAIN, [{ labels: { 'ibm-cloud.kubernetes.io/worker-id': 'kube-1' } }], [], 'iks'],
  ['23, pool', PLAIN, [{ labels: { 'alibabacloud.com/nodepool-id': 'np1' } }], [], 'ack'],
  ['23, cluster', PLAIN, [{ labels: { 'ack.aliyun.com': 'c1' } }], [], 'ack'],
  ['25', PLAIN, [{ providerID: 'qcloud:///300003/ins-bzwza4jk' }], [], 'tke'],
  ['28', 'v1.24.0+3882f8f', [{ labels: { 'node.openshift.io/os_id': 'rhcos' } }], [], 'openshift'],
  ['29', 'v1.22.5+5c84e52', [], ['config.openshift.io'], 'openshift'],
  ['30', 'v1.30.1', [{ osImage: 'Talos (v1.7.0)' }], [], 'talos'],
  ['31, cluster', PLAIN, [{ labels: { 'microk8s.io/cluster': 'true' } }], [], 'microk8s'],
  [
    '31, control plane',
    PLAIN,
    [{ labels: { 'node.kubernetes.io/microk8s-controlplane': 'microk8s-controlplane' } }],
    [],
    'microk8s',
  ],
  ['32, name', PLAIN, [{ labels: { 'minikube.k8s.io/name': 'minikube' } }], [], 'minikube'],
  ['32, version', PLAIN, [{ labels: { 'minikube.k8s.io/version': 'v1.34.0' } }], [], 'minikube'],
  ['33', 'v1.31.2', [{ providerID: 'kind://docker/kind/kind-control-plane' }], [], 'kind'],
  ['34', PLAIN, [{ labels: { 'kops.k8s.io/instancegroup': 'nodes' } }], [], 'kops'],
  [
    '35',
    PLAIN,
    [{ providerID: 'digitalocean://219734980', labels: { 'doks.digitalocean.com/node-pool': 'pool-y25ag12r1' } }],
    [],
    'doks',
  ],
  ['36', PLAIN, [{ providerID: 'linode://99999', labels: { 'lke.linode.com/pool-id': '307295' } }], [], 'lke'],
  ['37', PLAIN, [{ labels: { 'oci.oraclecloud.com/fault-domain': 'FAULT-DOMAIN-1' } }], [], 'oke'],
  ['38', PLAIN, [{ osImage: 'Docker Desktop' }], [], 'docker-desktop'],
  ['39', 'v1.32.4+rke2r1', [{ labels: { 'harvesterhci.io/managed': 'true' } }], [], 'harvester'],
  [
    '40',
    PLAIN,
    [{ providerID: 'aws:///us-east-1a/i-0abc123def456789', labels: { 'eks.amazonaws.com/nodegroup': 'group1' } }],
    [],
    'eks',
  ],
  ['41, pool', PLAIN, [{ labels: { 'cloud.google.com/gke-nodepool': 'group-1' } }], [], 'gke'],
  ['41, system', PLAIN, [{ labels: { 'cloud.google.com/gke-os-distribution': 'cos' } }], [], 'gke'],
  ['42', PLAIN, [{ providerID: 'gce://openshift-gce-devel-ci/us-east1-b/ci-worker' }], [], 'kubernetes'],
  [
    '42, with its API group',
    'v1.35.0+5c84e52',
    [{ providerID: 'gce://openshift-gce-devel-ci/us-east1-b/ci-worker' }],
    ['config.openshift.io'],
    'openshift',
  ],
  [
    '43',
    PLAIN,
    [{ providerID: 'azure:///subscriptions/1/resourceGroups/ovn/virtualMachines/ovn-worker' }],
    [],
    'kubernetes',
  ],
  ['45, kurl', PLAIN, [{ labels: { 'kurl.sh/cluster': 'true' } }], [], 'kurl'],
  [
    '45, embedded',
    'v1.29.9+k0s.0',
    [{ labels: { 'kots.io/embedded-cluster-role': 'total-1', 'node.k0sproject.io/role': 'control-plane' } }],
    [],
    'embedded-cluster',
  ],
  ['46', PLAIN, [{ ...CONTROL_PLANE, providerID: 'aws:///us-east-1a/i-0abc123def456789' }], [], 'kubernetes'],
  ['tanzu by its API group', PLAIN, [], ['run.tanzu.vmware.com'], 'tanzu'],
];

describe('who built a cluster, by all that can be read', () => {
  it.each(VECTORS)('vector %s', (_number, gitVersion, nodes, groups, distribution) => {
    const detected = detect(gitVersion, nodes, { groups });
    expect(detected.distribution).toBe(distribution);
    expect(detected.evidence).not.toEqual([]);
  });

  it.each([
    ['eks', 'v1.35.0-eks-3a10415', 'managed'],
    ['gke', 'v1.35.1-gke.1396000', 'managed'],
    ['k3s', 'v1.34.4+k3s1', 'byo'],
    ['tanzu', 'v1.20.12+vmware.1', 'byo'],
  ])('%s is run as it says', (_distribution, gitVersion, mode) => {
    expect(detect(gitVersion).mode).toBe(mode);
  });

  it('is sure of EKS when its nodes are machines of AWS, and in doubt while nodes cannot be read', () => {
    const eks = 'v1.35.0-eks-3a10415';
    expect(detect(eks, [{ providerID: 'aws:///us-east-1a/i-1' }])).toMatchObject({
      distribution: 'eks',
      confidence: 'high',
    });
    expect(detect(eks)).toMatchObject({ distribution: 'eks', confidence: 'medium' });
    expect(detect(eks, [CONTROL_PLANE])).toEqual({
      distribution: 'eks-anywhere',
      mode: 'byo',
      confidence: 'high',
      evidence: [
        { distribution: 'eks', source: 'gitVersion', value: eks },
        { distribution: 'eks-anywhere', source: 'nodes', value: 'control plane among the nodes', nodes: 1 },
      ],
    });
  });

  it('knows managed clusters with plain versions by the name of their API server, without a right on nodes', () => {
    const aks = detect(PLAIN, undefined, { host: 'shop-dns-1a2b3c4d.hcp.westeurope.azmk8s.io' });
    expect(aks).toMatchObject({ distribution: 'aks', mode: 'managed', confidence: 'medium' });
    expect(detect(PLAIN, undefined, { host: 'a.gr7.eu-west-1.eks.amazonaws.com' }).distribution).toBe('eks');
    expect(detect(PLAIN, undefined, { host: 'a.k8s.ondigitalocean.com' }).distribution).toBe('doks');
    expect(detect(PLAIN, undefined, { host: 'a.eu-central-1.linodelke.net' }).distribution).toBe('lke');
  });

  it('counts the nodes that show a sign', () => {
    const pool = { labels: { 'cloud.google.com/gke-nodepool': 'a' } };
    expect(detect('v1.35.1-gke.1396000', [pool, pool, {}]).evidence).toEqual([
      { distribution: 'gke', source: 'gitVersion', value: 'v1.35.1-gke.1396000' },
      { distribution: 'gke', source: 'label', value: 'cloud.google.com/gke-nodepool=a', nodes: 2 },
    ]);
  });

  it('does not believe a label of few nodes against the API server, but says what it saw', () => {
    const odd = { labels: { 'harvesterhci.io/managed': 'true' } };
    const detected = detect('v1.35.1-gke.1396000', [odd, {}, {}]);
    expect(detected).toMatchObject({ distribution: 'gke', confidence: 'medium' });
    expect(detected.evidence).toHaveLength(2);
  });

  it('is unsure where decisive signs contradict each other, and where no half of the nodes agrees', () => {
    const pool = { labels: { 'cloud.google.com/gke-nodepool': 'a' } };
    expect(detect('v1.34.4+k3s1', [pool])).toMatchObject({ distribution: 'gke', confidence: 'low' });
    const mixed = [pool, { labels: { 'kops.k8s.io/instancegroup': 'a' } }, {}, {}, {}];
    expect(detect(PLAIN, mixed)).toMatchObject({ distribution: 'gke', confidence: 'low' });
  });

  it('calls a plain cluster plain, surer when it saw the nodes', () => {
    expect(detect(PLAIN, [{}])).toEqual({
      distribution: 'kubernetes',
      mode: 'byo',
      confidence: 'medium',
      evidence: [{ distribution: 'kubernetes', source: 'gitVersion', value: PLAIN }],
    });
  });

  it('is not misled by what is no node', () => {
    const hostile = { metadata: { labels: ['a'], annotations: 7 }, spec: 'x', status: { nodeInfo: null } };
    expect(nodeSigns(hostile as unknown as KubeObject)).toEqual({
      signs: [],
      controlPlane: false,
      provider: undefined,
    });
  });
});
