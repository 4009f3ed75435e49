import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RESOURCES, type ApiResource, type KubeObject, type WatchEvent } from '../kube';
import type { ConditionName } from './conditions';
import { runPass, type Observation } from './pass';
import { checkSettings } from './settings';
import { readState, writeState } from './stateCodec';
import { contextOf, listedState, objectOf } from './testing/objects';
import { runs } from './testing/runs';

const MINUTE = 60_000;

/** What happens to one of three objects, or to who looks at them. */
type Move =
  | { readonly do: 'set'; readonly object: number; readonly to: 'good' | 'bad' | 'gone' }
  /** What has happened is seen by a watch. */
  | { readonly do: 'watch' }
  /** What has happened is not seen; a list is compared. */
  | { readonly do: 'gap' }
  | { readonly do: 'time'; readonly minutes: number }
  | { readonly do: 'restart' };

const moves: fc.Arbitrary<Move> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('set' as const),
      object: fc.nat({ max: 2 }),
      to: fc.constantFrom('good' as const, 'bad' as const, 'bad' as const, 'gone' as const),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ do: 'watch' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'gap' as const }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('time' as const), minutes: fc.integer({ min: 1, max: 12 }) }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restart' as const }) },
);

interface Subject {
  readonly resource: ApiResource;
  /** An object that is well or not; `turns` is how often it has turned bad, `at` when it turned last. */
  readonly show: (bad: boolean, turns: number, at: string) => Readonly<Record<string, unknown>>;
}

function podWaiting(reason: string): Subject['show'] {
  return (bad, turns) => ({
    spec: { containers: [{ name: 'app', image: 'shop:1' }] },
    status: {
      containerStatuses: [
        { name: 'app', restartCount: turns, state: bad ? { waiting: { reason } } : { running: { startedAt: 'T' } } },
      ],
    },
  });
}

const subjects: Partial<Record<ConditionName, Subject>> = {
  podCrashLoop: { resource: RESOURCES.pods, show: podWaiting('CrashLoopBackOff') },
  podImagePullFailed: { resource: RESOURCES.pods, show: podWaiting('ImagePullBackOff') },
  nodeNotReady: {
    resource: RESOURCES.nodes,
    show: (bad, _, at) => ({
      status: { conditions: [{ type: 'Ready', status: bad ? 'False' : 'True', lastTransitionTime: at }] },
    }),
  },
};

/** What is told of each object, in order, and which objects are bad in the end, after a long time of rest. */
function live(condition: ConditionName, { resource, show }: Subject, story: readonly Move[]) {
  const watch = { kind: 'condition', condition, tellEnd: true, minutes: 5 } as const;
  const settings = checkSettings({ resource, namespaces: [], watch });
  let state = listedState(settings);
  let now = 0;
  let version = 100;
  let turns = 0;
  const present = new Map<number, { readonly object: KubeObject; readonly bad: boolean }>();
  let unseen: WatchEvent[] = [];
  const told: { readonly uid: string; readonly type: string; readonly identity: string }[] = [];
  const look = (...observations: readonly Observation[]): void => {
    const result = runPass(state, observations, contextOf(settings, now));
    ({ state } = result);
    told.push(...result.events);
  };
  const objects = (): readonly KubeObject[] => [...present.values()].map(({ object }) => object);
  const list = (): void => {
    unseen = [];
    const pages = [{ items: objects(), version: String(version), inconsistent: false }];
    look({ kind: 'expired', scope: '' }, { kind: 'list', scope: '', pages });
  };
  const set = (number: number, to: 'good' | 'bad' | 'gone'): void => {
    const before = present.get(number);
    version += 1;
    if (to === 'gone') {
      if (!before) return;
      present.delete(number);
      const { metadata } = before.object;
      const object = { ...before.object, metadata: { ...metadata, resourceVersion: String(version) } };
      unseen.push({ type: 'DELETED', object });
      return;
    }
    const bad = to === 'bad';
    if (bad && before?.bad !== true) turns += 1;
    const uid = before?.object.metadata.uid ?? `uid-${number}-${version}`;
    const object = objectOf(`o${number}`, version, { metadata: { uid }, ...show(bad, turns, `T${turns}`) });
    present.set(number, { object, bad });
    unseen.push({ type: before ? 'MODIFIED' : 'ADDED', object });
  };
  const time = (minutes: number): void => {
    now += minutes * MINUTE;
    look({ kind: 'time', objects: new Map(objects().map((object) => [object.metadata.uid ?? '', object])) });
  };
  for (const move of story) {
    if (move.do === 'set') set(move.object, move.to);
    else if (move.do === 'watch')
      look(...unseen.splice(0).map((event) => ({ kind: 'event', scope: '', event }) as const));
    else if (move.do === 'gap') list();
    else if (move.do === 'time') time(move.minutes);
    else {
      const read = readState(JSON.parse(JSON.stringify(writeState(state))), 'owner', settings);
      if (!('state' in read)) throw new Error(read.problem);
      ({ state } = read);
    }
  }
  list();
  time(20);
  time(20);
  const bad = [...present.values()].flatMap((entry) => (entry.bad ? [entry.object.metadata.uid ?? ''] : []));
  return { told, bad };
}

describe.each(Object.entries(subjects) as [ConditionName, Subject][])('%s', (condition, subject) => {
  it('is told once an incident, then its end, by identities that never repeat, and nothing is left open', () => {
    fc.assert(
      fc.property(fc.array(moves, { minLength: 5, maxLength: 60, size: 'max' }), (story) => {
        const { told, bad } = live(condition, subject, story);
        const identities = told.map(({ identity }) => identity);
        expect(identities.filter((identity, at) => identities.indexOf(identity) !== at)).toEqual([]);
        const open = new Set<string>();
        for (const { uid, type } of told) {
          expect([uid, type, open.has(uid)]).toEqual([uid, type, type === 'ended']);
          if (type === 'started') open.add(uid);
          else open.delete(uid);
        }
        expect([...open].sort()).toEqual(bad.sort());
      }),
      runs(1),
    );
  });
});
