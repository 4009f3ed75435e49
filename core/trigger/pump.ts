import type { Effect, Outcome } from './handover';
import type { Handover } from './handover';
import type { Clock, HandoverPort } from './ports';
import type { Claim } from './registry';
import type { TriggerState } from './state';
import { writeState, type StoredState } from './stateCodec';
import type { Note, Step } from './step';

/** What the pump works with. */
export interface PumpOptions {
  readonly handover: Handover;
  /** The state that may be saved: only the pump changes it. */
  readonly committed: TriggerState;
  readonly port: HandoverPort;
  readonly claim: Claim;
  readonly clock: Clock;
  readonly onNote: (note: Note) => void;
}

/** In a burst about 1 MB of state is written a second. */
const BYTES_PER_MS = 1000;

/** Runs the hand-over on n8n: emits, saves, and waits for what time alone brings. */
export class Pump {
  private written: StoredState | undefined;
  /** Something was committed since the state was last given to n8n for saving. */
  private unsaved = false;
  private checkpoints = true;
  private saveAgainAt = 0;
  private wake: AbortController | undefined;
  private wakeAt: number | undefined;
  private readonly waiting = new Set<() => void>();
  private stopped = false;

  constructor(private readonly options: PumpOptions) {}

  get hasRoom(): boolean {
    return this.options.handover.hasRoom;
  }

  get idle(): boolean {
    return this.options.handover.idle;
  }

  /** The state that may be saved now. */
  read(): StoredState {
    return (this.written ??= writeState(this.options.committed));
  }

  push(step: Step): void {
    this.options.handover.push(step);
    this.run(this.options.handover.advance(this.options.clock.monotonic()));
  }

  /** The end of a pass. */
  flush(): void {
    this.options.handover.flush();
    this.run(this.options.handover.advance(this.options.clock.monotonic()));
  }

  settle(key: string, outcome: Outcome): void {
    this.run(this.options.handover.settle(key, outcome, this.options.clock.monotonic()));
  }

  /** Waits until so little is left that reading may go on. */
  async room(signal: AbortSignal): Promise<void> {
    // What is being collected for the end of the pass would be waited for without end.
    this.flush();
    while (!this.options.handover.isLow && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const end = (): void => {
          signal.removeEventListener('abort', end);
          this.waiting.delete(end);
          resolve();
        };
        signal.addEventListener('abort', end, { once: true });
        this.waiting.add(end);
      });
    }
  }

  /** Saves what is committed and not saved, if everything is handed over and n8n surely drops the emit that saves it. */
  checkpoint(): void {
    const { port, clock, handover, onNote } = this.options;
    const key = handover.checkpointKey(clock.monotonic());
    if (this.stopped || !this.checkpoints || !port.checkpoint || !this.unsaved || !handover.idle || key === undefined)
      return;
    this.unsaved = false;
    const checkpoint = port.checkpoint.bind(port);
    void outcomeOf(() => checkpoint(key, this.read())).then((outcome) => {
      if (outcome === 'rejected') this.unsaved = true;
      if (outcome !== 'created') return;
      this.checkpoints = false;
      const message =
        'n8n no longer had the row of the last event (successful executions are not saved?), so saving the state started an empty execution. It is saved only with events from now on.';
      onNote({ kind: 'checkpoint-ran', message });
    });
  }

  /** No more emits. What settles later is still committed, for the next registration in this process. */
  stop(): void {
    this.stopped = true;
    this.options.handover.close();
    this.wake?.abort();
    for (const end of [...this.waiting]) end();
  }

  private run(effects: readonly Effect[]): void {
    for (const effect of effects) this.apply(effect);
    this.schedule();
    if (this.options.handover.isLow) for (const end of [...this.waiting]) end();
  }

  private apply(effect: Effect): void {
    switch (effect.kind) {
      case 'commit':
        this.options.committed.apply(effect.patches);
        this.written = undefined;
        this.unsaved = true;
        return;
      case 'emit': {
        const { port, claim, clock } = this.options;
        const state = this.toSave();
        const settled = outcomeOf(() => port.emit(effect.key, effect.events, state));
        claim.fly(effect.key, { attempt: effect.attempt, since: clock.monotonic() }, settled);
        return;
      }
      case 'trouble':
        this.options.onNote({
          kind: 'handover-trouble',
          attempts: effect.attempts,
          message: 'n8n does not take events: they are tried again, and nothing after them is lost.',
        });
        return;
    }
  }

  /**
   * The state, if n8n is to write it with an emit: not with each of a burst. An older state is always safe, because what it
   * does not know of comes again and is dropped by its key.
   */
  private toSave(): StoredState | undefined {
    const now = this.options.clock.monotonic();
    if (now < this.saveAgainAt) return undefined;
    const state = this.read();
    this.unsaved = false;
    this.saveAgainAt = now + (state.k.length + state.i.length) / BYTES_PER_MS;
    return state;
  }

  /** One sleep at a time, until the hand-over has something to do by itself. */
  private schedule(): void {
    const { handover, clock } = this.options;
    const at = this.stopped ? undefined : handover.nextWake();
    if (at === this.wakeAt) return;
    this.wake?.abort();
    this.wakeAt = at;
    if (at === undefined) return;
    const wake = new AbortController();
    this.wake = wake;
    void clock.sleep(Math.max(1, Math.ceil(at - clock.monotonic())), wake.signal).then(() => {
      if (wake.signal.aborted) return;
      this.wakeAt = undefined;
      this.run(handover.advance(clock.monotonic()));
    });
  }
}

/** An emit that throws was refused. */
async function outcomeOf(emit: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await emit();
  } catch {
    return 'rejected';
  }
}
