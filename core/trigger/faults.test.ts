import { describe, expect, it } from '@jest/globals';
import { FaultLog, pauseAfter } from './faults';

const error = new Error('x');
const down = { code: 'k8s_unreachable', error, retryAfterMs: 0 } as const;
const forbidden = { code: 'k8s_forbidden', error, retryAfterMs: 0 } as const;

describe('faults', () => {
  it('are told once, when they last', () => {
    const log = new FaultLog(30_000, () => 0.5);
    const told = [0, 30_000, 60_000, 120_000, 150_000].map((at) => log.failed('s', down, at)?.failures);
    expect(told).toEqual([undefined, undefined, undefined, 4, undefined]);
  });

  it('that only the user can mend are told at the second failure', () => {
    const log = new FaultLog(30_000, () => 0.5);
    expect([0, 1000, 2000].map((at) => log.failed('s', forbidden, at)?.code)).toEqual([
      undefined,
      'k8s_forbidden',
      undefined,
    ]);
  });

  it('that an API server tells once while it starts are not told', () => {
    const log = new FaultLog(30_000, () => 0.5);
    const said = [down, forbidden, down, forbidden, forbidden].map((failure, at) => log.failed('s', failure, at)?.code);
    expect(said).toEqual([undefined, undefined, undefined, undefined, 'k8s_forbidden']);
  });

  it('of another kind are told again', () => {
    const log = new FaultLog(30_000, () => 0.5);
    log.failed('s', forbidden, 0);
    log.failed('s', forbidden, 1);
    expect(log.failed('s', { ...forbidden, code: 'k8s_unauthorized' }, 2)?.code).toBe('k8s_unauthorized');
  });

  it('are over with the first success, and can come again', () => {
    const log = new FaultLog(30_000, () => 0.5);
    log.failed('s', forbidden, 0);
    log.failed('s', forbidden, 1);
    expect([log.succeeded('s'), log.succeeded('s')]).toEqual([true, false]);
    expect([log.failed('s', forbidden, 2), log.failed('s', forbidden, 3)?.failures]).toEqual([undefined, 2]);
  });

  it('of one scope leave the others alone', () => {
    const log = new FaultLog(30_000, () => 0.5);
    log.failed('left', down, 0);
    expect([log.isPaused('left', 500), log.isPaused('left', 1000), log.isPaused('right', 500)]).toEqual([
      true,
      false,
      false,
    ]);
    expect([log.nextRetry(500), log.nextRetry(1000)]).toEqual([1000, Number.POSITIVE_INFINITY]);
  });
});

describe('the pause after failures', () => {
  it.each([
    [1, 0, 0.5, 1000],
    [2, 0, 0.5, 2000],
    [5, 0, 0.5, 16_000],
    [50, 0, 0.5, 120_000],
    [1, 0, 0, 750],
    [1, 0, 1, 1250],
    [1, 7000, 0.5, 7000],
    [1, 1_000_000, 0.5, 300_000],
  ])('%s failures, Retry-After %s ms, random %s: %s ms', (failures, retryAfter, random, pause) => {
    expect(pauseAfter(failures, 30_000, retryAfter, random)).toBe(pause);
  });
});
