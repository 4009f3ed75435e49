import { isRecord, type KubeObject } from '../kube';

/** What keeps pods away from a node. */
export interface Taint {
  readonly key: string;
  readonly value?: string | undefined;
  readonly effect: string;
  /** When it was added, for NoExecute. */
  readonly timeAdded?: string;
}

/** The taints of a node. */
export function taintsOf({ spec }: KubeObject): readonly Taint[] {
  const taints: readonly unknown[] = isRecord(spec) && Array.isArray(spec.taints) ? spec.taints : [];
  return taints.filter(isTaint);
}

function isTaint(value: unknown): value is Taint {
  return isRecord(value) && typeof value.key === 'string' && typeof value.effect === 'string';
}

/** The taint of this key and effect: a node has one at most. */
export function findTaint(taints: readonly Taint[], { key, effect }: Taint): Taint | undefined {
  return taints.find((taint) => taint.key === key && taint.effect === effect);
}

/** With a taint, in the place of the one of its key and effect. */
export function withTaint(taints: readonly Taint[], taint: Taint): readonly Taint[] {
  return [...taints.filter(({ key, effect }) => key !== taint.key || effect !== taint.effect), taint];
}

/** Without the taints of a key, all or those of one effect. */
export function withoutTaint(taints: readonly Taint[], key: string, effect: string | undefined): readonly Taint[] {
  return taints.filter((taint) => taint.key !== key || (effect !== undefined && taint.effect !== effect));
}

/** As kubectl writes it: `key=value:effect`. */
export function taintText({ key, value, effect }: Taint): string {
  return `${key}${value ? `=${value}` : ''}:${effect}`;
}
