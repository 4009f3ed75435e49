import { at, recordsAt } from './reading';

/** The values of an object that are compared, as texts, by field. */
export type Fields = ReadonlyMap<string, string>;
/** The objects of a part, by name. */
export type Objects = ReadonlyMap<string, Fields>;
/** What of an inventory is compared. A part that was not read is absent. */
export type Comparable = ReadonlyMap<ComparedPart, Objects>;

/** A part that is compared; `cluster` is what is there once. */
export type ComparedPart = 'cluster' | 'nodes' | 'storageClasses' | 'ingressClasses' | 'coreDns' | 'addOns';

const AMOUNTS = ['cpu', 'memory', 'ephemeralStorage', 'pods', 'gpus'];
const NODE_FIELDS = [
  'ready',
  'schedulable',
  'roles',
  'taints',
  'providerId',
  'instanceType',
  'region',
  'zone',
  'architecture',
  'osImage',
  'kernel',
  'containerRuntime',
  'kubelet',
  // A node that was made anew under the name of another.
  'createdAt',
  ...['capacity', 'allocatable'].flatMap((part) => AMOUNTS.map((amount) => `${part}.${amount}`)),
];

/**
 * The fields that are compared. How sure the distribution is, and the totals, follow from the nodes; what changes without
 * anybody doing something (times, ready replicas) is left out, but readiness of nodes.
 */
const FIELDS = {
  cluster: ['version', 'platform', 'distribution', 'mode'],
  nodes: NODE_FIELDS,
  storageClasses: ['provisioner', 'default', 'reclaimPolicy', 'volumeBindingMode', 'allowsExpansion'],
  ingressClasses: ['controller', 'default'],
  coreDns: ['image', 'version', 'replicas'],
  addOns: ['group', 'versions', 'available'],
} as const satisfies Record<ComparedPart, readonly string[]>;

/** The parts in their order. */
export const COMPARED_PARTS = Object.keys(FIELDS) as readonly ComparedPart[];

/** More objects than this are no inventory of ours. */
const MAX_OBJECTS = 20_000;
/** Longer values are cut. */
const MAX_VALUE = 512;

/**
 * What of an inventory is compared, whoever made it: one of today, or one that a workflow has kept or put together. Undefined
 * when it is none.
 */
export function comparableOf(inventory: unknown): Comparable | undefined {
  if (at(inventory, 'distribution') === undefined) return undefined;
  const parts = new Map<ComparedPart, Objects>();
  if (textOf(at(inventory, 'version')) !== '') {
    parts.set('cluster', new Map([['cluster', fieldsOf(inventory, FIELDS.cluster)]]));
  }
  for (const part of ['nodes', 'storageClasses', 'ingressClasses', 'addOns'] as const) {
    if (!Array.isArray(at(inventory, part))) continue;
    const objects = recordsAt(inventory, part);
    if (objects.length > MAX_OBJECTS) return undefined;
    parts.set(part, new Map(objects.map((object) => [textOf(object.name), fieldsOf(object, FIELDS[part])])));
  }
  if (!recordsAt(inventory, 'notRead').some(({ part }) => part === 'coreDns')) {
    const coreDns = at(inventory, 'coreDns');
    const name = textOf(at(coreDns, 'name'));
    parts.set('coreDns', new Map(name === '' ? [] : [[name, fieldsOf(coreDns, FIELDS.coreDns)]]));
  }
  return parts;
}

function fieldsOf(object: unknown, names: readonly string[]): Fields {
  const fields = names.map((name) => [name, textOf(at(object, ...name.split('.')))] as const);
  return new Map(fields.filter(([, value]) => value !== ''));
}

/** A list is written with commas, an object (GPUs by vendor) as `vendor=count`; nothing is an empty text. */
function textOf(value: unknown): string {
  return plainText(value).slice(0, MAX_VALUE);
}

function plainText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.map((entry: unknown) => (typeof entry === 'string' ? entry : '')).join(', ');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, entry]) => `${key}=${typeof entry === 'number' ? String(entry) : ''}`)
    .join(', ');
}
