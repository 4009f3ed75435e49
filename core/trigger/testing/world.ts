import { RESOURCES } from '../../kube';
import { TriggerEngine } from '../engine';
import type { Fault } from '../faults';
import { TriggerRegistry } from '../registry';
import { checkSettings, type TriggerSettings } from '../settings';
import type { StoredState } from '../stateCodec';
import type { Note } from '../step';
import { FaultyCluster } from './clusterFaults';
import { ClusterModel, type Selection } from './clusterModel';
import { FakeClock, settled } from './fakeClock';
import { N8nModel } from './n8nModel';
import { seededRandom } from './random';
import { aheadOf } from './verdict';

/** What the trigger of a world is set to. */
export interface WorldOptions {
  readonly seed: number;
  readonly selective: boolean;
  readonly namespaces: readonly string[];
  readonly tracked: number;
  readonly modifiedWhen: 'any' | 'spec';
  readonly batch?: boolean;
  /** An older n8n. */
  readonly keyless?: boolean;
  readonly windowSeconds?: number;
  readonly emitExisting?: boolean;
}

/** A gap as it was told. */
export interface ToldGap {
  readonly scope: string;
  readonly from: number;
  readonly to: number;
  /** The timeline in which it was told. */
  readonly timeline: number;
  readonly cause: string;
}

/** A timeline of which a process cannot know: it began with a state of before, and the versions had caught up with it. */
export interface Oblivion {
  readonly scope: string;
  readonly timeline: number;
  /** Up to this version. */
  readonly to: number;
}

const OWNER = { workflowId: 'workflow', nodeId: 'node' };

/** A cluster, an n8n, and the trigger between them, in a process that can be killed. */
export class World {
  readonly clock = new FakeClock();
  readonly random: () => number;
  readonly cluster = new ClusterModel();
  readonly api: FaultyCluster;
  readonly n8n: N8nModel;
  readonly gaps: ToldGap[] = [];
  readonly notes: Note[] = [];
  readonly faults: Fault[] = [];
  /** Where the record of what must be told begins, by scope: timeline and version of the first list. */
  readonly began = new Map<string, { readonly timeline: number; readonly version: number }>();
  readonly oblivions: Oblivion[] = [];
  /** What went wrong on the way. */
  readonly violations: string[] = [];
  private registry = new TriggerRegistry();
  /** In which timeline a state was given to n8n first. */
  private readonly timelineOf = new Map<string, number>();
  /** Cursors of earlier timelines with which this process began, by scope. */
  private readonly outdated = new Map<string, number>();
  private engine: TriggerEngine | undefined;
  private process: ReturnType<N8nModel['connect']> | undefined;

  constructor(readonly options: WorldOptions) {
    this.random = seededRandom(options.seed);
    this.n8n = new N8nModel(this.clock, this.random, !options.keyless);
    this.api = new FaultyCluster(this.cluster, this.clock, options.selective ? 'a' : undefined, this.random);
    this.n8n.onState = (state) => {
      const { timeline } = this.cluster;
      const written = JSON.stringify(state);
      if (!this.timelineOf.has(written)) this.timelineOf.set(written, timeline);
      for (const [scope, cursor] of state.p) {
        if (cursor !== '' && !this.began.has(scope)) this.began.set(scope, { timeline, version: Number(cursor) });
      }
      this.violations.push(...aheadOf(this, state));
    };
    this.api.onLook = (scope, version) => {
      const cursor = this.outdated.get(scope);
      this.outdated.delete(scope);
      if (cursor === undefined || version < cursor) return;
      this.oblivions.push({ scope, timeline: this.cluster.timeline, to: cursor });
    };
  }

  get scopes(): readonly string[] {
    return this.options.namespaces.length === 0 ? [''] : this.options.namespaces;
  }

  selection(scope: string): Selection {
    return { scope, app: this.options.selective ? 'a' : undefined };
  }

  /** n8n starts, or the workflow is activated again in the same process. */
  async activate(stored: StoredState | undefined = this.n8n.saved): Promise<void> {
    if (!this.process) {
      const timeline = this.timelineOf.get(JSON.stringify(stored)) ?? this.cluster.timeline;
      for (const [scope, cursor] of timeline < this.cluster.timeline ? (stored?.p ?? []) : []) {
        this.outdated.set(scope, Number(cursor));
      }
    }
    this.process ??= this.n8n.connect();
    const { process } = this;
    const engine = new TriggerEngine({
      owner: OWNER,
      settings: checkSettings(this.settings()),
      cluster: this.api,
      handover: process,
      stored,
      intervalMs: 15_000,
      windowSeconds: this.options.windowSeconds ?? 3,
      batch: this.options.batch ?? false,
      clock: this.clock,
      random: this.random,
      registry: this.registry,
      onNote: (note) => {
        this.noted(note);
      },
      onFault: (fault) => this.faults.push(fault),
    });
    this.engine = engine;
    const started = engine.start();
    started.catch(() => undefined);
    await this.clock.advance(2000);
    await started;
    process.saveNow();
  }

  /** The workflow is deactivated; the process goes on. */
  async deactivate(): Promise<void> {
    const stopped = this.engine?.stop();
    await this.clock.advance(100);
    await stopped;
    this.engine = undefined;
  }

  /** kill -9: nothing that was under way goes on, nothing in memory is left. */
  async kill(): Promise<void> {
    this.process?.kill();
    this.process = undefined;
    void this.engine?.stop();
    this.engine = undefined;
    this.registry = new TriggerRegistry();
    await settled();
  }

  private settings(): TriggerSettings {
    const { selective, namespaces, tracked, modifiedWhen, emitExisting = false } = this.options;
    return {
      resource: RESOURCES.configmaps,
      namespaces,
      ...(selective ? { labelSelector: 'app=a' } : {}),
      watch: { kind: 'changes', types: ['added', 'modified', 'deleted'], modifiedWhen },
      tracked,
      emitExisting,
    };
  }

  private noted(note: Note): void {
    this.notes.push(note);
    const { timeline } = this.cluster;
    if (note.kind !== 'gap') return;
    this.gaps.push({ scope: note.scope, from: Number(note.from), to: Number(note.to), timeline, cause: note.cause });
  }
}
