import { arch } from 'node:os';
import type { Api } from './api';
import { KUBERNETES_VERSION } from './sources';

/** A node to simulate. */
export interface NodeSpec {
  /** Default `node-N`, from 1. */
  readonly name?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
  /** Default 64 CPUs, 256 GiB, 10,000 Pods. */
  readonly capacity?: Readonly<Record<string, string>>;
}

const CAPACITY = { cpu: '64', memory: '256Gi', 'ephemeral-storage': '1Ti', pods: '10000' };
/** A node counts as ready when the scheduler may use it, so without this taint of the admission. */
const NOT_READY_TAINT = 'node.kubernetes.io/not-ready';

interface NodeObject {
  readonly spec: { readonly taints?: readonly { readonly key: string }[] };
  readonly status: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] };
}

/** Creates nodes as kubelets would register them. */
export async function createNodes(api: Api, nodes: number | readonly NodeSpec[]): Promise<void> {
  const architecture = arch() === 'x64' ? 'amd64' : arch();
  await Promise.all(
    specsOf(nodes).map(async ({ name, labels, taints, capacity = CAPACITY }) =>
      api.create('/api/v1/nodes', {
        metadata: {
          name,
          labels: {
            'kubernetes.io/hostname': name,
            'kubernetes.io/os': 'linux',
            'kubernetes.io/arch': architecture,
            'node.kubernetes.io/instance-type': 'simulated',
            ...labels,
          },
        },
        spec: taints === undefined ? {} : { taints },
        status: {
          capacity,
          allocatable: capacity,
          nodeInfo: {
            architecture,
            operatingSystem: 'linux',
            kubeletVersion: KUBERNETES_VERSION,
            containerRuntimeVersion: 'containerd://2.1.4',
            osImage: 'Simulated by kwok',
            kernelVersion: 'simulated',
            kubeProxyVersion: '',
            bootID: '',
            machineID: '',
            systemUUID: '',
          },
        },
      }),
    ),
  );
}

/** Whether all nodes are Ready and may get Pods. */
export async function nodesReady(api: Api, nodes: number | readonly NodeSpec[]): Promise<boolean> {
  const items = (await api.items('/api/v1/nodes')) as readonly unknown[] as readonly NodeObject[];
  return items.length >= specsOf(nodes).length && items.every(isReady);
}

function isReady({ spec, status }: NodeObject): boolean {
  const ready = status.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') ?? false;
  return ready && !(spec.taints?.some(({ key }) => key === NOT_READY_TAINT) ?? false);
}

function specsOf(nodes: number | readonly NodeSpec[]): readonly (NodeSpec & { name: string })[] {
  const specs: readonly NodeSpec[] = typeof nodes === 'number' ? Array.from({ length: nodes }, () => ({})) : nodes;
  return specs.map((spec, index) => ({ name: `node-${index + 1}`, ...spec }));
}
