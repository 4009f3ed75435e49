import type { AutoscalerSeen, Asks, Budget, WorkloadSeen } from './seen';

/**
 * What a budget requires, written from its specification and not from the operator's code: minAvailable, or N −
 * maxUnavailable, percentages of N rounded up.
 */
export function required({ minAvailable, maxUnavailable }: Budget, replicas: number): number {
  if (minAvailable !== undefined) return counted(minAvailable, replicas);
  if (maxUnavailable !== undefined) return Math.max(0, replicas - counted(maxUnavailable, replicas));
  return 0;
}

function counted(value: number | string, replicas: number): number {
  if (typeof value === 'number') return value;
  const [, percent = '0'] = /^(\d+)%$/.exec(value) ?? [];
  return Math.ceil((Number(percent) * replicas) / 100);
}

/** N: the smaller of the live and the desired replicas; under an autoscaler its fewest. */
export function guarded(asks: Asks, workload: WorkloadSeen, autoscalers: readonly AutoscalerSeen[]): number {
  const isMeant =
    asks.target === undefined || (asks.target.kind === workload.kind && asks.target.name === workload.name);
  if (isMeant && asks.fewest !== undefined) return asks.fewest;
  const autoscaler = autoscalers.find(({ target }) => target.kind === workload.kind && target.name === workload.name);
  if (autoscaler !== undefined) return autoscaler.fewest;
  return isMeant && asks.replicas !== undefined ? Math.min(workload.desired, asks.replicas) : workload.desired;
}
