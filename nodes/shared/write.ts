import type { ApiResource, KubeObject, WriteOptions } from '../../core/kube';
import { defined } from './json';
import { wholeObject } from './wholeObject';

/** Options that every write has. */
export const DRY_RUN_OPTION = {
  displayName: 'Dry Run',
  name: 'dryRun',
  type: 'boolean',
  default: false,
  description: 'Whether the API server checks everything and stores nothing',
} as const;

export const FIELD_MANAGER_OPTION = {
  displayName: 'Field Manager',
  name: 'fieldManager',
  type: 'string',
  default: 'navin',
  description: 'Under which name the API server notes who set the fields',
} as const;

export const UNKNOWN_FIELDS_OPTION = {
  displayName: 'Ignore Unknown Fields',
  name: 'ignoreUnknownFields',
  type: 'boolean',
  default: false,
  description: 'Whether fields the kind does not have are dropped without a word; else they are refused',
} as const;

/** The options of the operations that write whole objects. */
export const WRITE_OPTIONS_FIELD = {
  displayName: 'Options',
  name: 'options',
  type: 'collection',
  placeholder: 'Add option',
  default: {},
  options: [DRY_RUN_OPTION, FIELD_MANAGER_OPTION, UNKNOWN_FIELDS_OPTION],
} as const;

interface WriteParameters {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly ignoreUnknownFields?: boolean;
}

/** The options of a write as core takes them. */
export function writeOptions({ dryRun, fieldManager, ignoreUnknownFields }: WriteParameters): WriteOptions {
  const manager = fieldManager?.trim() ?? '';
  return {
    dryRun,
    fieldManager: manager === '' ? undefined : manager,
    fieldValidation: ignoreUnknownFields === true ? 'Ignore' : 'Strict',
  };
}

/** An object after a write, as the workflow gets it: what identifies it, or the whole of it. */
export function writtenObject(
  object: KubeObject,
  resource: ApiResource,
  options: { readonly simplify: boolean; readonly dryRun?: boolean | undefined },
): object {
  const { metadata, ...whole } = wholeObject(object, resource) as KubeObject;
  if (!options.simplify) return { ...whole, metadata };
  return defined({
    apiVersion: whole.apiVersion,
    kind: whole.kind,
    name: metadata.name,
    namespace: metadata.namespace,
    uid: metadata.uid,
    resourceVersion: metadata.resourceVersion,
    generation: metadata.generation,
    createdAt: metadata.creationTimestamp,
    labels: metadata.labels ?? {},
    dryRun: options.dryRun === true ? true : undefined,
  });
}

/** Fields of `metadata` that the API server sets and nobody else. */
const SET_BY_SERVER: ReadonlySet<string> = new Set([
  'creationTimestamp',
  'deletionGracePeriodSeconds',
  'deletionTimestamp',
  'generation',
  'managedFields',
  'selfLink',
]);
/** What says which version of which object is meant: there is none yet when it is created. */
const IDENTITY: ReadonlySet<string> = new Set(['resourceVersion', 'uid']);

/** An object without what only the API server sets, so that one that was read can be written. */
export function writable<T extends KubeObject>(object: T): T {
  return { ...object, metadata: without(object.metadata, SET_BY_SERVER) };
}

/** The same for an object that shall be a new one. */
export function creatable<T extends KubeObject>(object: T): T {
  const written = writable(object);
  return { ...written, metadata: without(written.metadata, IDENTITY) };
}

function without(metadata: object, fields: ReadonlySet<string>): object {
  return Object.fromEntries(Object.entries(metadata).filter(([field]) => !fields.has(field)));
}
