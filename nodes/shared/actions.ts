import type { AnyRun, OperationDescription, ResourceDescription } from './operation';

/** An operation with its function, as the router finds it. */
export interface Operation {
  readonly description: OperationDescription;
  readonly run: AnyRun;
}

/** What a node can do. */
export interface Actions {
  /** Finds an operation by the values of the parameters `resource` and `operation`. */
  find(resource: string, operation: string): Operation | undefined;
  /** The operations of all nodes: what the groups of rights follow from. */
  readonly descriptions: readonly OperationDescription[];
}

/**
 * The operations of a node with their functions.
 *
 * @param node its resources, and their functions by resource and operation
 * @param descriptions the operations of all nodes
 */
export function actionsOf(
  {
    resources,
    runs,
  }: {
    readonly resources: readonly ResourceDescription[];
    readonly runs: Readonly<Record<string, Readonly<Record<string, AnyRun>>>>;
  },
  descriptions: readonly OperationDescription[],
): Actions {
  return {
    descriptions,
    find: (resource, operation) => {
      const found = resources.find(({ value }) => value === resource);
      const description = found?.operations.find(({ value }) => value === operation);
      const run = runs[resource]?.[operation];
      return description === undefined || run === undefined ? undefined : { description, run };
    },
  };
}
