import { COUNTS_AS_CREATED_MS } from '../flights';
import type { StoredState } from '../stateCodec';
import { matches, watchEvent, type HistoryRecord } from './clusterModel';
import type { World } from './world';

/** What a record of the history must have led to. */
interface Expectation {
  readonly entry: HistoryRecord;
  readonly about: string;
  /** Whether it was handed over, in any of the forms in which it may be. */
  readonly met: () => boolean;
  /** Whether an emit of it has been pending for so long that it counts. */
  readonly pending: () => boolean;
}

/** Everything that the history of a scope calls for, in order, from the first list on. */
export function expectations(world: World, scope: string): readonly Expectation[] {
  const began = world.began.get(scope);
  const selection = world.selection(scope);
  if (!began) return [];
  const stays = new Map<string, number>();
  const expected: Expectation[] = [];
  let timeline = 1;
  for (const entry of world.cluster.record) {
    // What began after the moment to which a cluster was set back did not begin.
    const kept = entry.timeline === timeline ? undefined : world.cluster.setBackTo.get(timeline);
    ({ timeline } = entry);
    if (kept !== undefined) for (const [uid, from] of stays) if (from > kept) stays.set(uid, 0);
    const event = watchEvent(entry, selection);
    if (!event) continue;
    const uid = event.object.metadata.uid ?? '';
    const since = stays.get(uid) ?? 0;
    if (event.type === 'ADDED') stays.set(uid, entry.version);
    const old =
      entry.timeline < began.timeline || (entry.timeline === began.timeline && entry.version <= began.version);
    const forms = old ? undefined : formsOf(world, entry, event.type, uid, since);
    if (!forms) continue;
    expected.push({
      entry,
      about: `${event.type} ${uid} at ${entry.version} of timeline ${entry.timeline}`,
      met: () => [...world.n8n.delivered.keys()].some(forms),
      pending: () =>
        world.n8n.emissions.some(
          ({ at, events }) =>
            world.clock.monotonic() - at >= COUNTS_AS_CREATED_MS && events.some(({ identity }) => forms(identity)),
        ),
    });
  }
  return expected;
}

function formsOf(
  world: World,
  { before, after, version }: HistoryRecord,
  type: string,
  uid: string,
  since: number,
): ((identity: string) => boolean) | undefined {
  if (type === 'DELETED') {
    if (!world.options.selective) return (identity) => identity === `${uid}:gone`;
    return (identity) => {
      const [of, entry] = identity.split(':left:');
      return of === uid && entry !== undefined && Number(entry) >= since && Number(entry) <= version;
    };
  }
  if (type === 'ADDED' || world.options.modifiedWhen === 'any') return (identity) => identity === `${uid}@${version}`;
  if (before?.generation === after?.generation) return undefined;
  return (identity) => identity === `${uid}#g${after?.generation ?? 0}`;
}

/** Whether a gap was told that covers a record. */
export function isExcused(world: World, scope: string, entry: HistoryRecord): boolean {
  if (entry.version > (world.cluster.setBackTo.get(entry.timeline) ?? Number.POSITIVE_INFINITY)) return true;
  if (isForgottenHistory(world, scope, entry)) return true;
  return world.gaps.some((gap) => {
    if (gap.scope !== scope) return false;
    if (entry.timeline < gap.timeline) return true;
    if (entry.timeline > gap.timeline || entry.version > gap.to) return false;
    return gap.cause === 'restored' || gap.cause === 'cluster' || entry.version > gap.from;
  });
}

/** Whether a process that had forgotten that the cluster was set back could not know of a record. */
function isForgottenHistory(world: World, scope: string, entry: HistoryRecord): boolean {
  return world.oblivions.some(
    (oblivion) => oblivion.scope === scope && entry.timeline <= oblivion.timeline && entry.version <= oblivion.to,
  );
}

/** A state that may be saved at any moment, and says that something is handed over that is not. */
export function aheadOf(world: World, state: StoredState): readonly string[] {
  if (world.cluster.timeline > 1) return [];
  return state.p.flatMap(([scope, cursor]) =>
    expectations(world, scope)
      .filter(({ entry }) => entry.version <= Number(cursor))
      .filter(({ entry, met, pending }) => !met() && !isExcused(world, scope, entry) && !pending())
      .map(({ about }) => `the state is at ${cursor}, ahead of ${about}`),
  );
}

/** What is wrong in the end, when everything has come to rest. */
export function verdict(world: World): readonly string[] {
  const wrong = [...world.violations];
  for (const scope of world.scopes) {
    for (const { entry, about, met } of expectations(world, scope)) {
      if (!met() && !isExcused(world, scope, entry)) wrong.push(`lost: ${about}`);
    }
    wrong.push(...finalState(world, scope));
  }
  wrong.push(...missedDeletions(world), ...wrongEnds(world));
  for (const [key, row] of world.n8n.rows) {
    if (row.runs > 1)
      wrong.push(`repeated: ${key} ran ${row.runs} times (${row.events.map(({ identity }) => identity).join()})`);
  }
  for (const [identity, times] of world.n8n.delivered) {
    if (times > world.cluster.timeline && !isForgotten(world, identity))
      wrong.push(`repeated: ${identity} ${times} times`);
  }
  return wrong;
}

