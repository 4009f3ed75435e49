import type { ReportedGap } from './gapLedger';
import type { Setting } from './story';
import type { HistoryEntry, Shape } from './witness';

/** What is held against each other: what happened, and what was handed over. */
export interface Evidence {
  readonly setting: Pick<Setting, 'selective' | 'types' | 'modifiedWhen' | 'tracked' | 'emitExisting'>;
  /** Label value that a selector wants. */
  readonly picked: string;
  readonly scopes: readonly string[];
  /** What there was before anything happened. */
  readonly before: readonly Shape[];
  /** By version. */
  readonly entries: readonly HistoryEntry[];
  /** Version of the first list, by scope. */
  readonly began: ReadonlyMap<string, number>;
  readonly gaps: readonly ReportedGap[];
  /** How many executions there are, by identity of the event. */
  readonly delivered: ReadonlyMap<string, number>;
  /** How often each execution ran. */
  readonly runs: readonly { readonly key: string; readonly runs: number; readonly about: string }[];
}

/** Something that is not as promised. */
export interface Wrong {
  readonly kind: 'lost' | 'repeated' | 'invented';
  readonly what: string;
}

type ChangeKind = 'added' | 'modified' | 'deleted';

/** A change as a watch with the selector of the trigger shows it. */
interface Change {
  readonly type: ChangeKind;
  readonly version: number;
  readonly uid: string;
  readonly before: Shape | undefined;
  readonly after: Shape | undefined;
}

/** A stay of an object in a selector. */
interface Stay {
  readonly uid: string;
  readonly from: number;
  readonly to: number;
  /** When it came in again; Infinity: never. */
  readonly back: number;
}

/** What is wrong with what was handed over; empty: nothing. */
export function verdict(evidence: Evidence): readonly Wrong[] {
  const scopes = evidence.scopes.map((scope) => new ScopeVerdict(evidence, scope));
  return [
    ...scopes.flatMap((scope) => scope.lost()).map((what) => ({ kind: 'lost', what }) as const),
    ...scopes.flatMap((scope) => scope.repeated()).map((what) => ({ kind: 'repeated', what }) as const),
    ...repeated(evidence),
    ...invented(evidence),
  ];
}

function repeated({ runs, delivered }: Evidence): readonly Wrong[] {
  return [
    ...runs
      .filter((row) => row.runs > 1)
      .map(({ about, runs: times }) => ({ kind: 'repeated', what: `${about} ran ${times} times` }) as const),
    ...[...delivered]
      .filter(([, times]) => times > 1)
      .map(([identity, times]) => ({ kind: 'repeated', what: `${identity} has ${times} executions` }) as const),
  ];
}

/** Everything that was told of happened. */
function invented({ delivered, entries, before }: Evidence): readonly Wrong[] {
  const shapes = [...before, ...entries.flatMap(({ after }) => after ?? [])];
  const versions = new Set(shapes.map(({ uid, version }) => `${uid}@${version}`));
  const generations = new Set(shapes.map(({ uid, mark }) => `${uid}#g${mark}`));
  const uids = new Set(shapes.map(({ uid }) => uid));
  const gone = new Set(entries.filter(({ after }) => !after).map((entry) => `${entry.before?.uid ?? ''}:gone`));
  return [...delivered.keys()]
    .filter((identity) => {
      if (identity.includes(':left:')) return !uids.has(identity.split(':')[0] ?? '');
      return !versions.has(identity) && !generations.has(identity) && !gone.has(identity);
    })
    .map((identity) => ({ kind: 'invented', what: `${identity} never happened` }));
}

/** One watch of the trigger, and what must have been told of what it is about. */
class ScopeVerdict {
  private readonly began: number;
  private readonly gaps: readonly ReportedGap[];
  private readonly changes: readonly Change[];
  private readonly shapes: readonly Shape[];
  private readonly told: readonly string[];
  private readonly stays: readonly Stay[];

