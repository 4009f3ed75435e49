import {
  addQuantities,
  isRecord,
  type KubeObject,
  largerQuantity,
  parseQuantity,
  type Quantity,
  quantityText,
  ZERO,
} from '../kube';

/** How much of a resource of a node its pods have asked for. */
export interface Allocation {
  /** For instance `cpu`, `memory`, `nvidia.com/gpu`. */
  readonly resource: string;
  readonly allocatable: string;
  readonly requests: string;
  /** Whole percent of what is allocatable, cut off as kubectl does. */
  readonly requestsPercent: number;
  readonly limits: string;
  readonly limitsPercent: number;
}

/** Amounts by resource. */
export type Amounts = ReadonlyMap<string, Quantity>;
/** What a container says it needs, and what it may not go beyond. */
export type Field = 'requests' | 'limits';
const NONE: Amounts = new Map();

/** The most pods may have of it is counted, not requested. */
const PODS = 'pods';
const FIRST = ['cpu', 'memory', 'ephemeral-storage'];

/**
 * The requests and limits of the pods of a node against what it can give, as `kubectl describe node` shows them: finished
 * pods hold nothing any more, init containers count where they need more than the others, sidecars and overhead are
 * added.
 */
export function allocationOf(node: KubeObject, pods: readonly KubeObject[]): readonly Allocation[] {
  const status = isRecord(node.status) ? node.status : {};
  const stated = amountsOf(status.allocatable);
  const allocatable = stated.size > 0 ? stated : amountsOf(status.capacity);
  const holding = pods.filter(holdsResources);
  const requests = sum(holding.map((pod) => podAmounts(pod, 'requests')));
  const limits = sum(holding.map((pod) => podAmounts(pod, 'limits')));
  return [...allocatable.keys()]
    .filter((resource) => resource !== PODS)
    .sort((left, right) => rank(left) - rank(right) || (left < right ? -1 : 1))
    .map((resource) => {
      const all = allocatable.get(resource) ?? ZERO;
      const [requested, limited] = [requests.get(resource) ?? ZERO, limits.get(resource) ?? ZERO];
      return {
        resource,
        allocatable: quantityText(all),
        requests: quantityText(requested),
        requestsPercent: percentOf(requested, all),
        limits: quantityText(limited),
        limitsPercent: percentOf(limited, all),
      };
    });
}

/** Whether a pod holds what it asked for. */
export function holdsResources({ status }: KubeObject): boolean {
  const phase = isRecord(status) ? status.phase : undefined;
  return phase !== 'Succeeded' && phase !== 'Failed';
}

/** What a pod asks for. Source: component-helpers/resource, on which the scheduler and kubectl stand. */
function podAmounts({ spec }: KubeObject, field: Field): Amounts {
  const pod = isRecord(spec) ? spec : {};
  const running = new Map(sum(recordsIn(pod.containers).map((container) => containerAmounts(container, field))));
  let sidecars = NONE;
  let starting = NONE;
  for (const container of recordsIn(pod.initContainers)) {
    const own = sum([containerAmounts(container, field), sidecars]);
    if (container.restartPolicy === 'Always') sidecars = own;
    starting = largest(starting, own);
  }
  const amounts = new Map(largest(sum([running, sidecars]), starting));
  for (const [resource, quantity] of containerAmounts(pod, field)) {
    if (isPodLevel(resource)) amounts.set(resource, quantity);
  }
  const overhead = [...amountsOf(pod.overhead)].filter(
    ([resource]) => field === 'requests' || (amounts.get(resource)?.nanos ?? 0n) !== 0n,
  );
  return sum([amounts, new Map(overhead)]);
}

/** What a pod as a whole may ask for, in the place of its containers. */
export function isPodLevel(resource: string): boolean {
  return resource === 'cpu' || resource === 'memory' || resource.startsWith('hugepages-');
}

/** What one container, or a pod as a whole, says. */
export function containerAmounts({ resources }: Readonly<Record<string, unknown>>, field: Field): Amounts {
  return amountsOf(isRecord(resources) ? resources[field] : undefined);
}

/** Amounts as the API server writes them; what is none is left out. */
export function amountsOf(values: unknown): Amounts {
  if (!isRecord(values)) return NONE;
  return new Map(
    Object.entries(values).flatMap(([resource, value]) => {
      const quantity = parseQuantity(value);
      return quantity === undefined ? [] : [[resource, quantity] as const];
    }),
  );
}

/** All together. */
export function sum(all: readonly Amounts[]): Amounts {
  return joined(all, addQuantities);
}

function largest(left: Amounts, right: Amounts): Amounts {
  return joined([left, right], largerQuantity);
}

function joined(all: readonly Amounts[], join: (left: Quantity, right: Quantity) => Quantity): Amounts {
  const result = new Map<string, Quantity>();
  for (const [resource, quantity] of all.flatMap((amounts) => [...amounts])) {
    const before = result.get(resource);
    result.set(resource, before === undefined ? quantity : join(before, quantity));
  }
  return result;
}

/** The objects of a list. */
export function recordsIn(list: unknown): readonly Readonly<Record<string, unknown>>[] {
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

function rank(resource: string): number {
  const at = FIRST.indexOf(resource);
  return at < 0 ? FIRST.length : at;
}

/** Whole percent, cut off as kubectl does. */
export function percentOf(part: Quantity, whole: Quantity): number {
  return whole.nanos === 0n ? 0 : Number((part.nanos * 100n) / whole.nanos);
}
