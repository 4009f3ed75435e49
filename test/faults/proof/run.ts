import type { CertificateAuthority } from '../../certificates';
import type { Api } from '../../cluster/api';
import { seededRandom } from '../../../core/trigger/testing/random';
import { FaultProxy, type Upstream } from '../proxy';
import { FastClock } from './fastClock';
import { GapLedger } from './gapLedger';
import type { Gate } from './gate';
import { happen } from './happen';
import { Host } from './host';
import { KINDS, type KindName } from './kinds';
import { describeStory, storyOf, type Story, type Write } from './story';
import { Trace } from './trace';
import { verdict, type Wrong } from './verdict';
import type { Witness } from './witness';
import { Writer } from './writer';

/** What all runs share. */
export interface Stage {
  readonly api: Api;
  readonly gate: Gate;
  readonly witnesses: Readonly<Record<KindName, Witness>>;
  readonly upstream: Upstream;
  readonly authority: CertificateAuthority;
  /** Tokens that may watch, with and without the right to read which cluster it is. */
  readonly tokens: { readonly full: string; readonly narrow: string };
  /** After so many ms the API server surely has forgotten a version. */
  readonly forgottenMs: number;
}

/** What a run came to. */
export interface RunResult {
  readonly seed: number;
  /** Events that were handed over. */
  readonly events: number;
  readonly lost: number;
  readonly repeated: number;
  readonly gapsReal: number;
  readonly gapsReported: number;
  /** How often each kind of fault was met. */
  readonly faults: ReadonlyMap<string, number>;
  /** What is wrong; empty: nothing is. */
  readonly problems: readonly string[];
  /** The story, and everything that happened. */
  readonly story: string;
}

/** In the end everything is well, and so much later everything must have been told, ms of our time. */
const PATIENCE_MS = 180_000;
const LOOK_MS = 50;
/** Of the trigger's time, in which a repetition would come. */
const TWO_PASSES_MS = 36_000;
const FIRST_WRITES: readonly Write[] = [0, 1, 2, 3].map((at) => ({ do: 'create', place: at % 2, picked: at < 3 }));

