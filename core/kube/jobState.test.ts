import { describe, expect, it } from '@jest/globals';
import { jobState } from './jobState';

function job(conditions: readonly object[], spec: object = {}, counts: object = {}) {
  return { metadata: {}, spec, status: { conditions, ...counts } };
}

describe('jobState', () => {
  it.each([
    ['has just been made', { metadata: {} }, { phase: 'running' }],
    ['runs', job([], {}, { active: 2 }), { phase: 'running', active: 2 }],
    [
      'is complete',
      job([{ type: 'Complete', status: 'True' }], {}, { succeeded: 1 }),
      { phase: 'complete', succeeded: 1 },
    ],
    [
      'has failed',
      job(
        [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded', message: 'Job has reached\nthe limit' }],
        {},
        { failed: 7 },
      ),
      { phase: 'failed', reason: 'BackoffLimitExceeded', message: 'Job has reached the limit', failed: 7 },
    ],
    [
      'ends its last Pods before it has failed',
      job([{ type: 'FailureTarget', status: 'True', reason: 'DeadlineExceeded' }]),
      { phase: 'running', reason: 'DeadlineExceeded' },
    ],
    [
      'ends its last Pods before it is complete',
      job([{ type: 'SuccessCriteriaMet', status: 'True' }]),
      { phase: 'running' },
    ],
    ['is suspended', job([{ type: 'Suspended', status: 'True' }]), { phase: 'suspended' }],
    ['shall be suspended', job([], { suspend: true }), { phase: 'suspended' }],
    ['was suspended', job([{ type: 'Suspended', status: 'False' }]), { phase: 'running' }],
    ['does not hold its condition', job([{ type: 'Failed', status: 'Unknown' }]), { phase: 'running' }],
  ])('a Job that %s', (_name, object, expected) => {
    expect(jobState(object)).toEqual({ active: 0, succeeded: 0, failed: 0, ...expected });
  });
});
