import { TriggerEngine, type EngineOptions } from '../engine';
import type { Outcome } from '../handover';
import type { HandoverPort } from '../ports';
import { TriggerRegistry } from '../registry';
import type { StoredState } from '../stateCodec';
import type { Note } from '../step';
import type { TriggerEvent } from '../triggerEvent';
import { ClusterModel } from './clusterModel';
import { FaultyCluster } from './clusterFaults';
import { FakeClock } from './fakeClock';
import { OWNER, settingsFor } from './objects';

/** An emit, to be settled by the test. */
export interface Emitted {
  readonly key: string;
  readonly events: readonly TriggerEvent[];
  readonly state: StoredState | undefined;
  readonly settle: (outcome: Outcome) => void;
}

/** An n8n that settles when the test says so; by itself at once. */
export class FakeN8n implements HandoverPort {
  keyed = true;
  /** Undefined: the test settles. */
  answer: Outcome | undefined = 'created';
  checkpointAnswer: Outcome = 'duplicate';
  readonly emits: Emitted[] = [];
  readonly checkpoints: { readonly key: string; readonly state: StoredState }[] = [];
  kept: StoredState | undefined;

  keep(state: StoredState): void {
    this.kept = state;
  }

  emit(key: string, events: readonly TriggerEvent[], state: StoredState | undefined): Promise<Outcome> {
    return new Promise((resolve) => {
      this.emits.push({ key, events, state, settle: resolve });
      if (this.answer !== undefined) resolve(this.answer);
    });
  }

  checkpoint(key: string, state: StoredState): Promise<Outcome> {
    this.checkpoints.push({ key, state });
    return Promise.resolve(this.checkpointAnswer);
  }

  get told(): readonly string[] {
    return this.emits.flatMap(({ events }) => events.map(({ type, identity }) => `${type} ${identity}`));
  }
}

/** An engine for ConfigMaps with everything around it, on a clock that stands still. */
export function setUp(change: Partial<EngineOptions> = {}) {
  const clock = new FakeClock();
  const model = new ClusterModel();
  const api = new FaultyCluster(model, clock, undefined, () => 0.5);
  const n8n = new FakeN8n();
  const registry = new TriggerRegistry();
  const notes: Note[] = [];
  const faults: string[] = [];
  const engine = (more: Partial<EngineOptions> = {}): TriggerEngine =>
    new TriggerEngine({
      owner: OWNER,
      settings: settingsFor(),
      cluster: api,
      handover: n8n,
      stored: undefined,
      intervalMs: 30_000,
      windowSeconds: 3,
      clock,
      random: () => 0.5,
      registry,
      onNote: (note) => notes.push(note),
      onFault: ({ code }) => faults.push(code),
      onRecovered: () => faults.push('recovered'),
      ...change,
      ...more,
    });
  const start = async (more: Partial<EngineOptions> = {}): Promise<TriggerEngine> => {
    const started = engine(more);
    const done = started.start();
    done.catch(() => undefined);
    await clock.advance(1000);
    await done;
    return started;
  };
  return { clock, model, api, n8n, registry, notes, faults, engine, start };
}
