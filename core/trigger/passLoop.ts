import { NavinError } from '../errors';
import { KubeApiError } from '../kube';
import { FaultLog, type Failure, type Fault } from './faults';
import type { IncidentTimer } from './incidentTimer';
import { isAborted, type Clock } from './ports';
import type { Pump } from './pump';
import { codeOf, type ScopeRun } from './scopeRun';

/** What a loop runs, and how often. */
export interface PassLoopOptions {
  readonly scopes: readonly (readonly [string, ScopeRun])[];
  readonly timer: IncidentTimer;
  readonly pump: Pump;
  /** Looks which cluster answers. */
  readonly identify: () => Promise<void>;
  readonly intervalMs: number;
  readonly windowSeconds: number;
  readonly clock: Clock;
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly onFault: (fault: Fault) => void;
  readonly onRecovered: (scope: string) => void;
}

const SCOPES_AT_ONCE = 4;
/** The cluster is identified at the start, after faults, and every so many passes. */
const IDENTITY_EVERY = 10;
/** From the start of a pass to the start of the next where windows follow each other without pause, ms. */
const MIN_PASS_MS = 1000;

/** Passes on a clock, one after another, until the signal aborts. */
export class PassLoop {
  private readonly faults: FaultLog;
  private passes = 0;
  private mustIdentify: boolean;

  /** @param identified the cluster has just been identified */
  constructor(
    private readonly options: PassLoopOptions,
    identified: boolean,
  ) {
    this.faults = new FaultLog(options.intervalMs, options.random);
    this.mustIdentify = !identified;
  }

  /** Runs until the signal aborts. @param firstMs the first pass begins within so long, at random */
  async run(firstMs: number): Promise<void> {
    const { signal, clock, random, pump, intervalMs } = this.options;
    let next = clock.monotonic() + random() * firstMs;
    while (!isAborted(signal)) {
      await this.waitUntil(next);
      if (isAborted(signal)) return;
      const begun = clock.monotonic();
      const backlog = await this.pass();
      if (backlog) await pump.room(signal);
      const regular = begun + this.untilNext(intervalMs);
      next = backlog ? begun : Math.min(regular, this.faults.nextRetry(clock.monotonic()));
      await clock.breathe();
    }
  }

  /** One look at every scope. Returned: whether more waits in the cluster than can be handed over at the moment. */
  private async pass(): Promise<boolean> {
    const { identify, pump, scopes, timer, signal } = this.options;
    this.passes += 1;
    if (this.mustIdentify || this.passes % IDENTITY_EVERY === 0) {
      await this.guarded('cluster', async () => {
        await identify();
        this.mustIdentify = false;
      });
    }
    let backlog = false;
    // While it is not known which cluster answers, nothing is made of its answers.
    const left = this.mustIdentify ? [] : [...scopes];
    const worker = async (): Promise<void> => {
      for (let next = left.shift(); next && !isAborted(signal); next = left.shift()) {
        const [scope, run] = next;
        if ((await this.guarded(`scope:${scope}`, () => run.pass())) === 'backlog') backlog = true;
      }
    };
    await Promise.all(Array.from({ length: SCOPES_AT_ONCE }, worker));
    await this.guarded('time', () => timer.look());
    pump.flush();
    pump.checkpoint();
    return backlog;
  }

  /** Waits for the next pass; what time brings in the meantime is not kept waiting for it. */
  private async waitUntil(next: number): Promise<void> {
    const { signal, clock, timer, pump } = this.options;
    for (let left = next - clock.monotonic(); left > 0; left = next - clock.monotonic()) {
      const untilDue = timer.untilNext();
      // Whole ms, at least one: a rest of a fraction would be slept for again and again.
      await clock.sleep(Math.max(1, Math.ceil(Math.min(left, untilDue))), signal);
      if (isAborted(signal)) return;
      if (untilDue > left) continue;
      await this.guarded('time', () => timer.look());
      pump.flush();
    }
  }

  /** Runs a part of a pass: what it raises is counted against its scope, and the scope is left alone for a while. */
  private async guarded<Result>(scope: string, part: () => Promise<Result>): Promise<Result | undefined> {
    const { clock, signal, onFault, onRecovered } = this.options;
    if (this.faults.isPaused(scope, clock.monotonic())) return undefined;
    try {
      const result = await part();
      if (this.faults.succeeded(scope)) onRecovered(scope);
      return result;
    } catch (error) {
      if (isAborted(signal)) return undefined;
      this.mustIdentify = true;
      const fault = this.faults.failed(scope, failureOf(error), clock.monotonic());
      if (fault) onFault(fault);
      return undefined;
    }
  }

  /** A tenth more or less, so that many triggers do not stay in step; a window as long as the interval goes on at once. */
  private untilNext(intervalMs: number): number {
    const { windowSeconds, random } = this.options;
    // Not without any pause: something may end every window as soon as it begins.
    return windowSeconds * 1000 >= intervalMs ? MIN_PASS_MS : intervalMs * (0.9 + random() / 5);
  }
}

function failureOf(error: unknown): Failure {
  const cause =
    error instanceof Error ? error : new NavinError('k8s_internal', 'Something that is no error was thrown.');
  const seconds = error instanceof KubeApiError ? (error.retryAfterSeconds ?? 0) : 0;
  return { code: codeOf(error), error: cause, retryAfterMs: seconds * 1000 };
}
