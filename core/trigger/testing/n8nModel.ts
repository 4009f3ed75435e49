import type { Outcome } from '../handover';
import type { Clock, HandoverPort } from '../ports';
import type { StoredState } from '../stateCodec';
import type { TriggerEvent } from '../triggerEvent';

/** How n8n behaves for a while. */
export type N8nMood =
  | 'well'
  /** Rows and saves take seconds. */
  | 'slow'
  /** No row is made; the promise rejects. */
  | 'refusing'
  /** The row is made and the promise rejects (a user stops executions). */
  | 'stopping'
  /** The row is made and the promise never settles (queue mode), or only much later (a long workflow). */
  | 'silent'
  /** The row is made but has not begun: another emit of the key would replace it. */
  | 'throttled'
  /** Static data are not written. */
  | 'not-saving';

interface Row {
  /** `new`: an emit of the same key replaces the row, and both run. */
  status: 'new' | 'running';
  runs: number;
  /** That made it, or took it over. */
  process: number;
  readonly events: readonly TriggerEvent[];
}

/** An emit as it was made. */
export interface Emission {
  readonly key: string;
  readonly events: readonly TriggerEvent[];
  readonly process: number;
  readonly at: number;
}

/** What n8n keeps over processes: rows of executions by key, and the static data of the workflow. */
export class N8nModel {
  readonly rows = new Map<string, Row>();
  readonly emissions: Emission[] = [];
  /** What is in the database now, and everything that ever was. */
  saved: StoredState | undefined;
  readonly everSaved: StoredState[] = [];
  mood: N8nMood = 'well';
  /** Every execution that ever was made, by identity of its events: how many of different keys. */
  readonly delivered = new Map<string, number>();
  /** Keys that were dropped with their rows. */
  readonly forgotten = new Set<string>();
  /** Called for each state that is given to n8n: it may be saved at any later moment. */
  onState: (state: StoredState) => void = () => undefined;
  /** Called after each thing n8n writes: a row, or the static data. */
  onWrite: (what: 'row' | 'state') => void = () => undefined;
  /** Executions that were started for a checkpoint. */
  phantoms = 0;
  process = 0;

  constructor(
    private readonly clock: Clock,
    private readonly random: () => number,
    /** Whether it knows keys. */
    private readonly keyed = true,
  ) {}

  /** n8n as one process sees it. */
  connect(): HandoverPort & { readonly kill: () => void; readonly saveNow: () => void } {
    this.process += 1;
    const { process } = this;
    // Rows that had not begun when the process ended are run by the next, sooner or later.
    for (const row of this.rows.values()) if (row.status === 'new' && this.random() < 0.5) row.status = 'running';
    const life = new AbortController();
    let live: StoredState | undefined;
    const keep = (state: StoredState): void => {
      live = state;
      this.onState(state);
    };
    const alive = async (ms: number): Promise<boolean> => {
      await this.clock.sleep(ms, life.signal);
      return !life.signal.aborted;
    };
    const save = async (): Promise<void> => {
      const notSaving = this.mood === 'not-saving';
      if ((await alive(this.delay(50))) && !notSaving && live) this.write(live);
    };
    const known: Pick<HandoverPort, 'checkpoint'> = {
      checkpoint: (key, state) => {
        keep(state);
        void save();
        return this.execute(key, [], process, alive);
      },
    };
    return {
      keyed: this.keyed,
      ...(this.keyed ? known : {}),
      keep,
      kill: () => {
        life.abort();
      },
      saveNow: () => {
        if (live) this.write(live);
      },
      emit: (key, events, state) => {
        this.emissions.push({ key, events, process, at: this.clock.monotonic() });
        if (state) {
          keep(state);
          void save();
        }
        return this.execute(this.keyed ? key : `${key} ${this.emissions.length}`, events, process, alive);
      },
    };
  }

  /** Rows of executions that are over go, and with them their keys. */
  prune(share: number): void {
    for (const [key, row] of this.rows) {
      if (row.status !== 'running' || this.random() > share) continue;
      this.rows.delete(key);
      this.forgotten.add(key);
    }
  }

  private async execute(
    key: string,
    events: readonly TriggerEvent[],
    process: number,
    alive: (ms: number) => Promise<boolean>,
  ): Promise<Outcome> {
    const { mood } = this;
    if (!(await alive(this.delay(30)))) return new Promise(() => undefined);
    if (mood === 'refusing') return 'rejected';
    const before = this.rows.get(key);
    if (before?.status === 'running') return 'duplicate';
    if (before) {
      // In one process the first is already waiting for its turn, so both run; a dead process runs nothing.
      if (before.process === process) before.runs += 1;
      before.process = process;
    } else {
      if (events.length === 0) this.phantoms += 1;
      for (const { identity } of events) this.delivered.set(identity, (this.delivered.get(identity) ?? 0) + 1);
      this.rows.set(key, { status: mood === 'throttled' ? 'new' : 'running', runs: 1, process, events });
      this.onWrite('row');
    }
    if (mood === 'silent' && this.random() < 0.5) return new Promise(() => undefined);
    const long = mood === 'silent' || mood === 'throttled' ? 5000 + this.random() * 40_000 : this.delay(200);
    if (!(await alive(long))) return new Promise(() => undefined);
    const row = this.rows.get(key);
    if (row) row.status = 'running';
    return mood === 'stopping' ? 'rejected' : 'created';
  }

  /** Writes may overtake each other: an older state may be the last. */
  private write(state: StoredState): void {
    this.saved = JSON.parse(JSON.stringify(state)) as StoredState;
    this.everSaved.push(this.saved);
    this.onWrite('state');
  }

  private delay(ms: number): number {
    return this.random() * ms * (this.mood === 'slow' ? 40 : 1);
  }
}