  constructor(
    private readonly evidence: Evidence,
    private readonly scope: string,
  ) {
    this.began = evidence.began.get(scope) ?? Number.POSITIVE_INFINITY;
    this.gaps = evidence.gaps.filter((gap) => gap.scope === scope);
    this.changes = evidence.entries.flatMap((entry) => this.changeOf(entry) ?? []);
    this.shapes = [...evidence.before, ...evidence.entries.flatMap(({ after }) => after ?? [])];
    this.told = [...evidence.delivered.keys()];
    this.stays = evidence.setting.selective ? this.endedStays() : [];
  }

  lost(): readonly string[] {
    return [...this.unseenChanges(), ...this.existing(), ...this.finalStates(), ...this.deletions(), ...this.ends()];
  }

  /** The end of each stay was told once. */
  repeated(): readonly string[] {
    return this.stays.flatMap(({ uid, from, to }) => {
      const ends = this.endsBetween(uid, from, to);
      // Where a list named the stay anew it may be told once more: a state from before the list does not know that name.
      const renamed = this.gaps.some((gap) => gap.from < to && gap.to >= from);
      return ends.length > 1 && !renamed ? [`one end of ${uid} at ${to} is told as ${ends.join(' and ')}`] : [];
    });
  }

  /** Every change was told, or happened in a gap that was. */
  private unseenChanges(): readonly string[] {
    const { types, modifiedWhen } = this.evidence.setting;
    return this.changes
      .filter(({ type, version }) => version > this.began && types.includes(type))
      .filter(
        ({ type, before, after }) => type !== 'modified' || modifiedWhen === 'any' || before?.mark !== after?.mark,
      )
      .filter(
        (change) =>
          !this.isTold(change) && !this.gaps.some(({ from, to }) => from < change.version && change.version <= to),
      )
      .map(({ type, uid, version, after, before }) => `${type} ${(after ?? before)?.name ?? ''} ${uid} at ${version}`);
  }

  private isTold({ type, uid, version, after }: Change): boolean {
    if (type !== 'deleted') {
      const forms = [`${uid}@${version}`, ...(type === 'modified' ? [`${uid}#g${after?.mark ?? ''}`] : [])];
      return forms.some((identity) => this.evidence.delivered.has(identity));
    }
    if (!this.evidence.setting.selective) return this.evidence.delivered.has(`${uid}:gone`);
    const stay = this.stays.find((each) => each.uid === uid && each.to === version);
    return this.endsBetween(uid, stay?.from ?? 0, version).length > 0;
  }

  /** What existed at the first list was told, where that was asked for. */
  private existing(): readonly string[] {
    const { emitExisting, types } = this.evidence.setting;
    if (!emitExisting || !types.includes('added')) return [];
    // What has changed before the background came to it is told as it was then: with a gap when that was broken off.
    if (this.gaps.length > 0) return [];
    return this.at(this.began)
      .filter(({ uid, version }) => !this.evidence.delivered.has(`${uid}@${version}`))
      .map(({ name, uid, version }) => `existing ${name} ${uid} at ${version}`);
  }

  /** In a gap changes may be missed, but not what came out of them. */
  private finalStates(): readonly string[] {
    const { modifiedWhen, emitExisting } = this.evidence.setting;
    if (!this.canCompare() || this.began === Number.POSITIVE_INFINITY) return [];
    return this.at(Number.POSITIVE_INFINITY).flatMap((last) => {
      if (!this.isInGap(last.version)) return [];
      const same = this.shapes.filter(
        ({ uid, mark, version }) =>
          uid === last.uid && (modifiedWhen === 'any' ? version === last.version : mark === last.mark),
      );
      if (!emitExisting && same.some(({ version }) => version <= this.began)) return [];
      if (emitExisting && this.gaps.length === 0 && same.some(({ version }) => version <= this.began)) return [];
      const forms = new Set([`${last.uid}#g${last.mark}`, ...same.map(({ uid, version }) => `${uid}@${version}`)]);
      if (this.told.some((identity) => forms.has(identity))) return [];
      return [`the last state of ${last.name} ${last.uid} at ${last.version}`];
    });
  }

