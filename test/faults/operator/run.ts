import { pause } from '../../cluster/api';
import type { OwnCluster, ServerObject } from '../../cluster';
import { Watcher, type Rule } from '../../components/watcher';
import type { StoryCluster } from './cluster';
import type { Crew } from './crew';
import { differences, type RenderedFor } from './expectation';
import type { Misdeed } from './ledger';
import type { Life, Lives } from './lives';
import { FLAWS, INLINE_SECRET, MEMBERS, SECRET } from './members';
import { Play } from './play';
import type { Chapter } from './story';

/** What is wrong, by how people would call it. */
export type Fault =
  /** An operation that does not end as it must, or something that is missing. */
  | 'lost'
  /** Something that is there or happened twice. */
  | 'doubled'
  /** Something that is left of what is gone. */
  | 'left'
  /** Somebody else's object was touched. */
  | 'foreign'
  | 'secret'
  /** Fewer Pods than the budget requires. */
  | 'undercut'
  /** A status says what is not so. */
  | 'untrue'
  /** A change without the lease, or without the version it was decided for. */
  | 'unlawful'
  /** The story could not be told to its end. */
  | 'unfinished';

/** One thing that is wrong. */
export interface Problem {
  readonly fault: Fault;
  readonly what: string;
}

/** What a run stands on. */
export interface RunOptions {
  readonly own: OwnCluster;
  readonly cluster: StoryCluster;
  readonly crew: Crew;
  readonly lives: Lives;
  readonly rendered: RenderedFor;
  readonly needles: readonly string[];
  readonly note: (text: string) => void;
}

const RULES: Readonly<Record<Rule, Fault>> = {
  budget: 'undercut',
  claim: 'untrue',
  lag: 'untrue',
  twice: 'doubled',
  unlisted: 'left',
  left: 'left',
  storage: 'lost',
  doubled: 'doubled',
  restless: 'doubled',
  foreign: 'foreign',
  secret: 'secret',
};
const MISDEEDS: Readonly<Record<Misdeed['rule'], Fault>> = {
  lease: 'unlawful',
  unguarded: 'unlawful',
  secret: 'secret',
};

/** By our clock: a watch that fell silent is found after a dozen seconds of it. */
const PATIENCE_MS = 180_000;
const LOOK_MS = 100;
/** A status may be as far behind as a watch that stands still without a word. */
const MAX_AGE_MS = 60_000;
/** So long a new operator has nothing to do, ms. */
const IDLE_MS = 1_500;

/** Lives through chapters, and checks everything at the end of each. */
export class Run {
  readonly problems: Problem[] = [];
  readonly play: Play;
  private readonly watchers: Watcher[] = [];
  private readonly told = new Set<string>();
  /** Revisions that workloads had at the end of the last chapter, and how many were asked for, by uid. */
  private readonly revisions = new Map<string, { readonly live: number; readonly asked: number }>();
  private closeHands: (() => void) | undefined;
  private hands: Promise<unknown>[] = [];

  constructor(private readonly options: RunOptions) {
    this.play = new Play({ ...options, excusing: (work) => this.excusing(work) });
  }

  misdeed({ rule, what }: Misdeed): void {
    this.add(MISDEEDS[rule], what);
  }

  async chapter({ hasHands, steps }: Chapter): Promise<void> {
    const { crew, lives, cluster } = this.options;
    if (this.watchers.length === 0) {
      for (const namespace of cluster.namespaces) {
        const settings = { namespace, maxAgeMs: MAX_AGE_MS, needles: this.options.needles };
        this.watchers.push(await Watcher.start(cluster.api, settings));
      }
      for (const member of MEMBERS) await lives.ask(member, {});
    }
    if (hasHands) this.openHands();
    crew.worry();
    await crew.kill();
    for (const step of steps) await this.play.step(step);
    await this.play.calm();
    await crew.calm();
    this.options.note('everything is well');
    await this.endings();
    await this.heal();
    await this.asked();
    await this.closeHandsNow();
    await this.rests();
    await this.watched();
  }

  async end(): Promise<void> {
    await this.play.calm();
    await this.closeHandsNow();
    await this.options.crew.end();
    await Promise.all(this.watchers.map((watcher) => watcher.stop()));
  }

