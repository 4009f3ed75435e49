import { describe, expect, it } from '@jest/globals';
import { KubeApiError } from '../kube';
import { askedPauseMs, backoffMs, KeyBackoff } from './backoff';

const curve = { baseMs: 100, maxMs: 5000 };

describe('pauses between tries', () => {
  it('double up to their bound, and stay there for ever', () => {
    const pauses = [1, 2, 3, 4, 5, 6, 7, 8, 2000].map((failures) => backoffMs(failures, curve, () => 0));
    expect(pauses).toEqual([100, 200, 400, 800, 1600, 3200, 5000, 5000, 5000]);
  });

  it('are shortened at random, by three tenths at most', () => {
    expect([backoffMs(3, curve, () => 0.5), backoffMs(3, curve, () => 0.999)]).toEqual([340, 280]);
  });

  it('are as long as the server asks for, two minutes at most', () => {
    const throttled = (retryAfterSeconds: number): KubeApiError =>
      new KubeApiError('k8s_throttled', 'busy', { httpStatus: 429, retryAfterSeconds });
    const backoff = new KeyBackoff(curve, () => 0);
    expect(backoff.failed('a', throttled(7))).toEqual({ failures: 1, pauseMs: 7000 });
    expect(backoff.failed('a', throttled(86_400))).toEqual({ failures: 2, pauseMs: 120_000 });
    expect(askedPauseMs(new Error('other'))).toBe(0);
  });

  it('begin anew once a key has succeeded, and nothing is kept of it', () => {
    const backoff = new KeyBackoff(curve, () => 0);
    backoff.failed('a', undefined);
    expect(backoff.failed('a', undefined).pauseMs).toBe(200);
    expect(backoff.failed('b', undefined).pauseMs).toBe(100);
    backoff.forget('a');
    expect([backoff.size, backoff.failed('a', undefined).pauseMs]).toEqual([1, 100]);
  });
});
