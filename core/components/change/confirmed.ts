import type { KubeObject } from '../../kube';
import { at, fields, items, numberAt, textAt } from '../fields';

/**
 * What is known of a component for sure: what its operator saw in the workloads, of the spec as it is now. It is read from
 * whatever the API server sent; what is not there is not known.
 */
export interface Confirmed {
  /** Whether the operator has seen the spec as it is now. All below is of an older one where it has not. */
  readonly observed: boolean;
  readonly state: string;
  readonly health: string;
  readonly operationState: string;
  readonly securityState: string;
  /** Only of the spec as it is now. */
  readonly converged: boolean;
  /** The newest operation the operator knows. */
  readonly operation: { readonly type?: string; readonly reason?: string; readonly message?: string };
  /** Why it is not compliant. */
  readonly security: { readonly reason?: string; readonly message?: string };
  /** Pods that are available and that are wanted, over all workloads. */
  readonly available: number;
  readonly desired: number;
}

/** What a component confirms. */
export function confirmedOf(component: KubeObject): Confirmed {
  const { metadata, status } = component;
  const observedGeneration = numberAt(status, 'observedGeneration');
  const observed = observedGeneration !== undefined && observedGeneration >= (metadata.generation ?? 0);
  const workloads = items(status, 'workloads');
  const sum = (field: string): number => workloads.reduce((total, one) => total + (numberAt(one, field) ?? 0), 0);
  return {
    observed,
    state: textAt(status, 'state') ?? 'unknown',
    health: textAt(status, 'health') ?? 'unknown',
    operationState: textAt(status, 'operationState') ?? 'idle',
    securityState: textAt(status, 'securityState') ?? 'unknown',
    converged: observed && at(status, 'converged') === true,
    operation: texts(status, 'operation'),
    security: texts(status, 'security'),
    available: sum('available'),
    desired: sum('desired'),
  };
}

function texts(status: unknown, name: string): { type?: string; reason?: string; message?: string } {
  const found = fields(status, name);
  const known = ['type', 'reason', 'message'].flatMap((field) => {
    const text = textAt(found, field);
    return text === undefined ? [] : [[field, text.slice(0, 500)] as const];
  });
  return Object.fromEntries(known);
}
