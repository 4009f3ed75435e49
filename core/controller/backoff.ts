import { KubeApiError } from '../kube';

/** How pauses between tries grow. */
export interface BackoffCurve {
  /** Before the second try, in ms. It doubles with each failure. */
  readonly baseMs: number;
  readonly maxMs: number;
}

/** A pause is shortened by up to so much of it, at random, so that what failed together does not come back together. */
const JITTER = 0.3;
/** A server can ask for a pause of this length at most. */
const MAX_RETRY_AFTER_MS = 120_000;
/** 2^52 is more than any bound; beyond it powers lose digits and end in Infinity. */
const MAX_DOUBLINGS = 52;

/** The pause after so many failures in a row (1 is the first), in ms. */
export function backoffMs(failures: number, curve: BackoffCurve, random: () => number): number {
  const doubled = curve.baseMs * 2 ** Math.min(Math.max(failures - 1, 0), MAX_DOUBLINGS);
  return Math.round(Math.min(doubled, curve.maxMs) * (1 - JITTER * random()));
}

/** The pause an error asks for (Retry-After of a 429 or 503), in ms; 0 when it asks for none. */
export function askedPauseMs(error: unknown): number {
  const seconds = error instanceof KubeApiError ? (error.retryAfterSeconds ?? 0) : 0;
  return Math.min(seconds * 1000, MAX_RETRY_AFTER_MS);
}

/** Failures in a row, by key. A key that succeeds is forgotten, so the map is as large as what fails at the moment. */
export class KeyBackoff {
  private readonly failures = new Map<string, number>();

  constructor(
    private readonly curve: BackoffCurve,
    private readonly random: () => number,
  ) {}

  /** How many keys fail. */
  get size(): number {
    return this.failures.size;
  }

  /** Counts a failure. Returned: how many there are in a row, and the pause before the next try. */
  failed(key: string, error: unknown): { readonly failures: number; readonly pauseMs: number } {
    const failures = (this.failures.get(key) ?? 0) + 1;
    this.failures.set(key, failures);
    return { failures, pauseMs: Math.max(backoffMs(failures, this.curve, this.random), askedPauseMs(error)) };
  }

  forget(key: string): void {
    this.failures.delete(key);
  }
}
