/** The four dimensions of a ManagedComponent and whether it has converged, by the field that holds each. */
export const COMPONENT_FIELDS = {
  state: 'status.state',
  health: 'status.health',
  operation: 'status.operationState',
  security: 'status.securityState',
  convergence: 'status.converged',
} as const;

/** A dimension of a ManagedComponent whose changes can be watched. */
export type ComponentDimension = keyof typeof COMPONENT_FIELDS;

/** The fields of all dimensions: each change is told with what the others were. */
export const ALL_COMPONENT_FIELDS: readonly string[] = Object.values(COMPONENT_FIELDS);

/** The resource of a ManagedComponent, as discovery knows it. */
export const COMPONENT_RESOURCE = 'managedcomponents.platform.navin.ai';

/**
 * The field paths to watch for changes of the chosen dimensions: a change of a component is an ordinary change of these
 * fields, with the value before and after, not an incident that lasts.
 */
export function componentFields(dimensions: readonly ComponentDimension[]): readonly string[] {
  return dimensions.map((dimension) => COMPONENT_FIELDS[dimension]);
}
