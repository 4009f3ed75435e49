import { describe, expect, it } from '@jest/globals';
import { NavinError, type ErrorCode } from '../errors';
import { KubeApiError, KubeConnectionError, type RequestPhase } from './errors';
import { parseRetryAfter, retryDelay } from './retry';

const policy = { maxRetries: 4, totalMs: 60_000, random: () => 0.5 };

function api(code: ErrorCode, httpStatus: number, retryAfterSeconds?: number): KubeApiError {
  return new KubeApiError(code, 'x', { httpStatus, retryAfterSeconds });
}

function connection(phase: RequestPhase, retryable = true): KubeConnectionError {
  return new KubeConnectionError('k8s_unreachable', 'x', { phase, retryable });
}

const first = { retries: 0, elapsedMs: 0 };

describe('retryDelay', () => {
  it.each([
    ['429', api('k8s_throttled', 429), true],
    ['500', api('k8s_server_error', 500), true],
    ['503', api('k8s_server_error', 503), true],
    ['501', api('k8s_server_error', 501), false],
    ['404', api('k8s_not_found', 404), false],
    ['a disruption budget', api('k8s_operation_refused', 429, 10), false],
    ['a reset connection', connection('sent'), true],
    ['a certificate', connection('connecting', false), false],
    ['no address in time', new NavinError('k8s_timeout', 'x'), true],
    ['a refused address', new NavinError('k8s_egress_refused', 'x'), false],
    ['a broken answer', new NavinError('k8s_response_invalid', 'x'), false],
    ['something else', new Error('x'), false],
  ])('a read after %s', (_name, error, repeated) => {
    expect(retryDelay({ ...first, error, write: false }, policy) !== undefined).toBe(repeated);
  });

  it.each([
    ['429 with Retry-After: nothing was done', api('k8s_throttled', 429, 1), true],
    ['429 without Retry-After', api('k8s_throttled', 429), false],
    ['500', api('k8s_server_error', 500, 1), false],
    ['a connection that never stood', connection('connecting'), true],
    ['a connection that broke after the request was sent', connection('sent'), false],
    ['an answer that broke off', connection('answered'), false],
  ])('a change after %s', (_name, error, repeated) => {
    expect(retryDelay({ ...first, error, write: true }, policy) !== undefined).toBe(repeated);
  });

  it('doubles the range of the pause, up to 8 s', () => {
    const error = api('k8s_server_error', 500);
    const many = { ...policy, maxRetries: 10 };
    const pauses = [0, 1, 2, 3, 4, 5, 6, 7].map((retries) =>
      retryDelay({ error, retries, elapsedMs: 0, write: false }, many),
    );
    expect(pauses).toEqual([125, 250, 500, 1000, 2000, 4000, 4000, 4000]);
    expect(retryDelay({ ...first, error, write: false }, { ...policy, random: () => 0 })).toBe(0);
  });

  it('waits as long as asked, with a little more so that not all come at once', () => {
    const waits = (seconds: number, random: number) =>
      retryDelay(
        { ...first, error: api('k8s_throttled', 429, seconds), write: false },
        { ...policy, random: () => random },
      );
    expect(waits(2, 0)).toBe(2000);
    expect(waits(2, 0.5)).toBe(2100);
    expect(waits(0, 0.5)).toBe(0);
  });

  it('cuts an absurd Retry-After to 30 s', () => {
    expect(
      retryDelay({ ...first, error: api('k8s_throttled', 429, 86_400), write: false }, { ...policy, random: () => 0 }),
    ).toBe(30_000);
  });

  it('gives up after so many tries, and when the time is over', () => {
    const error = api('k8s_throttled', 429, 20);
    expect(retryDelay({ error, retries: 4, elapsedMs: 0, write: false }, policy)).toBeUndefined();
    expect(retryDelay({ error, retries: 1, elapsedMs: 45_000, write: false }, policy)).toBeUndefined();
    expect(retryDelay({ error, retries: 0, elapsedMs: 0, write: false }, { ...policy, maxRetries: 0 })).toBeUndefined();
  });
});

describe('parseRetryAfter', () => {
  const now = Date.parse('2026-01-01T00:00:00Z');
  it.each([
    ['5', undefined, 5],
    [' 0 ', undefined, 0],
    ['Thu, 01 Jan 2026 00:00:30 GMT', undefined, 30],
    ['Wed, 31 Dec 2025 23:00:00 GMT', undefined, 0],
    // By the clock of the server, which is an hour ahead of ours.
    ['Thu, 01 Jan 2026 01:00:07 GMT', 'Thu, 01 Jan 2026 01:00:00 GMT', 7],
    ['Thu, 01 Jan 2026 00:00:30 GMT', 'nonsense', 30],
    ['-1', undefined, undefined],
    ['1.5', undefined, undefined],
    ['99999999999', undefined, undefined],
    ['2026-01-01T00:00:30Z', undefined, undefined],
    ['soon', undefined, undefined],
    ['', undefined, undefined],
    [undefined, undefined, undefined],
  ])('%p (Date %p)', (value, date, seconds) => {
    expect(parseRetryAfter(value, date, now)).toBe(seconds);
  });
});
