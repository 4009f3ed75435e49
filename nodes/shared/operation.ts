import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { KubeClient } from '../../core/kube';
import { type Property, toNodeProperties, type ValuesOf } from './property';
import type { KindVerb, Right, RightsGroup } from './rights';

/**
 * An operation as data: what the editor shows of it, the parameters it takes, and the rights it uses on the cluster.
 * The other half is one function, {@link Run}. Everything else (the loop over the items, reading and checking the
 * parameters, pairing, errors) is written once in `loop.ts`.
 */
export interface OperationDescription {
  /** In the dropdown, title case: `Get Many`. */
  readonly name: string;
  /** `getAll` */
  readonly value: string;
  /** In the list of actions, sentence case: `Get many pods`. */
  readonly action: string;
  readonly description: string;
  /** The group of rights a Role needs for it, see docs/permissions.md; `kind`: those of the kind that is named. */
  readonly rightsGroup: RightsGroup | 'kind';
  readonly rights: readonly Right[];
  /** What it does to the kind that the parameter `kind` names. */
  readonly verbs?: readonly KindVerb[];
  /** Its rights to write are used for dry runs alone: the API server stores nothing. */
  readonly dryRunOnly?: true;
  /** What a missing right hides is left out of the output and listed there (`notRead`); the rest comes. */
  readonly partial?: true;
  /** Whether the namespace may be `*`. */
  readonly allNamespaces?: true;
  readonly properties: readonly Property[];
}

/** Keeps the literal types of a description, from which the types of the parameters are derived. */
/* @__NO_SIDE_EFFECTS__ */
export function defineOperation<const D extends OperationDescription>(description: D): D {
  return description;
}

/** The parameters of an operation for one item, read and checked. */
export type ParametersOf<D extends { readonly properties: readonly Property[] }> = ValuesOf<D['properties']>;

/** An object of the output: the `json` of one item. */
export type OutputObject = object;

/** An item with a file beside its json. n8n keeps files outside of the memory of the process. */
export class FileItem {
  constructor(
    readonly json: object,
    readonly file: {
      readonly name: string;
      /** n8n finds it out by the name when it is absent. */
      readonly mimeType?: string;
      readonly data: Buffer;
      /** Where the item has it. Default: `data`. */
      readonly field?: string;
      /** Called as soon as n8n has the file: gives the memory of `data` back. */
      readonly release?: (() => void) | undefined;
    },
  ) {}
}

/** A file of the item an operation runs for. */
export interface InputFile {
  /** As whoever made the file named it; nothing is to be trusted in it. */
  readonly name: string | undefined;
  readonly data: Buffer;
}

/** What an operation gives for one item: one object (or {@link FileItem}), several, or pages of them as they come. */
export type Output = OutputObject | readonly OutputObject[] | AsyncIterable<readonly OutputObject[]>;

/** Clock of the operations: tests pass their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after `ms` milliseconds, rejects when the signal aborts. */
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** What an operation knows beside its parameters. */
export interface OperationContext {
  readonly clock: Clock;
  /** Aborted when the execution is stopped. */
  readonly signal: AbortSignal | undefined;
  /** The json of the item. */
  readonly input: Readonly<Record<string, unknown>>;
  /**
   * Reads a file of the item.
   * @throws the error of n8n when the item has no such file; NavinError `k8s_parameter_invalid` when it is too large
   */
  readFile(field: string, maxBytes: number): Promise<InputFile>;
  /** Says something to the person in the editor, beside the output. */
  note(message: string): void;
  /** Writes a line into the log of n8n, for the people who run it: nobody who made the workflow sees it. */
  log(level: 'info' | 'warn', line: string): void;
  /** Says how far it is: in the log of n8n at once and, when the editor runs it, in the console of the browser. */
  progress(message: string): void;
  /**
   * What the node keeps from one execution of its workflow to the next; a field of it is assigned as a whole.
   * @throws NavinError `k8s_parameter_invalid` where nothing can be kept
   */
  memory(): Record<string, unknown>;
  /** The rights the operations of a group use. */
  rightsOfGroup(group: RightsGroup): readonly Right[];
}

/**
 * The work of an operation for one item. Throws errors of core only; the loop translates them.
 */
export type Run<D extends OperationDescription = OperationDescription> = (
  client: KubeClient,
  parameters: ParametersOf<D>,
  context: OperationContext,
) => Promise<Output> | AsyncIterable<readonly OutputObject[]>;

/** A run whose parameters are not known any more: what the router holds. */
export type AnyRun = (
  client: KubeClient,
  parameters: never,
  context: OperationContext,
) => Promise<Output> | AsyncIterable<readonly OutputObject[]>;

/** A resource of a node: its operations in the order of the dropdown. */
export interface ResourceDescription {
  /** `Pod` */
  readonly name: string;
  /** `pod` */
  readonly value: string;
  readonly operations: readonly OperationDescription[];
}

/** Keeps the literal types of a resource. */
/* @__NO_SIDE_EFFECTS__ */
export function defineResource<const R extends ResourceDescription>(resource: R): R {
  return resource;
}

/** The functions of a resource, one for each of its operations and of its type. */
export type RunsOf<R extends ResourceDescription> = {
  readonly [D in R['operations'][number] as D['value']]: Run<D>;
};

/** The dropdown of operations and the parameters of each, for one resource. */
/* @__NO_SIDE_EFFECTS__ */
export function resourceProperties(resource: ResourceDescription): INodeProperties[] {
  const options: INodePropertyOptions[] = resource.operations.map(({ name, value, action, description }) => ({
    name,
    value,
    action,
    description,
  }));
  // The first one in the dropdown may be Delete: a new node starts with one that changes nothing.
  const initial = (resource.operations.find(({ value }) => value === 'getAll') ?? resource.operations[0])?.value;
  return [
    {
      displayName: 'Operation',
      name: 'operation',
      type: 'options',
      noDataExpression: true,
      displayOptions: { show: { resource: [resource.value] } },
      options,
      default: initial,
    },
    ...resource.operations.flatMap((operation) =>
      toNodeProperties(operation.properties, resource.value, operation.value),
    ),
  ];
}