/** In a gap changes may be missed, but not what came out of them. */
function finalState(world: World, scope: string): readonly string[] {
  if (world.options.tracked < 100) return [];
  const began = world.began.get(scope);
  const selection = world.selection(scope);
  const wrong: string[] = [];
  const delivered = [...world.n8n.delivered.keys()];
  for (const object of world.cluster.objects.values()) {
    if (!matches(object, selection) || !began) continue;
    const history = world.cluster.record.filter(({ after }) => after?.uid === object.uid);
    const same = history.filter(({ after }) =>
      world.options.modifiedWhen === 'any'
        ? after?.version === object.version
        : after?.generation === object.generation,
    );
    const old = same.some(({ timeline, version }) => timeline === began.timeline && version <= began.version);
    if (old || same.some((entry) => isForgottenHistory(world, scope, entry))) continue;
    const told = delivered.some(
      (identity) =>
        identity === `${object.uid}#g${object.generation}` ||
        same.some(({ version }) => identity === `${object.uid}@${version}`),
    );
    if (!told) wrong.push(`the last state of ${object.uid} was not told (version ${object.version})`);
  }
  return wrong;
}

/**
 * Of an object that was told of, its deletion is told too, also when it happened in a gap; unless the gap covers its whole
 * life (the state that was gone on from had not heard of it).
 */
function missedDeletions(world: World): readonly string[] {
  if (world.options.tracked < 100 || world.options.selective) return [];
  const told = new Set([...world.n8n.delivered.keys()].map((identity) => identity.split(/[@#:]/)[0] ?? ''));
  const creations = world.cluster.record.filter(({ before }) => before === undefined);
  return creations.flatMap(({ after, version, timeline }) => {
    if (!after || !told.has(after.uid) || world.cluster.objects.has(after.uid)) return [];
    if (world.n8n.delivered.has(`${after.uid}:gone`)) return [];
    // A process that ended before it saved this has never heard of it, and neither has the cluster that was set back.
    const undone = version > (world.cluster.setBackTo.get(timeline) ?? Number.POSITIVE_INFINITY);
    if (undone && world.n8n.process > 1) return [];
    const end = world.cluster.record.find((entry) => entry.before?.uid === after.uid && !entry.after)?.version;
    const scope = world.scopes.length > 1 ? after.namespace : '';
    const whole = world.gaps.some(
      (gap) =>
        gap.scope === scope &&
        (gap.from < version || gap.cause === 'restored' || gap.cause === 'cluster') &&
        (gap.timeline > timeline || (gap.timeline === timeline && gap.to >= (end ?? version))),
    );
    return whole ? [] : [`the deletion of ${after.uid} was not told`];
  });
}

/** A stay of an object in a selector. */
interface Stay {
  readonly uid: string;
  readonly from: number;
  readonly to: number;
  readonly timeline: number;
}

/** The stays of a scope that have ended. */
function stays(world: World, scope: string): readonly Stay[] {
  const open = new Map<string, number>();
  const ended: Stay[] = [];
  for (const entry of world.cluster.record) {
    const event = watchEvent(entry, world.selection(scope));
    const uid = event?.object.metadata.uid ?? '';
    if (event?.type === 'ADDED') open.set(uid, entry.version);
    if (event?.type !== 'DELETED') continue;
    ended.push({ uid, from: open.get(uid) ?? 0, to: entry.version, timeline: entry.timeline });
  }
  return ended;
}

/** How the end of a stay was told. */
function endsOf(world: World, { uid, from, to }: Stay): readonly string[] {
  return [...world.n8n.delivered.keys()].filter((identity) => {
    const [of, at] = identity.split(':left:');
    return of === uid && at !== undefined && Number(at) >= from && Number(at) <= to;
  });
}

/**
 * One stay of an object in a selector ends once. Only where a list named the stay anew may it be told once more: a state
 * from before the list does not know that name. An end in a gap is told too, if the beginning was known.
 */
function wrongEnds(world: World): readonly string[] {
  if (!world.options.selective || world.cluster.timeline > 1) return [];
  return world.scopes.flatMap((scope) => {
    const began = world.began.get(scope)?.version ?? Number.POSITIVE_INFINITY;
    return stays(world, scope).flatMap((stay) => {
      if (stay.to <= began) return [];
      const ends = endsOf(world, stay);
      const listed = world.gaps.some((gap) => gap.scope === scope && gap.from < stay.to && gap.to >= stay.from);
      if (ends.length > 1 && !listed) {
        return [`the end of one stay was told as ${ends.join(' and ')}`];
      }
      const unseen = world.gaps.some((gap) => gap.scope === scope && gap.from < stay.from && gap.to >= stay.to);
      // It came back before anybody looked: then it never left, as far as a list can tell.
      const again = world.gaps.some(
        (gap) =>
          gap.scope === scope &&
          gap.from < stay.to &&
          stays(world, scope)
            .concat(present(world, scope))
            .some((next) => next.uid === stay.uid && next.from > stay.to && next.from <= gap.to && next.to > gap.to),
      );
      if (ends.length > 0 || unseen || again || world.options.tracked < 100) return [];
      return [`the end of the stay of ${stay.uid} from ${stay.from} to ${stay.to} was not told`];
    });
  });
}

/** The stays that go on. */
function present(world: World, scope: string): readonly Stay[] {
  const ended = new Set(stays(world, scope).map(({ uid, from }) => `${uid} ${from}`));
  return world.cluster.record.flatMap((entry) => {
    const event = watchEvent(entry, world.selection(scope));
    const uid = event?.object.metadata.uid ?? '';
    if (event?.type !== 'ADDED' || ended.has(`${uid} ${entry.version}`)) return [];
    return [{ uid, from: entry.version, to: Number.POSITIVE_INFINITY, timeline: entry.timeline }];
  });
}

function isForgotten(world: World, identity: string): boolean {
  return world.n8n.emissions.some(
    ({ key, events }) => world.n8n.forgotten.has(key) && events.some((event) => event.identity === identity),
  );
}
