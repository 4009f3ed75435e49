import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chance } from './testing/chance';
import { FakeClock, settled } from './testing/fakeClock';
import { ManualWork } from './testing/work';
import { WorkQueue } from './workQueue';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('add'), key }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('later'), key, ms: fc.integer({ min: 0, max: 3000 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('succeed', 'fail', 'again'), pick: fc.nat() }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('time'), ms: fc.integer({ min: 1, max: 2000 }) }) },
);

it('a queue misses no change, works on no key twice at once, and never on more than it may', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { maxLength: 80 }),
      fc.integer({ min: 1, max: 3 }),
      chance,
      async (steps, concurrency, random) => {
        const clock = new FakeClock();
        const manual = new ManualWork();
        const queue = new WorkQueue({ work: manual.work, concurrency, clock, random });
        queue.start();
        /** Begun so often when it was last asked for: it must begin once more. */
        const owed = new Map<string, number>();
        const begun = (name: string): number => manual.begun.filter((entry) => entry === name).length;
        const look = (): void => {
          const open = manual.open.map((piece) => piece.key);
          expect(new Set(open).size).toBe(open.length);
          expect(open.length).toBeLessThanOrEqual(concurrency);
        };
        for (const action of steps) {
          if ('ms' in action && 'key' in action) {
            queue.addAfter(action.key, action.ms);
            owed.set(action.key, begun(action.key));
          } else if ('key' in action) {
            queue.add(action.key);
            owed.set(action.key, begun(action.key));
          } else if ('ms' in action) await clock.advance(action.ms);
          else {
            const piece = manual.open[action.pick % Math.max(manual.open.length, 1)];
            if (action.do === 'fail') piece?.fail('no');
            else piece?.succeed(action.do === 'again' ? 500 : undefined);
            // Failed, or to be looked at again: it must begin once more.
            if (piece && action.do !== 'succeed') owed.set(piece.key, begun(piece.key));
          }
          await settled();
          look();
        }
        for (let left = 200; left > 0 && (queue.depth > 0 || queue.active > 0 || queue.delayed > 0); left -= 1) {
          for (const piece of [...manual.open]) piece.succeed();
          await clock.advance(5000);
          look();
        }
        for (const [name, before] of owed) expect(begun(name)).toBeGreaterThan(before);
        expect([queue.depth, queue.active, queue.delayed, queue.failing, clock.sleeping]).toEqual([0, 0, 0, 0, 0]);
      },
    ),
    { numRuns: 150 },
  );
}, 120_000);
