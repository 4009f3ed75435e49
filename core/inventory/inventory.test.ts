import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../kube';
import { addOnsOf } from './addOns';
import { readIngressClass, readStorageClass } from './classes';
import { detectDistribution } from './distribution';
import { tagOf } from './image';
import { readNode, totalsOf } from './node';
import { NODE_LOOKS, nodesOf, mixedNodes } from './testing/clusterNodes';
import { readWorkload } from './workload';

const read = (nodes: readonly object[]) => nodes.map((node) => readNode(node as KubeObject));

describe('a node', () => {
  it('says what people ask for, with exact amounts and the same as numbers', () => {
    const [eks] = nodesOf('eks', 1);
    const node = {
      ...eks,
      spec: {
        ...eks?.spec,
        unschedulable: true,
        taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }],
      },
    };
    expect(read([node])[0]?.facts).toEqual({
      name: 'ip-10-0-0-0.eu-west-1.compute.internal',
      ready: true,
      schedulable: false,
      roles: [],
      taints: ['dedicated=gpu:NoSchedule'],
      providerId: 'aws:///eu-west-1a/i-00000000000000000',
      instanceType: 'm6i.xlarge',
      region: 'eu-west-1',
      zone: 'eu-west-1a',
      architecture: 'amd64',
      osImage: 'Amazon Linux 2023.9.20260105',
      kernel: '6.1.159-181.297.amzn2023.x86_64',
      containerRuntime: 'containerd://2.1.5',
      kubelet: 'v1.35.0-eks-efcacff',
      capacity: {
        cpu: '4',
        cpuMillicores: 4_000,
        memory: '16081904Ki',
        memoryBytes: 16_467_869_696,
        ephemeralStorage: '83873772Ki',
        ephemeralStorageBytes: 85_886_742_528,
        pods: 58,
        gpus: {},
      },
      allocatable: {
        cpu: '3920m',
        cpuMillicores: 3_920,
        memory: '15064048Ki',
        memoryBytes: 15_425_585_152,
        ephemeralStorage: '76224326324',
        ephemeralStorageBytes: 76_224_326_324,
        pods: 58,
        gpus: {},
      },
    });
  });

  it('has the roles that kubectl shows', () => {
    const labels = {
      'node-role.kubernetes.io/worker': '',
      'node-role.kubernetes.io/etcd': '',
      'kubernetes.io/role': 'a',
    };
    expect(read([{ metadata: { name: 'n', labels } }])[0]?.facts.roles).toEqual(['a', 'etcd', 'worker']);
  });

  it('that says nothing, or nonsense, breaks nothing', () => {
    const nonsense = {
      metadata: { name: 7 },
      spec: [],
      status: { capacity: { cpu: {}, memory: 'x' }, conditions: {} },
    };
    expect(read([nonsense])[0]?.facts).toEqual({
      name: '',
      ready: false,
      schedulable: true,
      roles: [],
      taints: [],
      capacity: { gpus: {} },
      allocatable: { gpus: {} },
    });
  });
});

describe('the totals', () => {
  it('are exact where numbers would round, and count GPUs by vendor', () => {
    const huge = (memory: string, more: object = {}) => ({
      metadata: { name: 'n' },
      spec: { unschedulable: true },
      status: { allocatable: { cpu: '1m', memory, ...more } },
    });
    const nodes = read([
      huge('8191Pi', { 'nvidia.com/gpu': '8', 'gpu.intel.com/i915': '1' }),
      huge('1', { 'amd.com/gpu': '2', 'gpu.intel.com/xe': '3', 'nvidia.com/mig-1g.5gb': '7' }),
    ]);
    expect(totalsOf(nodes)).toMatchObject({
      nodes: 2,
      ready: 0,
      schedulable: 0,
      allocatable: { cpu: '2m', memory: '9222246136947933185', gpus: { nvidia: 8, amd: 2, intel: 4 } },
    });
  });

  it('of 500 nodes of eight distributions', () => {
    const { nodes, ready, capacity, allocatable } = totalsOf(read(mixedNodes(500)));
    expect([nodes, ready]).toEqual([500, 500]);
    expect(capacity).toMatchObject({ cpuMillicores: 10_568_000, gpus: { nvidia: 504, amd: 63 } });
    expect(allocatable.gpus).toEqual({ nvidia: 441, amd: 63 });
  });
});