/** Lives through the story of a seed in the real cluster, and holds what was handed over against what happened. */
export async function runStory(
  seed: number,
  stage: Stage,
  place: string,
  spaces: readonly string[],
): Promise<RunResult> {
  const run = await Run.begin(storyOf(seed), stage, place, spaces);
  try {
    await run.live();
    await run.rest();
    return run.result();
  } catch (error) {
    const problem = `could not be finished: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    return run.result(problem);
  } finally {
    await run.end();
  }
}

class Run {
  private readonly clock: FastClock;
  private readonly host: Host;
  private readonly writer: Writer;
  private readonly record: ReturnType<Witness['recordOf']>;
  private readonly picked: string;
  private readonly underWay = new Set<Promise<void>>();
  private readonly ended = new AbortController();

  private constructor(
    private readonly story: Story,
    private readonly stage: Stage,
    place: string,
    spaces: readonly string[],
    private readonly trace: Trace,
    private readonly gaps: GapLedger,
    private readonly proxy: FaultProxy,
  ) {
    const { seed, setting } = story;
    const namespaces = setting.reach === 'one' ? spaces.slice(0, 1) : spaces;
    const note = (text: string): void => {
      trace.add(text);
    };
    this.clock = new FastClock(setting.speed);
    this.picked = `${place}-${seed}`;
    this.record = stage.witnesses[setting.kind].recordOf(namespaces);
    this.host = new Host({
      setting,
      namespaces,
      picked: this.picked,
      gaps,
      server: proxy,
      token: setting.mayReadCluster ? stage.tokens.full : stage.tokens.narrow,
      clock: this.clock,
      random: seededRandom(seed + 1),
      note,
      onKill: () => void proxy.drop(),
    });
    const labels = { picked: this.picked, other: `${place}-other` };
    this.writer = new Writer({ ...stage, kind: KINDS[setting.kind], namespaces, labels, onWrite: note });
  }

  static async begin(story: Story, stage: Stage, place: string, spaces: readonly string[]): Promise<Run> {
    const { plan, setting } = story;
    const trace = new Trace(setting.speed);
    const gaps = new GapLedger();
    const listener = {
      note: (text: string): void => {
        trace.add(text);
      },
      expired: (scope: string, version: string): void => {
        trace.add(`history after ${version} is gone ${scope}`);
        gaps.expired(scope, version);
      },
      listTorn: (scope: string): void => {
        gaps.listTorn(scope);
      },
      watchOpened: (scope: string, version: string): void => {
        trace.add(`watch ${scope} after ${version}`);
        gaps.watchOpened(scope, version);
      },
    };
    const proxy = await FaultProxy.start({ ...stage, plan, speed: setting.speed, listener });
    return new Run(story, stage, place, spaces, trace, gaps, proxy);
  }

  /** Everything that the story tells. */
  async live(): Promise<void> {
    for (const write of FIRST_WRITES) await this.writer.write(write);
    await this.host.start();
    const { host, clock, writer, trace, later } = this;
    for (const each of this.story.happenings) await happen(each, { host, clock, writer, trace, later });
  }

  /** Everything is well again, long enough; and once more after a last restart. */
  async rest(): Promise<void> {
    await Promise.all(this.underWay);
    await this.writer.settled();
    this.trace.add('everything is well');
    this.proxy.calm();
    this.host.n8n.mood = 'well';
    await this.witnessed();
    await this.host.start();
    await this.allTold();
    this.host.kill();
    await this.host.start();
    await this.clock.sleep(TWO_PASSES_MS);
    await this.allTold();
  }

  /** @param problem what else is wrong */
  result(...problem: readonly string[]): RunResult {
    const { gaps } = this;
    const { n8n } = this.host;
    const wrong = this.wrong();
    const problems = [...problem, ...wrong.map(({ kind, what }) => `${kind}: ${what}`), ...gaps.missed];
    const count = (kind: Wrong['kind']): number => wrong.filter((each) => each.kind === kind).length;
    return {
      seed: this.story.seed,
      events: [...n8n.rows.values()].reduce((sum, { events }) => sum + events.length, 0),
      lost: count('lost'),
      repeated: count('repeated') + count('invented'),
      gapsReal: gaps.real,
      gapsReported: gaps.met,
      faults: this.proxy.faults,
      problems,
      story: this.told(),
    };
  }

  private told(): string {
    return `${describeStory(this.story)}\nwhat happened (times of the trigger's clock):\n${this.trace.toString()}`;
  }

  async end(): Promise<void> {
    this.ended.abort();
    this.host.kill();
    await Promise.allSettled(this.underWay);
    await this.proxy.stop();
    await this.writer.clear();
  }

  /** Does something while the story goes on. @param ms of the trigger's clock */
  private readonly later = (ms: number, work: () => Promise<void>): void => {
    const { signal } = this.ended;
    const done = this.clock.sleep(ms, signal).then(() => (signal.aborted ? undefined : work()));
    this.underWay.add(done);
    void done.finally(() => this.underWay.delete(done)).catch(() => undefined);
  };

  /** What the API server answered to the writes is what the witness saw. */
  private async witnessed(): Promise<void> {
    const witness = this.stage.witnesses[this.story.setting.kind];
    for (const [uid, version] of this.writer.answers) {
      await witness.until(() => witness.knows(uid, version), `${uid} at ${version}`);
    }
  }

  private async allTold(): Promise<void> {
    const end = performance.now() + PATIENCE_MS;
    while (this.wrong().some(({ kind }) => kind === 'lost') && performance.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  }

  private wrong(): readonly Wrong[] {
    const { host, record, story, picked } = this;
    const { rows, delivered } = host.n8n;
    return verdict({
      setting: story.setting,
      picked,
      scopes: host.settings.scopes,
      before: record.before,
      entries: record.entries(),
      began: host.began,
      gaps: this.gaps.reported,
      delivered,
      runs: [...rows].map(([key, { runs, events }]) => ({
        key,
        runs,
        about: events.map(({ identity }) => identity).join(', '),
      })),
    });
  }
}
