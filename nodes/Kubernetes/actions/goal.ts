import { type FieldPath, type KubeObject, readField } from '../../../core/kube';
import { at, conditionOf, defined, numberAt, textAt } from '../../shared/json';

/** What an object is waited for to be. */
export type Goal =
  | { readonly until: 'condition'; readonly type: string; readonly status: string }
  /** An empty value: any. */
  | { readonly until: 'field'; readonly path: FieldPath; readonly value: string }
  | { readonly until: 'present' }
  | { readonly until: 'absent' };

/** How far an object is. */
export interface Verdict {
  readonly state: 'met' | 'waiting' | 'failed';
  /** What was seen: `Ready=False`, `status.phase=Pending`. */
  readonly seen: string;
  readonly reason?: string;
  readonly message?: string;
}

/** The longest text of a condition that is passed on. */
const MAX_MESSAGE = 500;

/**
 * How far an object is on the way to a goal. It has failed when it says so itself: by a condition that stands for failure,
 * by its phase, or by a rollout that is over its deadline. Then nothing is to be waited for any more.
 * @param failures types of conditions that stand for failure when they are True
 */
export function judge(object: KubeObject, goal: Goal, failures: readonly string[]): Verdict {
  const verdict = look(object, goal);
  if (verdict.state === 'met') return verdict;
  return failureOf(object, goal, failures) ?? verdict;
}

function look(object: KubeObject, goal: Goal): Verdict {
  switch (goal.until) {
    case 'present':
      return { state: 'met', seen: 'present' };
    case 'absent':
      return { state: 'waiting', seen: 'present' };
    case 'condition':
      return lookAtCondition(object, goal);
    case 'field': {
      const value = readField(object, goal.path);
      const met = goal.value === '' ? value !== undefined && value !== null : textOf(value) === goal.value;
      return { state: met ? 'met' : 'waiting', seen: `${goal.path.text}=${textOf(value).slice(0, 100)}` };
    }
  }
}

/** A condition that speaks of an older generation of the object says nothing of what is wanted now. */
function lookAtCondition(object: KubeObject, { type, status }: Goal & { readonly until: 'condition' }): Verdict {
  const condition = conditionOf(object, type);
  if (condition === undefined) return { state: 'waiting', seen: `no condition ${type}` };
  const observed = numberAt(condition, 'observedGeneration') ?? numberAt(object, 'status', 'observedGeneration');
  const isStale = observed !== undefined && observed < (numberAt(object, 'metadata', 'generation') ?? 0);
  const actual = textAt(condition, 'status') ?? 'Unknown';
  const met = !isStale && actual.toLowerCase() === status.toLowerCase();
  const seen = isStale ? `${type}=${actual} of an older generation` : `${type}=${actual}`;
  return { state: met ? 'met' : 'waiting', seen, ...why(condition) };
}

function failureOf(object: KubeObject, goal: Goal, failures: readonly string[]): Verdict | undefined {
  if (goal.until === 'present' || goal.until === 'absent') return undefined;
  for (const type of failures) {
    const condition = conditionOf(object, type);
    if (textAt(condition, 'status') === 'True') return { state: 'failed', seen: `${type}=True`, ...why(condition) };
  }
  if (failures.length > 0 && textAt(object, 'status', 'phase') === 'Failed') {
    return { state: 'failed', seen: 'status.phase=Failed', ...why(at(object, 'status')) };
  }
  const progressing = conditionOf(object, 'Progressing');
  if (failures.length > 0 && textAt(progressing, 'reason') === 'ProgressDeadlineExceeded') {
    return { state: 'failed', seen: 'Progressing=False', ...why(progressing) };
  }
  const isOver = goal.until === 'condition' && textAt(conditionOf(object, goal.type), 'reason') === 'PodCompleted';
  return isOver ? { state: 'failed', seen: `${goal.type}=False`, reason: 'PodCompleted' } : undefined;
}

function why(condition: unknown): { reason?: string; message?: string } {
  const reason = textAt(condition, 'reason');
  const message = textAt(condition, 'message')?.slice(0, MAX_MESSAGE);
  return defined({ reason, message });
}

function textOf(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