it.each(NODE_LOOKS)('nodes of %s are recognised, all of them', (distribution) => {
  const signs = read(nodesOf(distribution, 5)).map((node) => node.signs);
  const detected = detectDistribution({ gitVersion: 'v1.35.0', host: '', groups: [], nodes: signs });
  expect(detected.distribution).toBe(distribution);
  expect(detected.evidence.map(({ nodes }) => nodes)).toEqual(detected.evidence.map(() => 5));
});

describe('classes', () => {
  it('say which is the default, by the annotations of today and of old', () => {
    const storage = (annotations: object, more: object = {}) =>
      readStorageClass({ metadata: { name: 'a', annotations }, provisioner: 'p', ...more } as KubeObject);
    expect(storage({ 'storageclass.beta.kubernetes.io/is-default-class': 'true' })).toEqual({
      name: 'a',
      provisioner: 'p',
      default: true,
      reclaimPolicy: 'Delete',
      volumeBindingMode: 'Immediate',
      allowsExpansion: false,
    });
    const retained = { reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer', allowVolumeExpansion: true };
    expect(storage({ 'storageclass.kubernetes.io/is-default-class': 'false' }, retained)).toMatchObject({
      default: false,
      reclaimPolicy: 'Retain',
      volumeBindingMode: 'WaitForFirstConsumer',
      allowsExpansion: true,
    });
    const annotations = { 'ingressclass.kubernetes.io/is-default-class': 'true' };
    expect(readIngressClass({ metadata: { name: 'n', annotations }, spec: { controller: 'c' } })).toEqual({
      name: 'n',
      controller: 'c',
      default: true,
    });
  });
});

describe('add-ons', () => {
  const served = (group: string, version: string, kind: string) => ({ group, version, kind });

  it('are found by their API groups, and by kinds where they share one', () => {
    const found = addOnsOf(
      [
        served('argoproj.io', 'v1alpha1', 'Rollout'),
        served('cert-manager.io', 'v1', 'Certificate'),
        served('cert-manager.io', 'v1', 'Issuer'),
        served('nvidia.com', 'v1', 'SomethingElse'),
        served('apps', 'v1', 'Deployment'),
      ],
      [{ group: 'metrics.k8s.io', version: 'v1beta1' }],
    );
    expect(found).toEqual([
      { name: 'Argo Rollouts', group: 'argoproj.io', versions: ['v1alpha1'], available: true },
      { name: 'cert-manager', group: 'cert-manager.io', versions: ['v1'], available: true },
      { name: 'Metrics Server', group: 'metrics.k8s.io', versions: ['v1beta1'], available: false },
    ]);
  });

  it('of the platform seeds are all known', () => {
    const groups = ['cert-manager.io', 'cilium.io', 'kyverno.io', 'keda.sh', 'platform.navin.ai'];
    const more = [
      'monitoring.coreos.com',
      'gateway.networking.k8s.io',
      'snapshot.storage.k8s.io',
      'config.openshift.io',
    ];
    const resources = [...groups, ...more].map((group) => served(group, 'v1', 'A'));
    const byKind = [served('argoproj.io', 'v1', 'Application'), served('nvidia.com', 'v1', 'ClusterPolicy')];
    expect(addOnsOf([...resources, ...byKind], [])).toHaveLength(11);
  });
});

it.each([
  ['registry.k8s.io/coredns/coredns:v1.12.4', 'v1.12.4'],
  ['registry.example:5000/a/b', undefined],
  ['registry.example:5000/a/b:1.2@sha256:00', '1.2'],
  ['coredns@sha256:00', undefined],
])('the version of %s is %p', (image, version) => {
  expect(tagOf(image)).toBe(version);
});

it('a Deployment tells its image and how many replicas it has of those it should have', () => {
  const containers = [
    { name: 'sidecar', image: 'a:1' },
    { name: 'coredns', image: 'coredns:1.12' },
  ];
  const spec = { replicas: 0, template: { spec: { containers } } };
  expect(readWorkload({ metadata: { name: 'coredns', namespace: 'kube-system' }, spec }, 'coredns')).toEqual({
    name: 'coredns',
    namespace: 'kube-system',
    image: 'coredns:1.12',
    version: '1.12',
    replicas: 0,
    readyReplicas: 0,
    updatedReplicas: 0,
    availableReplicas: 0,
  });
});
