import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chance } from './testing/chance';
import { Informed } from './testing/informed';
import { settled } from './testing/fakeClock';
import type { Mood } from './testing/modelServer';

const place = { namespace: fc.constantFrom('left', 'right'), name: fc.constantFrom('a', 'b', 'c', 'd', 'e') };
const moods: readonly Mood[] = [
  'fine',
  'unreachable',
  'throttled',
  'failing',
  'expired-answers',
  'expired-events',
  'too-new',
  'broken-lines',
  'cut',
  'silent',
  'short-windows',
  'pages-fail',
  'pages-expire',
  'pages-expire-for-good',
];
const step = fc.oneof(
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('create', 'update', 'delete'), ...place }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('time'), ms: fc.constantFrom(1000, 5000, 100_000) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('time'), ms: fc.constantFrom(5, 300, 700) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('mood'), mood: fc.constantFrom(...moods) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('compact', 'bookmarks', 'backup', 'restore') }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** More than the longest pause and two silent windows. */
const SOON_MS = 8 * 60_000;
/** More than it takes until the next list in any case: only that finds what a restored cluster hides. */
const LATE_MS = 60 * 60_000;

function act({ server }: Informed, action: Step, backups: ReturnType<Informed['server']['snapshot']>[]): void {
  if ('namespace' in action) {
    if (action.do === 'create') server.create(action.namespace, action.name);
    else if (action.do === 'update') server.update(action.namespace, action.name);
    else server.delete(action.namespace, action.name);
  } else if ('mood' in action) server.mood = action.mood;
  else if (action.do === 'compact') server.compact();
  else if (action.do === 'bookmarks') server.bookmarks = !server.bookmarks;
  else if (action.do === 'backup') backups.push(server.snapshot());
  else {
    const backup = backups.at(-1);
    if (backup) server.restore(backup);
  }
}

it('whatever lists and watches meet, the informer and those who believe it end up with what the cluster has', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 60, size: 'max' }),
      fc.constantFrom([''], ['left', 'right']),
      chance,
      async (steps, scopes, random) => {
        const world = new Informed({
          scopes,
          random,
          indexers: { team: (object) => [object.metadata.labels?.team ?? ''] },
        });
        const { informer, server, clock } = world;
        const backups: ReturnType<typeof server.snapshot>[] = [];
        informer.start();
        for (const action of steps) {
          if ('ms' in action) await clock.advance(action.ms);
          else act(world, action, backups);
        }
        server.mood = 'fine';
        await clock.advance(steps.some((action) => action.do === 'restore') ? LATE_MS : SOON_MS);

        expect(world.wrong).toEqual([]);
        const expected = [...server.objects].sort();
        expect([...world.told].sort()).toEqual(expected);
        expect(
          informer
            .list()
            .map(({ metadata }) => metadata.uid)
            .sort(),
        ).toEqual(expected.map(([, { metadata }]) => metadata.uid).sort());
        for (const team of ['t0', 't1', 't2']) {
          const found = informer.by('team', team).map(({ metadata }) => metadata.uid);
          const wanted = expected.filter(([, { metadata }]) => metadata.labels?.team === team);
          expect(found.sort()).toEqual(wanted.map(([, { metadata }]) => metadata.uid).sort());
        }
        expect(await informer.synced).toBe(true);

        await informer.stop();
        server.create('left', 'after the end');
        const told = world.changes.length;
        await clock.advance(10_000);
        await settled();
        expect([world.changes.length - told, clock.sleeping]).toEqual([0, 0]);
      },
    ),
    { numRuns: 80 },
  );
}, 600_000);
