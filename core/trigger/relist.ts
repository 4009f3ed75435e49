import { NavinError } from '../errors';
import { compareResourceVersions, type KubeObject } from '../kube';
import { listedChange, missingChange, versionOf, type Sighting } from './changes';
import { gapMessage, gapStep } from './gaps';
import { uidOf } from './identity';
import { examinedObject, vanishedObject } from './incidents';
import type { Patch, RelistCause, ScopeState, TriggerState } from './state';
import type { Note, Step } from './step';
import type { PassContext } from './triggerEvent';

/** A page of a list, as it is compared. */
export interface ListedPage {
  readonly items: readonly KubeObject[];
  /** Of the list: that of its first page. */
  readonly version: string;
  /** From here on the list is not of one moment. */
  readonly inconsistent: boolean;
}

/**
 * Lists a scope and compares it with what is known. Each step is meant to be applied to the state before the next is
 * asked for. The scope stays marked until the last step, so a list that is broken off is done again from the start, and
 * what was handed over of it already is known by then.
 */
export class Relist {
  readonly notes: Note[] = [];
  private readonly seen = new Set<string>();
  private readonly memory: ScopeState;
  private readonly cause: RelistCause;
  private readonly base: string;
  private readonly wasComplete: boolean;
  private readonly newestBefore: string;
  private sighting: Sighting;
  /** Versions of the list and of what is known are of different histories. */
  private forked = false;
  private version = '';
  private objects = 0;
  private events = 0;
  private doubtful = 0;
  private inconsistent = false;

  constructor(
    private readonly state: TriggerState,
    private readonly scope: string,
    /** The clock goes on while a long list is handed over. */
    private readonly context: () => PassContext,
    private readonly partial = false,
  ) {
    this.memory = state.scope(scope);
    const { cursor, relist, overflow } = this.memory;
    this.base = cursor;
    this.cause = relist ?? 'expired';
    this.wasComplete = !overflow;
    this.newestBefore = state.newestCreation;
    const seed = this.cause === 'seed' || this.cause === 'reseed';
    this.sighting = { scope, seed, gap: this.cause !== 'seed', partial };
    this.forked = this.cause === 'restored' || this.cause === 'cluster';
  }

  /** The first steps: the scope is marked, a cluster that was set back is noticed, the gap is told. */
  *begin(page: ListedPage): Generator<Step, void, undefined> {
    if (page.version === '' || page.version === '0') {
      throw new NavinError(
        'k8s_response_invalid',
        'The list has no resourceVersion: changes of this resource cannot be followed.',
      );
    }
    this.version = page.version;
    yield { patches: [{ kind: 'relist', scope: this.scope, cause: this.cause }] };
    const older = compareResourceVersions(page.version, this.base) === -1;
    if (older && !this.forked && this.base !== '') yield this.fork();
    if (this.cause === 'seed' && this.base === '' && this.memory.known.size === 0) return;
    this.sighting = { ...this.sighting, gap: true };
    const message = gapMessage(this.forked && this.cause !== 'cluster' ? 'restored' : this.cause, this.wasComplete);
    const note = {
      kind: 'gap',
      scope: this.scope,
      cause: this.cause,
      from: this.base,
      to: this.version,
      message,
    } as const;
    this.notes.push(note);
    if (this.context().settings.tellGaps) yield gapStep(note, this.state, this.context());
  }

  /** The steps of one page. */
  *page(page: ListedPage): Generator<Step, void, undefined> {
    this.inconsistent ||= page.inconsistent;
    if (!this.forked && this.goesBack(page.items)) yield this.fork();
    for (const object of page.items) {
      if (this.isLater(object)) {
        this.seen.add(uidOf(object));
        continue;
      }
      this.objects += 1;
      for (const step of this.compare(object)) yield this.counted(step);
    }
  }

  /** The last steps: what is known and was not listed is gone; the scope goes on from the list. */
  *end(): Generator<Step, void, undefined> {
    const { condition } = this.context().settings;
    for (const [uid, facts] of [...this.memory.known]) {
      if (this.seen.has(uid)) continue;
      yield this.counted(missingChange(this.state, this.sighting, uid, facts, this.context()));
    }
    for (const [uid] of [...this.memory.incidents]) {
      if (condition === undefined || this.seen.has(uid)) continue;
      for (const step of vanishedObject(this.state, this.sighting, uid, condition, this.context()))
        yield this.counted(step);
    }
    const tracked = condition === undefined ? this.memory.known.size : this.memory.incidents.size;
    const overflow = condition === undefined ? tracked < this.objects : tracked >= this.memory.limit;
    yield { patches: [{ kind: 'listed', scope: this.scope, cursor: this.version, overflow }] };
    this.report(tracked, overflow);
  }