  /**
   * Of an object that was known, its deletion was told, also when it happened in a gap; unless the gap covers its whole
   * life (the state that was gone on from had not heard of it).
   */
  private deletions(): readonly string[] {
    if (!this.canCompare() || this.evidence.setting.selective) return [];
    const known = new Set([
      ...this.told.map((identity) => identity.split(/[@#:]/)[0] ?? ''),
      ...this.at(this.began).map(({ uid }) => uid),
    ]);
    return this.changes.flatMap(({ type, uid, version, before }) => {
      if (type !== 'deleted' || version <= this.began || !known.has(uid) || !this.isInGap(version)) return [];
      if (this.evidence.delivered.has(`${uid}:gone`)) return [];
      const created = Math.min(...this.shapes.filter((shape) => shape.uid === uid).map((shape) => shape.version));
      if (this.isHidden(created, version)) return [];
      return [`the deletion of ${before?.name ?? ''} ${uid} at ${version}`];
    });
  }

  /** With a selector: the end of a stay was told also when it was in a gap, if the beginning was known. */
  private ends(): readonly string[] {
    if (!this.canCompare()) return [];
    return this.stays.flatMap(({ uid, from, to, back }) => {
      if (!this.isInGap(to) || this.endsBetween(uid, from, to).length > 0) return [];
      const unknown = this.isHidden(from, to);
      // It came back before anybody looked: as far as a list can tell it never left.
      const unseen = this.gaps.some((gap) => gap.from < to && back <= gap.to);
      return unknown || unseen ? [] : [`the end of the stay of ${uid} from ${from} to ${to}`];
    });
  }

  /** The stays that ended after the first list. */
  private endedStays(): readonly Stay[] {
    return this.changes
      .filter(({ type, version }) => type === 'deleted' && version > this.began)
      .map(({ uid, version: to }) => {
        const entered = this.changes.flatMap((each) => (each.uid === uid && each.type === 'added' ? each.version : []));
        const back = entered.find((version) => version > to) ?? Number.POSITIVE_INFINITY;
        return { uid, to, back, from: entered.filter((version) => version < to).at(-1) ?? 0 };
      });
  }

  private endsBetween(uid: string, from: number, to: number): readonly string[] {
    return this.told.filter((identity) => {
      const [of, entry] = identity.split(':left:');
      return of === uid && entry !== undefined && Number(entry) >= from && Number(entry) <= to;
    });
  }

  /**
   * Whether something that lasted was never seen: it began and ended in a gap; or in two, one after the other, where the
   * list between them broke in two and came to its place only after its end.
   */
  private isHidden(began: number, ended: number): boolean {
    return this.gaps.some(({ from, to, torn }, at) => {
      const next = torn ? this.gaps.slice(at + 1).find((gap) => gap.from === to) : undefined;
      return from < began && ended <= (next?.to ?? to);
    });
  }

  private isInGap(version: number): boolean {
    return this.gaps.some(({ from, to }) => from < version && version <= to);
  }

  /** Everything is tracked, and everything is told. */
  private canCompare(): boolean {
    const { tracked, types } = this.evidence.setting;
    return tracked >= 100 && types.length === 3;
  }

  /** What the selector shows at a version. */
  private at(version: number): readonly Shape[] {
    const present = new Map(this.evidence.before.map((shape) => [shape.uid, shape]));
    for (const entry of this.evidence.entries) {
      if (entry.version > version) break;
      if (entry.after) present.set(entry.after.uid, entry.after);
      else present.delete(entry.before?.uid ?? '');
    }
    return [...present.values()].filter((shape) => this.shows(shape));
  }

  private changeOf({ version, before, after }: HistoryEntry): Change | undefined {
    const was = this.shows(before);
    const is = this.shows(after);
    if (!was && !is) return undefined;
    const type = was && is ? 'modified' : is ? 'added' : 'deleted';
    return { type, version, uid: (after ?? before)?.uid ?? '', before, after };
  }

  private shows(shape: Shape | undefined): boolean {
    if (!shape || (this.scope !== '' && shape.namespace !== this.scope)) return false;
    return !this.evidence.setting.selective || shape.pick === this.evidence.picked;
  }
}
