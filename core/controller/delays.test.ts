import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Delays } from './delays';

describe('delayed keys', () => {
  it('come when they are due, each once, at the earliest time that was asked for', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd', 'e');
    const step = fc.oneof(
      fc.record({ key, at: fc.integer({ min: 0, max: 50 }) }),
      fc.record({ now: fc.integer({ min: 0, max: 50 }) }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const delays = new Delays();
        const model = new Map<string, number>();
        for (const action of steps) {
          if ('at' in action) {
            delays.add(action.key, action.at);
            model.set(action.key, Math.min(model.get(action.key) ?? Infinity, action.at));
          } else {
            const due = [...model].filter(([, at]) => at <= action.now);
            const taken = delays.take(action.now);
            expect([...taken].sort()).toEqual(due.map(([name]) => name).sort());
            const times = taken.map((name) => model.get(name) ?? Infinity);
            expect(times).toEqual([...times].sort((left, right) => left - right));
            for (const name of taken) model.delete(name);
          }
          expect(delays.next()).toBe(model.size === 0 ? undefined : Math.min(...model.values()));
          expect(delays.size).toBe(model.size);
        }
      }),
    );
  });
});
