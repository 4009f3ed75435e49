import type { CertificateAuthority } from '../../certificates';
import type { Api } from '../../cluster/api';
import { seededRandom } from '../../../core/trigger/testing/random';
import { FaultProxy, type Upstream } from '../proxy';
import { FastClock } from './fastClock';
import type { Gate } from './gate';
import { Host } from './host';
import { KINDS, type KindName } from './kinds';
import { describeStory, storyOf, type Happening, type Story, type Write } from './story';
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
    throw new Error(`The run of seed ${seed} could not be finished.\n${run.told()}`, { cause: error });
  } finally {
    await run.end();
  }
}

class Run {
  private readonly underWay = new Set<Promise<void>>();
  private readonly ended = new AbortController();

  private constructor(
    private readonly story: Story,
    private readonly stage: Stage,
    private readonly picked: string,
    private readonly clock: FastClock,
    private readonly trace: Trace,
    private readonly proxy: FaultProxy,
    private readonly host: Host,
    private readonly writer: Writer,
    private readonly record: ReturnType<Witness['recordOf']>,
  ) {}

  static async begin(story: Story, stage: Stage, place: string, spaces: readonly string[]): Promise<Run> {
    const { seed, setting, plan } = story;
    const namespaces = setting.reach === 'one' ? spaces.slice(0, 1) : spaces;
    const picked = `${place}-${seed}`;
    const clock = new FastClock(setting.speed);
    const trace = new Trace(() => clock.monotonic());
    const note = (text: string): void => {
      trace.add(text);
    };
    const record = stage.witnesses[setting.kind].recordOf(namespaces);
    const host: { gaps?: Host['gaps'] } = {};
    const proxy = await FaultProxy.start({
      ...stage,
      plan,
      speed: setting.speed,
      listener: {
        note,
        expired: (scope, version) => {
          note(`history after ${version} is gone ${scope}`);
          host.gaps?.expired(scope, version);
        },
        watchOpened: (scope, version) => {
          note(`watch ${scope} after ${version}`);
          host.gaps?.watchOpened(scope, version);
        },
      },
    });
    const token = setting.mayReadCluster ? stage.tokens.full : stage.tokens.narrow;
    const random = seededRandom(seed + 1);
    const real = new Host({
      setting,
      namespaces,
      picked,
      server: proxy,
      token,
      clock,
      random,
      note,
      onKill: () => void proxy.drop(),
    });
    host.gaps = real.gaps;
    const labels = { picked, other: `${place}-other` };
    const writer = new Writer({ ...stage, kind: KINDS[setting.kind], namespaces, labels, onWrite: note });
    return new Run(story, stage, picked, clock, trace, proxy, real, writer, record);
  }

  /** Everything that the story tells. */
  async live(): Promise<void> {
    for (const write of FIRST_WRITES) await this.writer.write(write);
    await this.host.start();
    for (const happening of this.story.happenings) await this.happen(happening);
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

  result(): RunResult {
    const { gaps, n8n } = this.host;
    const wrong = this.wrong();
    const problems = [...wrong.map(({ kind, what }) => `${kind}: ${what}`), ...gaps.missed];
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

  told(): string {
    return `${describeStory(this.story)}\nwhat happened (times of the trigger's clock):\n${this.trace.toString()}`;
  }

  async end(): Promise<void> {
    this.ended.abort();
    this.host.kill();
    await Promise.allSettled(this.underWay);
    await this.proxy.stop();
    await this.writer.clear();
  }

  private async happen(happening: Happening): Promise<void> {
    const { host, clock, writer } = this;
    switch (happening.do) {
      case 'writes':
        for (const write of happening.writes) await writer.write(write);
        return;
      case 'busy':
        for (const [at, write] of happening.writes.entries()) {
          const ms = (happening.seconds * 1000 * (at + 0.5)) / happening.writes.length;
          this.later(ms, () => writer.write(write));
        }
        return;
      case 'time':
        await clock.sleep(happening.seconds * 1000);
        return;
      case 'mood':
        this.trace.add(`n8n is ${happening.mood}`);
        host.n8n.mood = happening.mood;
        return;
      case 'kill':
        host.kill();
        await clock.sleep(happening.seconds * 1000);
        await host.start();
        return;
      case 'kill-after':
        host.killAfter(happening.writes, () => {
          this.later(happening.seconds * 1000, () => host.start());
        });
        return;
      case 'reactivate':
        await host.reactivate();
        return;
      case 'roll-back': {
        const { everSaved } = host.n8n;
        const state = everSaved[Math.floor(happening.share * everSaved.length)];
        if (state) host.n8n.saved = state;
        this.trace.add(`static data are set back to ${state?.p.map(([, cursor]) => cursor).join() ?? 'nothing'}`);
      }
    }
  }

  private later(ms: number, work: () => Promise<void>): void {
    const done = this.clock.sleep(ms, this.ended.signal).then(() => (this.ended.signal.aborted ? undefined : work()));
    this.underWay.add(done);
    void done.finally(() => this.underWay.delete(done)).catch(() => undefined);
  }

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
      gaps: host.gaps.reported,
      delivered,
      runs: [...rows].map(([key, { runs, events }]) => ({
        key,
        runs,
        about: events.map(({ identity }) => identity).join(', '),
      })),
    });
  }
}