  /** What the watchers have seen last, for whoever looks into a failure. */
  explain(): string {
    return this.watchers.map((watcher) => watcher.explain()).join('\n');
  }

  /** Every operation that was accepted ends, and for the right reason. */
  private async endings(): Promise<void> {
    for (const life of this.options.lives.all) {
      let last = '';
      const isOver = await this.until(async () => {
        last = (await this.unended(life)) ?? '';
        return last === '';
      });
      if (!isOver) this.add('lost', last);
    }
  }

  /** Why the newest operation of a component has not ended as it must; undefined when it has. */
  private async unended(life: Life): Promise<string | undefined> {
    const { cluster, lives } = this.options;
    const { member, wish, isRemoving, marks } = life;
    const component = await cluster.find(cluster.pathOf(member));
    if (component?.metadata.uid !== life.uid) {
      if (!isRemoving) return `${member.name} is gone, and nobody removed it`;
      lives.gone(life);
      return undefined;
    }
    const { observedGeneration, operationState = '', operation } = (component.status ?? {}) as Ended;
    const { reason = '', type = '' } = operation ?? {};
    const said = [operationState, reason].join(' ').trim();
    const current = observedGeneration === component.metadata.generation;
    const allowed = new Set<string>();
    if (wish.isMaintenance) allowed.add('blocked MaintenanceActive');
    if (wish.flaw !== undefined) allowed.add(`${FLAWS[wish.flaw].state} ${FLAWS[wish.flaw].reason}`);
    if (!isRemoving && (wish.flaw === undefined || wish.isMaintenance)) allowed.add('succeeded');
    if (marks.foreign.size > 0) allowed.add('failed ObjectOwned');
    if (marks.edited.size > 0) allowed.add('failed ApplyConflict');
    if (current && allowed.has(said)) return undefined;
    const seen = `observed ${observedGeneration ?? 0} of ${component.metadata.generation ?? 0}`;
    return `${member.name}: ${type} is ${said} (${seen}) and not ${[...allowed].join(' or ') || 'over'}`;
  }

  /** Whatever keeps an operation from its end goes. */
  private async heal(): Promise<void> {
    const { cluster, lives } = this.options;
    for (const life of lives.all) {
      const { edited, foreign } = life.marks;
      for (const [path, uid] of foreign) {
        const now = await cluster.find(path);
        if (now?.metadata.uid !== uid) this.add('foreign', `${path} was deleted`);
        else if (isWrittenByOperator(now)) this.add('foreign', `${path} was changed`);
        await cluster.change('DELETE', path);
      }
      for (const path of edited) await cluster.change('DELETE', path);
      foreign.clear();
      edited.clear();
      if (life.isRemoving) {
        if (life.wish.isMaintenance) await lives.ask(life.member, { isMaintenance: false });
      } else if (life.wish.isMaintenance || life.wish.flaw !== undefined) {
        await lives.ask(life.member, { isMaintenance: false, flaw: undefined });
      }
    }
  }

  /** Everything is as it was asked for. */
  private async asked(): Promise<void> {
    for (const life of this.options.lives.all) {
      let wrong: readonly string[] = [];
      const isRight = await this.until(async () => {
        wrong = await this.wrongOf(life);
        return wrong.length === 0;
      });
      for (const what of isRight ? [] : wrong) this.add(what.includes('doubled:') ? 'doubled' : 'lost', what);
      if (isRight && !life.isRemoving) await this.countRevisions(life);
    }
  }

  private async wrongOf(life: Life): Promise<readonly string[]> {
    const { cluster, rendered } = this.options;
    const { member, wish, uid, isRemoving } = life;
    if (!isRemoving) return differences(cluster, member, { wish, uid, rendered: await rendered(member, wish) });
    const component = await cluster.find(cluster.pathOf(member));
    if (component?.metadata.uid === uid) return [`${member.name} is still there`];
    const left = await cluster.ownedBy(cluster.namespaceOf(member), uid);
    if (left.length === 0) this.options.lives.gone(life);
    return left.map(({ path }) => `${path} is left of ${member.name}`);
  }

