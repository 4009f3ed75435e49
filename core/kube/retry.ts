import { isNavinError } from '../errors';
import { KubeApiError, KubeConnectionError } from './errors';

/** Bounds of the retries of one request. */
export interface RetryPolicy {
  /** Tries after the first. */
  readonly maxRetries: number;
  /** All tries and pauses together, in ms. */
  readonly totalMs: number;
  /** 0 ≤ random() < 1. */
  readonly random: () => number;
}

/** The longest pause a server can ask for; a longer Retry-After is cut to it. */
export const MAX_RETRY_AFTER_MS = 30_000;
const BASE_MS = 250;
const MAX_BACKOFF_MS = 8_000;

/** What happened so far. */
export interface FailedTry {
  readonly error: unknown;
  /** Retries made already. */
  readonly retries: number;
  readonly elapsedMs: number;
  /** A change: repeated only where it is certain that nothing was done. */
  readonly write: boolean;
}

/**
 * How long to wait before the next try, in ms; undefined when there shall be none.
 *
 * Reads: 429, 5xx, network errors and time limits. Changes: only when not one byte was sent (`connecting`), or when the
 * API server refused with 429 and Retry-After, which it does before it acts. The pause is Retry-After (at most 30 s) or,
 * without one, drawn from 0 to 250 ms × 2^retries, at most 8 s ("full jitter"), so that many clients do not come back at
 * the same moment; behind a Retry-After up to a tenth is added for the same reason.
 */
export function retryDelay(failed: FailedTry, policy: RetryPolicy): number | undefined {
  if (failed.retries >= policy.maxRetries || !worthRetrying(failed.error, failed.write)) return undefined;
  const delay = pause(failed.error, failed.retries, policy.random());
  return failed.elapsedMs + delay < policy.totalMs ? delay : undefined;
}

function pause(error: unknown, retries: number, random: number): number {
  const asked = error instanceof KubeApiError ? error.retryAfterSeconds : undefined;
  if (asked !== undefined) {
    const milliseconds = Math.min(asked * 1000, MAX_RETRY_AFTER_MS);
    return Math.round(milliseconds + milliseconds * 0.1 * random);
  }
  return Math.round(random * Math.min(MAX_BACKOFF_MS, BASE_MS * 2 ** retries));
}

function worthRetrying(error: unknown, write: boolean): boolean {
  if (error instanceof KubeConnectionError) {
    return error.retryable && (!write || error.phase === 'connecting');
  }
  if (error instanceof KubeApiError) {
    if (error.code === 'k8s_throttled') return !write || error.retryAfterSeconds !== undefined;
    return error.code === 'k8s_server_error' && !write && error.httpStatus !== 501 && error.httpStatus !== 505;
  }
  // Raised by the agent before a connection stood: nothing was sent.
  return isNavinError(error) && (error.code === 'k8s_unreachable' || error.code === 'k8s_timeout');
}

/**
 * Seconds of a Retry-After header: a number, or an HTTP date, which is read against the Date header of the same answer
 * (the clocks of server and client may differ). Undefined when it is neither; never negative.
 */
export function parseRetryAfter(value: string | undefined, date: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (!/^[A-Za-z]{3,9},? /.test(text)) return undefined;
  const at = Date.parse(text);
  if (Number.isNaN(at)) return undefined;
  const sent = date === undefined ? Number.NaN : Date.parse(date);
  return Math.max(0, Math.ceil((at - (Number.isNaN(sent) ? now : sent)) / 1000));
}
