import { describe, expect, it } from '@jest/globals';
import { parseFieldPath } from '../../../core/kube';
import { type Goal, judge } from '../../../nodes/Kubernetes/actions/goal';

const object = (status: object, generation = 1) => ({ metadata: { name: 'web', generation }, status });
const conditions = (...list: object[]) => object({ conditions: list });
const READY: Goal = { until: 'condition', type: 'Ready', status: 'True' };

describe('how far an object is', () => {
  it.each<[string, ReturnType<typeof object>, Goal, string]>([
    ['a condition as wanted', conditions({ type: 'Ready', status: 'True' }), READY, 'met'],
    ['a condition in other letters', conditions({ type: 'Ready', status: 'true' }), READY, 'met'],
    ['another condition', conditions({ type: 'Synced', status: 'True' }), READY, 'waiting'],
    ['no status', object({}), READY, 'waiting'],
    ['a failure beside it', conditions({ type: 'Failed', status: 'True' }), READY, 'failed'],
    ['a failure that is over', conditions({ type: 'Failed', status: 'False' }), READY, 'waiting'],
    ['a stalled one', conditions({ type: 'Stalled', status: 'True' }), READY, 'failed'],
    ['a failed phase', object({ phase: 'Failed', reason: 'Evicted' }), READY, 'failed'],
    ['a pod that has ended', conditions({ type: 'Ready', status: 'False', reason: 'PodCompleted' }), READY, 'failed'],
    [
      'a rollout over its deadline',
      conditions({ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }),
      { until: 'condition', type: 'Available', status: 'True' },
      'failed',
    ],
    [
      'a condition of an older generation',
      {
        metadata: { name: 'web', generation: 3 },
        status: { observedGeneration: 2, conditions: [{ type: 'Ready', status: 'True' }] },
      },
      READY,
      'waiting',
    ],
    [
      'a phase that is waited for although it is a failed one',
      object({ phase: 'Failed' }),
      { until: 'field', path: parseFieldPath('status.phase'), value: 'Failed' },
      'met',
    ],
    [
      'a number',
      object({ replicas: 3 }),
      { until: 'field', path: parseFieldPath('status.replicas'), value: '3' },
      'met',
    ],
    [
      'an object',
      object({ a: { b: 1 } }),
      { until: 'field', path: parseFieldPath('status.a'), value: '{"b":1}' },
      'met',
    ],
    [
      'null for any value',
      object({ a: null }),
      { until: 'field', path: parseFieldPath('status.a'), value: '' },
      'waiting',
    ],
    ['an object that shall be there', object({ phase: 'Failed' }), { until: 'present' }, 'met'],
    ['an object that shall be gone', object({ phase: 'Failed' }), { until: 'absent' }, 'waiting'],
  ])('%s', (_what, seen, goal, state) => {
    expect(judge(seen, goal, ['Failed', 'Stalled']).state).toBe(state);
  });

  it('counts nothing as a failure when no conditions stand for one', () => {
    expect(judge(object({ phase: 'Failed', conditions: [{ type: 'Failed', status: 'True' }] }), READY, []).state).toBe(
      'waiting',
    );
  });

  it('passes on the words of a condition, but not without end', () => {
    const failed = conditions({ type: 'Failed', status: 'True', reason: 'Bad', message: 'x'.repeat(5_000) });
    expect(judge(failed, READY, ['Failed'])).toEqual({
      state: 'failed',
      seen: 'Failed=True',
      reason: 'Bad',
      message: 'x'.repeat(500),
    });
  });
});
