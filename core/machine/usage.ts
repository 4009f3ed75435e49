import { isRecord, type KubeObject, type Quantity } from '../kube';
import {
  type Amounts,
  amountsOf,
  containerAmounts,
  type Field,
  isPodLevel,
  percentOf,
  recordsIn,
  sum,
} from './allocation';

/** What is used now. What was not measured is absent. */
export interface Usage {
  /** `250m` */
  readonly cpu?: string;
  readonly cpuCores?: number;
  readonly cpuMillicores?: number;
  /** `129.3Mi` */
  readonly memory?: string;
  readonly memoryBytes?: number;
}

/** An amount there is, and how much of it is used in whole percent, which may be over 100. What is not stated is absent. */
export interface Share {
  readonly cpuMillicores?: number;
  readonly cpuPercent?: number;
  readonly memoryBytes?: number;
  readonly memoryPercent?: number;
}

/** What a container or pod uses, and of what: without the pod nothing is known of that. */
export interface UsageOfRequests extends Usage {
  readonly requests?: Share;
  readonly limits?: Share;
}

/** A pod: the sum, and each container. */
export interface PodUsage extends UsageOfRequests {
  readonly containers: readonly (UsageOfRequests & { readonly name: string })[];
}

type Container = Readonly<Record<string, unknown>>;

/**
 * The usage of a pod and its containers.
 *
 * @param metrics a PodMetrics
 * @param pod what it asked for, where it may be read
 */
export function podUsage(metrics: KubeObject, pod: KubeObject | undefined): PodUsage {
  const spec = isRecord(pod?.spec) ? pod.spec : {};
  const specs = [...recordsIn(spec.containers), ...recordsIn(spec.initContainers)];
  const containers = recordsIn(metrics.containers).map((measured) => {
    const { name } = measured;
    const own = specs.find((container) => container.name === name);
    const compared = (field: Field): Amounts | undefined => own && containerAmounts(own, field);
    return { name: typeof name === 'string' ? name : '', ...usageOf(amountsOf(measured.usage), compared) };
  });
  const compared = (field: Field): Amounts | undefined => (pod === undefined ? undefined : runningAmounts(spec, field));
  return { ...usageOf(usedOf(metrics), compared), containers };
}

/**
 * The usage of a node.
 *
 * @param metrics a NodeMetrics
 * @param node what it can give, where it may be read
 */
export function nodeUsage(metrics: KubeObject, node: KubeObject | undefined): Usage & { readonly allocatable?: Share } {
  const used = usedOf(metrics);
  if (node === undefined) return wordsOf(used);
  const allocatable = amountsOf(isRecord(node.status) ? node.status.allocatable : undefined);
  return { ...wordsOf(used), allocatable: shareOf(used, allocatable) };
}

/** What was measured of a pod (all its containers together) or a node. */
export function usedOf(metrics: KubeObject): Amounts {
  return sum([amountsOf(metrics.usage), ...recordsIn(metrics.containers).map(({ usage }) => amountsOf(usage))]);
}

/**
 * What the containers that go on running ask for together. A limit of the pod is one only where each of them has one:
 * without it a container may take what the node has.
 */
function runningAmounts(spec: Readonly<Record<string, unknown>>, field: Field): Amounts {
  const sidecars = recordsIn(spec.initContainers).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const running: readonly Container[] = [...recordsIn(spec.containers), ...sidecars];
  const each = running.map((container) => containerAmounts(container, field));
  const ofPod = [...containerAmounts(spec, field)].filter(([resource]) => isPodLevel(resource));
  const together = [...sum(each)].filter(
    ([resource]) => field === 'requests' || each.every((amounts) => amounts.has(resource)),
  );
  return new Map([...together, ...ofPod]);
}

function usageOf(used: Amounts, compared: (field: Field) => Amounts | undefined): UsageOfRequests {
  const [requests, limits] = [compared('requests'), compared('limits')];
  return {
    ...wordsOf(used),
    ...(requests === undefined ? {} : { requests: shareOf(used, requests) }),
    ...(limits === undefined ? {} : { limits: shareOf(used, limits) }),
  };
}

function wordsOf(used: Amounts): Usage {
  const [cpu, memory] = [used.get('cpu'), used.get('memory')];
  return {
    ...(cpu === undefined
      ? {}
      : { cpu: `${String(millicores(cpu))}m`, cpuCores: Number(cpu.nanos) / 1e9, cpuMillicores: millicores(cpu) }),
    ...(memory === undefined ? {} : { memory: bytesText(bytes(memory)), memoryBytes: bytes(memory) }),
  };
}

function shareOf(used: Amounts, whole: Amounts): Share {
  const [cpu, memory] = [whole.get('cpu'), whole.get('memory')];
  return {
    ...(cpu === undefined ? {} : { cpuMillicores: millicores(cpu), ...percent('cpuPercent', used.get('cpu'), cpu) }),
    ...(memory === undefined
      ? {}
      : { memoryBytes: bytes(memory), ...percent('memoryPercent', used.get('memory'), memory) }),
  };
}

/** Nothing where there is nothing to compare. */
function percent<N extends string>(name: N, used: Quantity | undefined, whole: Quantity): Partial<Record<N, number>> {
  return used === undefined || whole.nanos === 0n ? {} : ({ [name]: percentOf(used, whole) } as Record<N, number>);
}

/** Rounded up, as kubectl does. */
function millicores({ nanos }: Quantity): number {
  return Number((nanos + 999_999n) / 1_000_000n);
}

function bytes({ nanos }: Quantity): number {
  return Number((nanos + 999_999_999n) / 1_000_000_000n);
}

const UNITS = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/** With one decimal and the suffix Kubernetes reads, too. */
function bytesText(amount: number): string {
  const power = Math.max(
    0,
    UNITS.findLastIndex((_, index) => amount >= 1_024 ** index),
  );
  return `${String(Math.round((amount / 1_024 ** power) * 10) / 10)}${UNITS[power] ?? ''}`;
}
