import { describe, expect, it } from '@jest/globals';
import { NavinError } from '../errors';
import { evictionAnswer } from './evict';

describe('the answer to an eviction', () => {
  it.each([['web'], [undefined]])('is waited out while a budget has no room: %s', (budget) => {
    const details = { refusedBy: 'DisruptionBudget', ...(budget === undefined ? {} : { budget }) };
    const error = new NavinError('k8s_operation_refused', 'no room', { details });
    expect(evictionAnswer(error)).toEqual({ kind: 'blocked', budget, message: 'no room' });
  });

  it('is waited out when the pod has two budgets, because somebody may take one away', () => {
    const message = 'The API server could not create the eviction: This pod has more than one PodDisruptionBudget';
    expect(evictionAnswer(new NavinError('k8s_server_error', message))).toEqual({ kind: 'blocked', message });
  });

  it('says that the pod is gone', () => {
    const error = new NavinError('k8s_not_found', 'not there', { details: { missing: 'object' } });
    expect(evictionAnswer(error)).toEqual({ kind: 'gone' });
  });

  it.each(['k8s_conflict', 'k8s_outcome_unknown', 'k8s_throttled', 'k8s_server_error', 'k8s_timeout'] as const)(
    'is looked at again after %s',
    (code) => {
      expect(evictionAnswer(new NavinError(code, 'not now'))).toEqual({ kind: 'failed', message: 'not now' });
    },
  );

  it('is waited for while the namespace is being deleted', () => {
    const error = new NavinError('k8s_forbidden', 'ending', { details: { refusedBy: 'namespace-terminating' } });
    expect(evictionAnswer(error)).toEqual({ kind: 'failed', message: 'ending' });
  });

  it.each([
    new NavinError('k8s_forbidden', 'no right'),
    new NavinError('k8s_unauthorized', 'no credential'),
    new NavinError('k8s_aborted', 'stopped'),
    new NavinError('k8s_not_found', 'no evictions here', { details: { missing: 'kind' } }),
    new TypeError('a fault'),
  ])('ends the drain when waiting does not help: %s', (error) => {
    expect(evictionAnswer(error)).toBeUndefined();
  });
});
