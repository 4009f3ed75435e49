import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runPass, type Observation } from './pass';
import { QueueEntry } from './queueEntry';
import { writeState } from './stateCodec';
import type { Step } from './step';
import { bookmark, contextOf, listed, listedState, objectOf, settingsFor, watched } from './testing/objects';
import { runs } from './testing/runs';

const settings = settingsFor({ tracked: 3, labelSelector: 'app=a' });
const names = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const day = fc.integer({ min: 1, max: 9 });

/** A history in which versions rise, of objects that come and go, with lists in between. */
const histories: fc.Arbitrary<readonly Observation[]> = fc
  .array(
    fc.oneof(
      fc.record({ do: fc.constantFrom('ADDED' as const, 'MODIFIED' as const, 'DELETED' as const), name: names, day }),
      fc.record({ do: fc.constant('list' as const), names: fc.uniqueArray(names), day }),
      fc.record({ do: fc.constant('bookmark' as const) }),
      fc.record({ do: fc.constant('older' as const) }),
    ),
    { maxLength: 30 },
  )
  .map((moves) =>
    moves.flatMap((move, at): readonly Observation[] => {
      const version = 101 + at;
      const object = (name: string, created: number) =>
        objectOf(name, version, { metadata: { creationTimestamp: `2025-12-0${created}T00:00:00Z` } });
      switch (move.do) {
        case 'list':
          return [
            { kind: 'expired', scope: '' },
            listed(
              version,
              move.names.map((name) => object(name, move.day)),
            ),
          ];
        case 'bookmark':
          return [bookmark(version)];
        case 'older':
          return [{ kind: 'newest', scope: '', version: String(version - 50) }];
        case 'ADDED':
        case 'MODIFIED':
        case 'DELETED':
          return [watched(move.do, object(move.name, move.day))];
      }
    }),
  );

function entryOf(steps: readonly Step[]): QueueEntry {
  const entry = new QueueEntry();
  for (const step of steps) entry.add(step);
  return entry;
}

describe('steps that are handed over together', () => {
  it('change the state as they do one by one', () => {
    fc.assert(
      fc.property(histories, fc.array(fc.nat({ max: 30 }), { maxLength: 3 }), (history, cuts) => {
        const before = listedState(settings);
        const { state, steps } = runPass(before, history, contextOf(settings));
        const merged = before.clone();
        const places = [0, ...[...cuts].sort((left, right) => left - right), steps.length];
        for (const [at, place] of places.slice(1).entries()) {
          merged.apply(entryOf(steps.slice(places[at], place)).patches);
        }
        merged.commits = state.commits;
        const rows = (text: string): readonly string[] => text.split('\n').sort();
        const [left, right] = [writeState(merged), writeState(state)];
        expect({ ...left, k: rows(left.k) }).toEqual({ ...right, k: rows(right.k) });
      }),
      runs(1),
    );
  });

  it('remember the newest creation, also of an object that is gone before they are handed over', () => {
    const { state, steps } = runPass(
      listedState(settings),
      [watched('ADDED', objectOf('a', 101)), watched('DELETED', objectOf('a', 102))],
      contextOf(settings),
    );
    expect(state.newestCreation).toBe('2025-12-31T00:00:00Z');
    const merged = listedState(settings);
    merged.apply(entryOf(steps).patches);
    expect(merged.newestCreation).toBe('2025-12-31T00:00:00Z');
  });
});