  /** No pod template is rolled out that nobody asked for, and none twice. */
  private async countRevisions({ member, uid, templates, marks }: Life): Promise<void> {
    const { cluster } = this.options;
    const namespace = cluster.namespaceOf(member);
    const asked = templates + marks.rollouts;
    for (const { object, plural } of await cluster.ownedBy(namespace, uid)) {
      if (plural !== 'deployments' && plural !== 'statefulsets') continue;
      const live = plural === 'deployments' ? deploymentRevision(object) : await this.setRevision(namespace, object);
      const before = this.revisions.get(object.metadata.uid);
      this.revisions.set(object.metadata.uid, { live, asked });
      const [rolled, most] = [live - (before?.live ?? 0), before === undefined ? asked : asked - before.asked];
      if (rolled > most) {
        const what = `${member.name}: ${plural}/${object.metadata.name} rolled out ${rolled} pod templates of ${most}`;
        this.add('doubled', what);
      }
    }
  }

  private async setRevision(namespace: string, { metadata }: ServerObject): Promise<number> {
    const revisions = await this.options.cluster.api.items(`/apis/apps/v1/namespaces/${namespace}/controllerrevisions`);
    const own = revisions.filter(({ metadata: { ownerReferences } }) =>
      (ownerReferences as readonly { uid: string }[] | undefined)?.some(({ uid }) => uid === metadata.uid),
    );
    return Math.max(0, ...own.map(({ revision }) => Number(revision)));
  }

  /** A new operator, with nothing in its memory, has nothing to do and nothing else to say. */
  private async rests(): Promise<void> {
    const { crew, lives, cluster, note } = this.options;
    await crew.end();
    note('a new operator looks at everything');
    const fresh = await crew.start();
    const keys = lives.all.map(({ member }) => `${cluster.namespaceOf(member)}/${member.name}`);
    const hasPassed = await this.until(() => Promise.resolve(keys.every((key) => fresh.passed.has(key))));
    if (!hasPassed) this.add('lost', 'a new operator does not look at everything');
    await pause(IDLE_MS);
    const { deeds } = fresh.ledger;
    if (deeds > 0) this.add('doubled', `a new operator makes ${deeds} changes`);
    for (const said of fresh.said) this.add('untrue', `a new operator says otherwise of ${said}`);
  }

  private async watched(): Promise<void> {
    for (const watcher of this.watchers) {
      const { wrong } = await watcher.verdict();
      for (const { rule, component, revision, what } of wrong) {
        this.add(RULES[rule], `${component} at ${revision}: ${what}`);
      }
    }
  }

  private async excusing(work: () => Promise<void>): Promise<void> {
    const excused = this.watchers.reduce((inner, watcher) => () => watcher.excusing('illness', inner), work);
    await excused();
  }

  private openHands(): void {
    const open = new Promise<void>((resolve) => {
      this.closeHands = resolve;
    });
    this.hands = this.watchers.map((watcher) => watcher.excusing('hands', () => open));
  }

  private async closeHandsNow(): Promise<void> {
    this.closeHands?.();
    await Promise.all(this.hands);
  }

  private async until(look: () => Promise<boolean>): Promise<boolean> {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const last = performance.now() > end;
      if (await look()) return true;
      if (last) return false;
      await pause(LOOK_MS);
    }
  }

  private add(fault: Fault, what: string): void {
    if (this.told.has(what)) return;
    this.told.add(what);
    this.options.note(`WRONG: ${fault}: ${what}`);
    this.problems.push({ fault, what });
  }
}

interface Ended {
  readonly observedGeneration?: number;
  readonly operationState?: string;
  readonly operation?: { readonly type?: string; readonly reason?: string };
}

/** Whether an operator has written to an object; others may have, in a storm. */
function isWrittenByOperator({ metadata: { managedFields } }: ServerObject): boolean {
  const entries = Array.isArray(managedFields) ? (managedFields as readonly { readonly manager?: string }[]) : [];
  return entries.some(({ manager }) => manager?.startsWith('navin-operator'));
}

function deploymentRevision({ metadata }: ServerObject): number {
  return Number(metadata.annotations?.['deployment.kubernetes.io/revision'] ?? 0);
}

/** Texts that no log, no status and no request may hold. */
export const NEEDLES: readonly string[] = [
  SECRET.content,
  Buffer.from(SECRET.content).toString('base64'),
  INLINE_SECRET,
];
