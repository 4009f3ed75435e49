import { isAborted, type Clock } from '../clock';
import { isNavinError } from '../errors';
import { RESOURCES, type KubeClient, type KubeObject } from '../kube';
import { findObject } from './findObject';
import { readLease, takenLease } from './leaseRecord';
import { LeaseTerm, type Moment } from './leaseTerm';
import { within } from './timeLimit';

/** What a {@link Lease} works with. */
export interface LeaseOptions {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'replace'>;
  readonly namespace: string;
  readonly name: string;
  /** No other process has it: {@link uniqueHolder}. */
  readonly holder: string;
  readonly clock: Clock;
  readonly random: () => number;
  /** Others wait so long after the last renewal they saw. Default 15 s. */
  readonly durationMs?: number;
  /**
   * So long after the beginning of its last renewal the holder acts. Default 10 s: the difference to `durationMs` is what
   * a call that has begun may still take, and must be longer than that.
   */
  readonly deadlineMs?: number;
  /** Between two looks or renewals. Default 2 s. */
  readonly retryMs?: number;
  /** The lease could not be read or written; it is tried again. */
  readonly onFault?: (error: unknown) => void;
}

const DURATION_MS = 15_000;
const DEADLINE_MS = 10_000;
const RETRY_MS = 2000;
/** A look without an answer is given up, and there is another, so many times within the duration. */
const LOOKS_IN_TIME = 5;

/**
 * One of several processes acts: the one that holds a Lease. The API server decides by resourceVersions who that is; how
 * long a holder is left alone is measured by each process on its own monotonic clock, from when it saw the lease change.
 */
export class Lease {
  private readonly durationMs: number;
  private readonly retryMs: number;
  private seen: { readonly fingerprint: string; readonly at: number } | undefined;

  constructor(private readonly options: LeaseOptions) {
    this.durationMs = options.durationMs ?? DURATION_MS;
    this.retryMs = options.retryMs ?? RETRY_MS;
    if ((options.deadlineMs ?? DEADLINE_MS) >= this.durationMs) {
      throw new RangeError('a holder must end before others begin: deadlineMs < durationMs');
    }
  }

  /** Waits until the lease is ours. Undefined when the signal aborted before. */
  async acquire(signal: AbortSignal): Promise<LeaseTerm | undefined> {
    const { clock, random, onFault } = this.options;
    while (!isAborted(signal)) {
      let waitMs = this.retryMs * (1 + random() / 5);
      try {
        const found = await this.look(signal);
        if (found instanceof LeaseTerm) {
          if (!isAborted(signal)) return found;
          await found.release();
        } else waitMs = Math.min(waitMs, found);
      } catch (error) {
        if (!isAborted(signal)) onFault?.(error);
      }
      await clock.sleep(Math.ceil(waitMs), signal);
    }
    return undefined;
  }

  /** Takes the lease if nobody holds it. Else: how long it is to be left alone, in ms. */
  private async look(signal: AbortSignal): Promise<LeaseTerm | number> {
    const { client, clock, namespace, name, holder } = this.options;
    const limitMs = this.durationMs / LOOKS_IN_TIME;
    const before = await within(clock, limitMs, signal, (own) =>
      findObject(client, RESOURCES.leases, { namespace, name }, own),
    );
    if (before) {
      const record = readLease(before);
      const leftMs = this.observe(record.fingerprint, record.durationMs);
      if (record.holder !== undefined && record.holder !== holder && leftMs > 0) return leftMs;
    }
    const begun: Moment = { monotonic: clock.monotonic(), wall: clock.now() };
    const body = takenLease(before, name, { holder, durationMs: this.durationMs, now: begun.wall });
    try {
      // Not stopped half-way: it would be held by nobody who knows of it.
      const held = await within(clock, limitMs, undefined, (own) => this.write(before, body, own));
      return this.term(held, begun);
    } catch (error) {
      // Somebody was faster.
      if (isNavinError(error) && (error.code === 'k8s_conflict' || error.code === 'k8s_already_exists')) {
        return this.retryMs;
      }
      throw error;
    }
  }

  private write(before: KubeObject | undefined, body: KubeObject, signal: AbortSignal): Promise<KubeObject> {
    const { client, namespace, name } = this.options;
    return before
      ? client.replace(RESOURCES.leases, { namespace, name }, body, { signal })
      : client.create(RESOURCES.leases, { namespace }, body, { signal });
  }

  private observe(fingerprint: string, theirDurationMs: number): number {
    const now = this.options.clock.monotonic();
    if (this.seen?.fingerprint !== fingerprint) this.seen = { fingerprint, at: now };
    return this.seen.at + Math.max(this.durationMs, theirDurationMs) - now;
  }

  private term(held: KubeObject, begun: Moment): LeaseTerm {
    return new LeaseTerm({
      ...this.options,
      durationMs: this.durationMs,
      deadlineMs: this.options.deadlineMs ?? DEADLINE_MS,
      retryMs: this.retryMs,
      held,
      begun,
    });
  }
}
