import type { ErrorCode } from '../errors';

/** A fault that lasts. */
export interface Fault {
  readonly code: ErrorCode;
  readonly error: Error;
  readonly scope: string;
  /** Failed passes in a row. */
  readonly failures: number;
  /** How long it has lasted, ms. */
  readonly lastsMs: number;
}

/** What only the user can mend: waiting does not help, so it is told sooner. */
const FOR_THE_USER: ReadonlySet<ErrorCode> = new Set([
  'k8s_forbidden',
  'k8s_unauthorized',
  'k8s_not_found',
  'k8s_unsupported',
  'k8s_kubeconfig_invalid',
  'k8s_server_mismatch',
  'k8s_egress_refused',
  'k8s_egress_policy_invalid',
  'k8s_tls_untrusted',
  'k8s_not_kubernetes',
  'k8s_parameter_invalid',
]);
const LASTING_FAILURES = 3;
const LASTING_MS = 120_000;
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 120_000;

interface Trouble {
  readonly since: number;
  readonly failures: number;
  /** How many of the last ones in a row only the user can mend. */
  readonly forTheUser: number;
  readonly told: ErrorCode | undefined;
  /** Monotonic clock, ms. */
  readonly retryAt: number;
}

/** What an error says that counts for when to try again. */
export interface Failure {
  readonly code: ErrorCode;
  readonly error: Error;
  /** The server asks to wait so long, ms. */
  readonly retryAfterMs: number;
}

/** Counts failures by scope: a lasting fault is told once, and again only after it was gone or is another. */
export class FaultLog {
  private readonly troubles = new Map<string, Trouble>();

  constructor(
    private readonly intervalMs: number,
    private readonly random: () => number,
  ) {}

  /** Whether a scope that failed is still to be left alone. @param now monotonic clock, ms */
  isPaused(scope: string, now: number): boolean {
    return (this.troubles.get(scope)?.retryAt ?? now) > now;
  }

  /**
   * When the next of the scopes that failed is to be tried again, monotonic ms; Infinity: none. One whose time has come and
   * that was not tried waits for what keeps it from being tried.
   */
  nextRetry(now: number): number {
    const times = [...this.troubles.values()].map(({ retryAt }) => retryAt).filter((at) => at > now);
    return Math.min(Number.POSITIVE_INFINITY, ...times);
  }

  /** A pass of a scope failed. Returned: the fault, when it is to be told now. @param now monotonic clock, ms */
  failed(scope: string, { code, error, retryAfterMs }: Failure, now: number): Fault | undefined {
    const before = this.troubles.get(scope);
    const since = before?.since ?? now;
    const failures = (before?.failures ?? 0) + 1;
    const lastsMs = now - since;
    // An API server that starts says once that something is forbidden, before it has read who may do what.
    const forTheUser = FOR_THE_USER.has(code) ? (before?.forTheUser ?? 0) + 1 : 0;
    const lasting = FOR_THE_USER.has(code) ? forTheUser >= 2 : failures >= LASTING_FAILURES && lastsMs >= LASTING_MS;
    const tell = lasting && before?.told !== code;
    const retryAt = now + pauseAfter(failures, this.intervalMs, retryAfterMs, this.random());
    this.troubles.set(scope, { since, failures, forTheUser, retryAt, told: tell ? code : before?.told });
    return tell ? { code, error, scope, failures, lastsMs } : undefined;
  }

  /** A pass of a scope went well. Returned: whether a fault that was told is over. */
  succeeded(scope: string): boolean {
    const before = this.troubles.get(scope);
    this.troubles.delete(scope);
    return before?.told !== undefined;
  }
}

/**
 * How long to wait after so many failures in a row, ms: at first shorter than the interval, then longer; never shorter than
 * the server asks for, up to five minutes.
 *
 * @param random from 0 to 1: triggers of one cluster must not come back all at once
 */
export function pauseAfter(failures: number, intervalMs: number, retryAfterMs: number, random: number): number {
  const grown = FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 16);
  const pause = Math.min(grown, Math.max(intervalMs, LONGEST_PAUSE_MS));
  return Math.max(pause * (0.75 + random / 2), Math.min(retryAfterMs, 300_000));
}
