import { isAborted, type Clock } from '../clock';
import { isNavinError } from '../errors';
import { isNotFound, RESOURCES, type KubeClient, type KubeObject } from '../kube';
import { within } from './timeLimit';
import { freeLease, readLease, renewedLease } from './leaseRecord';

/** A point in time by both clocks, ms. */
export interface Moment {
  readonly monotonic: number;
  readonly wall: number;
}

/** Why a term ended: given up by ourselves, taken by another holder, the lease deleted, or not renewed in time. */
export type TermEnd = 'released' | 'taken' | 'deleted' | 'expired';

/** What a term works with; the durations in ms. */
export interface TermOptions {
  readonly client: Pick<KubeClient, 'get' | 'replace'>;
  readonly namespace: string;
  readonly name: string;
  readonly holder: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly durationMs: number;
  readonly deadlineMs: number;
  readonly retryMs: number;
  readonly onFault?: (error: unknown) => void;
  /** The lease as it was taken, and when the request began that took it. */
  readonly held: KubeObject;
  readonly begun: Moment;
}

/** The wall clock may lag so much behind the monotonic one, which corrections of its speed do. */
const WALL_TOLERANCE_MS = 1000;
/** Changes by others that do not touch the holder (labels) are looked past so often in a row. */
const MAX_TRIES = 3;
/** So many renewals without an answer fit before the deadline. */
const TRIES_IN_TIME = 3;
const RELEASE_MS = 5000;

/**
 * The time in which a lease is ours. It is renewed until it is released or lost, and once lost it never comes back: the
 * next acquisition is another term.
 */
export class LeaseTerm {
  readonly ended: Promise<TermEnd>;
  private readonly ending = new AbortController();
  private readonly renewing: Promise<void>;
  private settle: (end: TermEnd) => void = () => undefined;
  private held: KubeObject;
  /** When the last request began that renewed it: others may count from then on. */
  private since: Moment;
  private pause = new AbortController();

  constructor(private readonly options: TermOptions) {
    this.held = options.held;
    this.since = options.begun;
    this.ended = new Promise((resolve) => {
      this.settle = resolve;
    });
    this.renewing = this.renew();
    void this.watchDeadline();
  }

  /** Aborts when the term ends, for whatever reason. */
  get signal(): AbortSignal {
    return this.ending.signal;
  }

  /**
   * Whether we may disrupt something now; to be asked before each call that does. Both clocks must agree: the monotonic
   * one may have stood still while the machine was suspended, the wall clock may have been set. When they do not, the
   * lease is renewed at once, and until then the answer is no. What neither shows is a clock that is set back and a
   * suspension, both between two renewals: uid and resourceVersion of every change are what is left then.
   *
   * @param forMs how long the call may take, if longer than what lies between deadline and duration
   */
  mayAct(forMs = 0): boolean {
    if (isAborted(this.signal)) return false;
    const { clock, deadlineMs } = this.options;
    const monotonic = clock.monotonic() - this.since.monotonic;
    const wall = clock.now() - this.since.wall;
    if (monotonic + forMs >= deadlineMs) return false;
    if (wall + forMs < deadlineMs && wall > monotonic - WALL_TOLERANCE_MS) return true;
    this.pause.abort();
    return false;
  }

  /** Gives the lease up, so that another need not wait. Whatever acts under it must have ended before. */
  async release(): Promise<void> {
    const ours = !isAborted(this.signal);
    this.end('released');
    await this.renewing;
    if (!ours) return;
    // Who cannot give it up lets it run out.
    await within(this.options.clock, RELEASE_MS, undefined, (signal) => this.free(signal)).catch(() => undefined);
  }

  private end(reason: TermEnd): void {
    if (isAborted(this.signal)) return;
    this.ending.abort();
    this.pause.abort();
    this.settle(reason);
  }

  private async watchDeadline(): Promise<void> {
    const { clock, deadlineMs } = this.options;
    while (!isAborted(this.signal)) {
      const left = this.since.monotonic + deadlineMs - clock.monotonic();
      if (left <= 0) this.end('expired');
      else await clock.sleep(Math.ceil(left), this.signal);
    }
  }

  private async renew(): Promise<void> {
    const { clock, random, retryMs, deadlineMs, onFault } = this.options;
    while (!isAborted(this.signal)) {
      this.pause = new AbortController();
      await clock.sleep(Math.ceil(retryMs * (1 - random() / 5)), this.pause.signal);
      if (isAborted(this.signal)) return;
      try {
        // A connection that died without a word must not take all the time there is.
        await within(clock, deadlineMs / TRIES_IN_TIME, this.signal, (signal) => this.renewOnce(signal));
      } catch (error) {
        if (!isAborted(this.signal)) onFault?.(error);
      }
    }
  }

  private async renewOnce(signal: AbortSignal): Promise<void> {
    const { clock, holder, durationMs } = this.options;
    for (let tries = 1; ; tries += 1) {
      const begun: Moment = { monotonic: clock.monotonic(), wall: clock.now() };
      try {
        const body = renewedLease(this.held, { holder, durationMs, now: begun.wall });
        this.held = await this.write(body, signal);
        this.since = begun;
        return;
      } catch (error) {
        if (isNotFound(error)) {
          this.end('deleted');
          return;
        }
        if (!isConflict(error) || tries >= MAX_TRIES) throw error;
        if (!(await this.isStillOurs(signal))) return;
      }
    }
  }

  /**
   * Reads the lease after a conflict. It is ours if it was taken by us and not taken since, not even by ourselves for a
   * later term: then only its resourceVersion has changed, by a label or a request of ours whose answer was lost.
   */
  private async isStillOurs(signal: AbortSignal): Promise<boolean> {
    const { client, namespace, name, holder } = this.options;
    try {
      const found = await client.get(RESOURCES.leases, { namespace, name }, { signal });
      const record = readLease(found);
      const isSameTerm = record.transitions === readLease(this.held).transitions;
      const ours = found.metadata.uid === this.held.metadata.uid && record.holder === holder && isSameTerm;
      if (ours) this.held = found;
      else this.end('taken');
      return ours;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.end('deleted');
      return false;
    }
  }

  private async free(signal: AbortSignal): Promise<void> {
    for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
      try {
        await this.write(freeLease(this.held, this.options.clock.now()), signal);
        return;
      } catch (error) {
        if (!isConflict(error) || !(await this.isStillOurs(signal))) return;
      }
    }
  }

  private write(body: KubeObject, signal: AbortSignal): Promise<KubeObject> {
    const { client, namespace, name } = this.options;
    return client.replace(RESOURCES.leases, { namespace, name }, body, { signal });
  }
}

function isConflict(error: unknown): boolean {
  return isNavinError(error) && error.code === 'k8s_conflict';
}
