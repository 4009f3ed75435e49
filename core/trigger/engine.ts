import { NavinError } from '../errors';
import type { Fault } from './faults';
import { Handover } from './handover';
import type { TriggerOwner } from './identity';
import { IncidentTimer } from './incidentTimer';
import { begin } from './loading';
import { observe } from './pass';
import { PassLoop, type PassLoopOptions } from './passLoop';
import { isAborted, systemClock, type Clock, type ClusterPort, type HandoverPort } from './ports';
import { Pump } from './pump';
import { sharedRegistry, type Claim, type TriggerRegistry } from './registry';
import { ScopeRun } from './scopeRun';
import type { CheckedSettings } from './settings';
import type { TriggerState } from './state';
import type { Note, Step } from './step';
import type { PassContext } from './triggerEvent';

/** What a trigger runs with. */
export interface EngineOptions {
  readonly owner: TriggerOwner;
  readonly settings: CheckedSettings;
  readonly cluster: ClusterPort;
  readonly handover: HandoverPort;
  /** What n8n saved for this node: anything. */
  readonly stored: unknown;
  /** From the start of a pass to the start of the next, ms. 15,000 at the least. */
  readonly intervalMs: number;
  /** How long a pass watches, s. 1 to 300. */
  readonly windowSeconds: number;
  /** All events of a pass in one execution: at least once, not exactly once. */
  readonly batch?: boolean;
  /** Told once each. */
  readonly onNote?: (note: Note) => void;
  /** A fault that lasts, once an incident. */
  readonly onFault?: (fault: Fault) => void;
  /** A fault that was told is over. */
  readonly onRecovered?: (scope: string) => void;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly registry?: TriggerRegistry;
}

/** The shortest interval, ms. */
export const MIN_INTERVAL_MS = 15_000;
/** {@link TriggerEngine.stop} returns within so long, ms. */
export const STOP_MS = 100;
/** Triggers that go on together begin within so long of each other, ms. */
const MAX_START_MS = 10_000;

/** What a started trigger consists of. */
interface Running {
  readonly pump: Pump;
  readonly claim: Claim;
  readonly loop: Omit<PassLoopOptions, 'onFault' | 'onRecovered'>;
}

/**
 * Runs a trigger: passes on a clock, one after another, and hands over what they find. It decides nothing itself: state,
 * observations and hand-over are decided by pure parts.
 */
export class TriggerEngine {
  private readonly controller = new AbortController();
  private readonly clock: Clock;
  private readonly startedAt: { readonly wall: number; readonly monotonic: number };
  private loop: Promise<void> = Promise.resolve();
  private running: Running | undefined;

  constructor(private readonly options: EngineOptions) {
    this.clock = options.clock ?? systemClock;
    this.startedAt = { wall: this.clock.now(), monotonic: this.clock.monotonic() };
  }

  /**
   * Begins. With a state to go on from it returns at once, whatever the cluster does. Without one it lists what exists
   * first, because n8n saves the state at the end of the activation. An engine is started once.
   *
   * @throws NavinError without a state: whatever keeps the list from being made; `k8s_aborted` when it was stopped
   */
  async start(): Promise<void> {
    const { owner, settings, stored, handover: port, intervalMs, onFault, onRecovered } = this.options;
    const registry = this.options.registry ?? sharedRegistry();
    const claim = registry.claim(
      owner,
      () => void this.stop(),
      (key, outcome) => this.running?.pump.settle(key, outcome),
    );
    const { state, fresh, notes } = begin(owner, settings, { stored, carried: claim.carried.state });
    const running = this.assemble(state, claim);
    this.running = running;
    notes.forEach(this.note);
    if (fresh) await this.firstList(running);
    if (isAborted(this.controller.signal)) {
      throw new NavinError('k8s_aborted', 'The trigger was stopped while it started.');
    }
    const { pump } = running;
    claim.publish(() => pump.read());
    port.keep(pump.read());
    const listeners = {
      onFault: (fault: Fault) => {
        quietly(() => onFault?.(fault));
      },
      onRecovered: (scope: string) => {
        quietly(() => onRecovered?.(scope));
      },
    };
    const loop = new PassLoop({ ...running.loop, ...listeners }, fresh);
    this.loop = loop.run(fresh ? intervalMs : Math.min(intervalMs, MAX_START_MS));
  }

  /** Ends: nothing keeps running. Returns within {@link STOP_MS}. What settles later still counts for the next start. */
  async stop(): Promise<void> {
    this.controller.abort();
    this.running?.pump.stop();
    this.running?.claim.release();
    const ended = new AbortController();
    await Promise.race([this.loop, this.clock.sleep(STOP_MS, ended.signal)]);
    ended.abort();
  }

  private assemble(state: TriggerState, claim: Claim): Running {
    const { handover: port, cluster, batch = false, settings, windowSeconds, intervalMs } = this.options;
    const { clock, context, note: onNote } = this;
    const { signal } = this.controller;
    const { flights, recent } = claim.carried;
    const handover = new Handover({ keyed: port.keyed, batch, carried: flights, recent });
    const pump = new Pump({ handover, committed: state.clone(), port, claim, clock, onNote });
    const take = (steps: readonly Step[]): void => {
      for (const step of steps) {
        state.apply(step.patches);
        pump.push(step);
      }
    };
    const identify = async (): Promise<void> => {
      take(observe(state, { kind: 'cluster', cluster: await cluster.identity(signal) }, context()));
    };
    const shared = { state, pump, cluster, clock, signal, context, onNote, identify, windowSeconds };
    const scopes = settings.scopes.map((scope) => [scope, new ScopeRun(scope, shared)] as const);
    const timer = new IncidentTimer({ state, cluster, signal, context, take });
    const random = this.options.random ?? Math.random;
    return { pump, claim, loop: { scopes, timer, pump, identify, intervalMs, windowSeconds, clock, random, signal } };
  }

  private async firstList({ pump, claim, loop: { identify, scopes } }: Running): Promise<void> {
    const { cluster, settings } = this.options;
    const { signal } = this.controller;
    try {
      await identify();
      for (const [scope, run] of scopes) {
        // What exists is handed over in the background: it may take longer than an activation may.
        if (settings.emitExisting) await cluster.newest(scope, signal);
        else await run.list();
      }
    } catch (error) {
      // A call that was stopped fails in its own way: that it was stopped is said by the caller.
      if (isAborted(signal)) return;
      this.controller.abort();
      pump.stop();
      claim.release();
      throw error;
    }
  }

  /** Our clock as it was at the start, gone on steadily: a jump of the wall clock neither hurries nor delays anything. */
  private readonly context = (): PassContext => {
    const { owner, settings } = this.options;
    const now = this.startedAt.wall + this.clock.monotonic() - this.startedAt.monotonic;
    return { owner, settings, now, wall: this.clock.now() };
  };

  private readonly note = (note: Note): void => {
    quietly(() => this.options.onNote?.(note));
  };
}

/** A listener that throws must not end the trigger. */
function quietly(listener: () => void): void {
  try {
    listener();
  } catch {
    // Nobody is left to be told.
  }
}
