import type { ComponentSpec } from './resource/spec';

/** The disruption budget of a component. */
export type Budget = ComponentSpec['pdb'];

/**
 * How many of `replicas` Pods must stay available. Percentages are rounded up, for minAvailable and for maxUnavailable
 * alike, as the disruption controller does (`GetScaledValueFromIntOrPercent(…, roundUp)`).
 */
export function requiredOf(budget: Budget, replicas: number): number {
  if (budget?.minAvailable !== undefined) return scaled(budget.minAvailable, replicas);
  if (budget?.maxUnavailable !== undefined) return Math.max(0, replicas - scaled(budget.maxUnavailable, replicas));
  return 0;
}

/** Whether a number of replicas can never satisfy the budget, however well all of them are. */
export function isBelowBudget(budget: Budget, replicas: number): boolean {
  return requiredOf(budget, replicas) > replicas;
}

/** How a Deployment may replace its Pods without going below what is required: one more first, then so many at a time. */
export function rollingUpdate(required: number, replicas: number): { maxSurge: 1; maxUnavailable: number } {
  return { maxSurge: 1, maxUnavailable: Math.max(0, replicas - required) };
}

function scaled(value: number | string, replicas: number): number {
  if (typeof value === 'number') return value;
  return Math.ceil((Number.parseInt(value, 10) * replicas) / 100);
}
