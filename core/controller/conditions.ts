import { isRecord } from '../kube';

/** A metav1.Condition. */
export interface Condition {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  /** One word for programs. */
  readonly reason: string;
  readonly message: string;
  /** The generation it was true of. */
  readonly observedGeneration?: number;
  readonly lastTransitionTime: string;
}

/** A condition as it is to be set: when it changed is found out. */
export type ConditionState = Omit<Condition, 'lastTransitionTime'>;

const MAX_CONDITIONS = 32;
/** metav1.Condition allows 32,768; nobody reads that. */
const MAX_MESSAGE = 1024;

/** The conditions of a status that somebody may have written by hand: what is none is left out. */
export function readConditions(value: unknown): readonly Condition[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isCondition).slice(0, MAX_CONDITIONS);
}

/**
 * Sets one condition. Its `lastTransitionTime` moves only with its `status`; when nothing differs the same list comes back,
 * so that nothing needs to be written.
 */
export function setCondition(
  conditions: readonly Condition[],
  state: ConditionState,
  now: number,
): readonly Condition[] {
  const before = conditions.find(({ type }) => type === state.type);
  const lastTransitionTime = before?.status === state.status ? before.lastTransitionTime : timestamp(now);
  const after: Condition = { ...state, message: cut(state.message), lastTransitionTime };
  if (!before) return [...conditions, after].slice(-MAX_CONDITIONS);
  if (isSame(before, after)) return conditions;
  return conditions.map((condition) => (condition === before ? after : condition));
}

/** A metav1.Time: seconds, UTC. */
export function timestamp(ms: number): string {
  return new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

function cut(message: string): string {
  return message.length <= MAX_MESSAGE ? message : `${message.slice(0, MAX_MESSAGE - 1)}…`;
}

function isSame(left: Condition, right: Condition): boolean {
  return (
    left.status === right.status &&
    left.reason === right.reason &&
    left.message === right.message &&
    left.observedGeneration === right.observedGeneration
  );
}

function isCondition(value: unknown): value is Condition {
  return (
    isRecord(value) &&
    typeof value.type === 'string' &&
    (value.status === 'True' || value.status === 'False' || value.status === 'Unknown') &&
    typeof value.reason === 'string' &&
    typeof value.message === 'string' &&
    typeof value.lastTransitionTime === 'string' &&
    (value.observedGeneration === undefined || typeof value.observedGeneration === 'number')
  );
}
