import { describe, expect, it } from '@jest/globals';
import { readConditions, setCondition, type Condition } from './conditions';

const AT = Date.parse('2026-01-01T00:00:00.750Z');
const ready: Condition = {
  type: 'Ready',
  status: 'False',
  reason: 'Rolling',
  message: '1 of 3',
  observedGeneration: 4,
  lastTransitionTime: '2025-12-31T23:00:00Z',
};

describe('a condition', () => {
  it('keeps the time of its last transition while its status stays', () => {
    const state = {
      type: 'Ready',
      status: 'False',
      reason: 'Rolling',
      message: '2 of 3',
      observedGeneration: 5,
    } as const;
    expect(setCondition([ready], state, AT)).toEqual([{ ...state, lastTransitionTime: '2025-12-31T23:00:00Z' }]);
  });

  it('has a new one when its status changes', () => {
    const state = { type: 'Ready', status: 'True', reason: 'Done', message: '', observedGeneration: 5 } as const;
    expect(setCondition([ready], state, AT)).toEqual([{ ...state, lastTransitionTime: '2026-01-01T00:00:00Z' }]);
  });

  it('that says the same changes nothing at all', () => {
    const conditions = [ready];
    const { lastTransitionTime: _time, ...state } = ready;
    expect(setCondition(conditions, state, AT)).toBe(conditions);
    expect(_time).toBe('2025-12-31T23:00:00Z');
  });

  it('is added beside the others, with a message of bounded length', () => {
    const state = { type: 'Stalled', status: 'True', reason: 'X', message: 'm'.repeat(5000) } as const;
    const [first, second] = setCondition([ready], state, AT);
    expect([first, second?.message.length, second?.message.at(-1)]).toEqual([ready, 1024, '…']);
  });

  it('is read from what somebody may have written by hand', () => {
    const odd = [ready, null, 7, { type: 'Ready' }, { ...ready, status: 'yes' }, { ...ready, observedGeneration: 'x' }];
    expect(readConditions(odd)).toEqual([ready]);
    expect([readConditions(undefined), readConditions({})]).toEqual([[], []]);
  });
});