  /**
   * Whether an object has changed since the moment of the list, as it may on pages of a later one. It is left to the watch,
   * which goes on from that moment: if it were known as it is now, what happened to it in between would count as a repeat.
   */
  private isLater(object: KubeObject): boolean {
    return this.inconsistent && !this.forked && compareResourceVersions(versionOf(object), this.version) === 1;
  }

  private compare(object: KubeObject): readonly Step[] {
    const context = this.context();
    const uid = uidOf(object);
    const known = this.memory.known.has(uid) || this.memory.incidents.has(uid);
    const { condition } = context.settings;
    if (condition) {
      const sighting = { ...this.sighting, unchanged: !known && !this.wasComplete && this.order(object) === 'before' };
      const steps = this.partial ? [] : examinedObject(this.state, sighting, object, condition, context);
      if (known || steps.length > 0) this.seen.add(uid);
      return steps;
    }
    // What is tracked from now on was on the list too.
    if (known || this.memory.known.size < this.memory.limit) this.seen.add(uid);
    return [listedChange(this.state, this.sighting, object, context, this.ofUnknown(object, known))];
  }

  /** What an object that is not known can be: with everything tracked it is new; else its version tells, if it can. */
  private ofUnknown(object: KubeObject, known: boolean): 'added' | 'modified' | 'old' {
    if (known || this.wasComplete) return 'added';
    const order = this.order(object);
    if (order === 'unknown') this.doubtful += 1;
    if (order !== 'after') return 'old';
    return (object.metadata.creationTimestamp ?? '') >= this.newestBefore ? 'added' : 'modified';
  }

  /** Whether an object changed before or after what was seen last. */
  private order(object: KubeObject): 'before' | 'after' | 'unknown' {
    const order = this.forked || this.base === '' ? undefined : compareResourceVersions(versionOf(object), this.base);
    if (order === undefined) return 'unknown';
    return order === 1 ? 'after' : 'before';
  }

  /** An object with an older version than it had: this is another history. */
  private goesBack(items: readonly KubeObject[]): boolean {
    return items.some((object) => {
      const before = this.memory.known.get(uidOf(object));
      return before !== undefined && compareResourceVersions(versionOf(object), before.version) === -1;
    });
  }

  private fork(): Step {
    this.forked = true;
    return { patches: forkPatches(this.state, 'restored') };
  }

  private counted(step: Step): Step {
    if (step.event) this.events += 1;
    return step;
  }

  private report(tracked: number, overflow: boolean): void {
    const { scope, objects, events } = this;
    const place = scope === '' ? '' : ` in namespace ${scope}`;
    const seed = this.cause === 'seed';
    const doubts = [
      ...(this.doubtful > 0
        ? [`Of ${this.doubtful} objects that were not tracked it is not known whether they changed.`]
        : []),
      ...(this.inconsistent
        ? ['The list took so long that it is not of one moment; the watch that follows makes up for it.']
        : []),
    ];
    this.notes.push(
      seed
        ? { kind: 'seeded', objects, message: `${objects} objects exist${place}; changes from now on are told.` }
        : {
            kind: 'relisted',
            scope,
            objects,
            events,
            message: [`Compared ${objects} objects${place} with what was known: ${events} events.`, ...doubts].join(
              ' ',
            ),
          },
    );
    const { events: areEvents, condition } = this.context().settings;
    // Of Events nothing needs to be known: their keys tell them apart, and their deletion is only their age.
    if (!overflow || areEvents) return;
    const message = condition
      ? `As many incidents are open as are tracked (${tracked}): more of them may be told late or once too often. Track more, or choose fewer objects by a selector.`
      : `${objects} objects exist${place}, ${tracked} of them are tracked. After a gap, deletions of the others are not told, and which of their fields changed is not known: track more objects or choose fewer by a selector.`;
    this.notes.push({ kind: 'untracked', scope, objects, tracked, message });
  }
}

/** The cluster was set back or exchanged: keys of a new epoch, and every scope is compared. */
export function forkPatches(
  state: TriggerState,
  cause: 'restored' | 'cluster',
  cluster = state.cluster,
): readonly Patch[] {
  const mark = cluster ?? { server: '', uid: undefined };
  return [
    { kind: 'cluster', cluster: mark, epoch: state.epoch + 1 },
    ...[...state.scopes.keys()].map((scope): Patch => ({ kind: 'relist', scope, cause })),
  ];
}
