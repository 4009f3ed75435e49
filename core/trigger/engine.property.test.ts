import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { calamities, happenings, live } from './testing/story';
import { verdict } from './testing/verdict';

const RUNS = Number(process.env.NAVIN_TRIGGER_RUNS ?? 300);

const options = fc.record({
  seed: fc.integer(),
  selective: fc.boolean(),
  namespaces: fc.constantFrom<readonly string[]>([], ['left', 'right']),
  tracked: fc.constantFrom(300, 300, 3),
  modifiedWhen: fc.constantFrom<'any' | 'spec'>('any', 'any', 'spec'),
  emitExisting: fc.constantFrom(false, false, true),
  windowSeconds: fc.constantFrom(3, 3, 15),
});
const stories = { minLength: 10, maxLength: 60, size: 'max' } as const;

describe('a trigger between a faulty cluster and a faulty n8n', () => {
  it('loses nothing but in a gap it told of, and repeats nothing', async () => {
    await fc.assert(
      fc.asyncProperty(options, fc.array(happenings, stories), async (world, story) => {
        expect(verdict(await live(world, story))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  }, 300_000);

  it('keeps that also when the cluster is set back or exchanged', async () => {
    await fc.assert(
      fc.asyncProperty(options, fc.array(calamities, stories), async (world, story) => {
        expect(verdict(await live(world, story))).toEqual([]);
      }),
      { numRuns: Math.ceil(RUNS / 3) },
    );
  }, 300_000);

  it('hands over whole passes without loss', async () => {
    await fc.assert(
      fc.asyncProperty(options, fc.array(happenings, stories), async (world, story) => {
        const lived = await live({ ...world, batch: true }, story);
        expect(verdict(lived).filter((wrong) => !wrong.startsWith('repeated'))).toEqual([]);
      }),
      { numRuns: Math.ceil(RUNS / 6) },
    );
  }, 300_000);
});
