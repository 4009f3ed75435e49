import { addQuantities, parseQuantity, type Quantity, quantityText, ZERO } from '../kube';
import { at, textsAt } from './reading';

/**
 * How much of each resource there is. The texts are exact, as Kubernetes writes them; the numbers are for calculating, and
 * exact up to 2^53. What is not stated is absent.
 */
export interface Amounts {
  /** `3920m` */
  readonly cpu?: string;
  readonly cpuMillicores?: number;
  /** `16Gi` */
  readonly memory?: string;
  readonly memoryBytes?: number;
  readonly ephemeralStorage?: string;
  readonly ephemeralStorageBytes?: number;
  readonly pods?: number;
  /** By vendor; empty where there are none. */
  readonly gpus: Readonly<Partial<Record<GpuVendor, number>>>;
}

/** Who made a GPU. */
export type GpuVendor = 'nvidia' | 'amd' | 'intel';

/** Exact amounts by resource. */
export type Quantities = ReadonlyMap<string, Quantity>;

/** Resources that are whole GPUs, by the device plugins of their vendors. Slices of GPUs (MIG) are not counted. */
const GPUS: Readonly<Record<string, GpuVendor>> = {
  'nvidia.com/gpu': 'nvidia',
  'amd.com/gpu': 'amd',
  'gpu.intel.com/i915': 'intel',
  'gpu.intel.com/xe': 'intel',
};
const COUNTED: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods', ...Object.keys(GPUS)]);
const NANO = 1_000_000_000n;
const MILLI = 1_000_000n;

/** Reads what is counted here of `capacity` or `allocatable`; what is no quantity is left out. */
export function quantitiesOf(value: unknown, ...path: readonly string[]): Quantities {
  const stated = textsAt(value, ...path).filter(([resource]) => COUNTED.has(resource));
  return new Map(
    stated.flatMap(([resource]) => {
      const quantity = parseQuantity(at(value, ...path, resource));
      return quantity === undefined ? [] : [[resource, quantity] as const];
    }),
  );
}

/** All together, exact. */
export function totalOf(all: readonly Quantities[]): Quantities {
  const total = new Map<string, Quantity>();
  for (const [resource, quantity] of all.flatMap((amounts) => [...amounts])) {
    total.set(resource, addQuantities(total.get(resource) ?? ZERO, quantity));
  }
  return total;
}

/** The same as people and workflows read it. */
export function amountsOf(quantities: Quantities): Amounts {
  const [cpu, memory, storage, pods] = ['cpu', 'memory', 'ephemeral-storage', 'pods'].map((name) =>
    quantities.get(name),
  );
  return {
    ...(cpu && { cpu: quantityText(cpu), cpuMillicores: wholeOf(cpu, MILLI) }),
    ...(memory && { memory: quantityText(memory), memoryBytes: wholeOf(memory, NANO) }),
    ...(storage && { ephemeralStorage: quantityText(storage), ephemeralStorageBytes: wholeOf(storage, NANO) }),
    ...(pods && { pods: wholeOf(pods, NANO) }),
    gpus: gpusOf(quantities),
  };
}

function gpusOf(quantities: Quantities): Amounts['gpus'] {
  const gpus: Partial<Record<GpuVendor, number>> = {};
  for (const [resource, vendor] of Object.entries(GPUS)) {
    const count = quantities.get(resource);
    if (count !== undefined && count.nanos > 0n) gpus[vendor] = (gpus[vendor] ?? 0) + wholeOf(count, NANO);
  }
  return gpus;
}

/** Rounded up, as Kubernetes does where it needs whole units. */
function wholeOf({ nanos }: Quantity, unit: bigint): number {
  return Number((nanos + (nanos > 0n ? unit - 1n : 0n)) / unit);
}
