import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { runs } from './testing/runs';
import { calamities, happenings, live, type Happening } from './testing/story';
import { verdict } from './testing/verdict';
import type { WorldOptions } from './testing/world';

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

/** What went wrong in a story, whatever it is, or but for repetitions. */
async function wrongs(world: WorldOptions, story: readonly Happening[]): Promise<readonly string[]> {
  return verdict(await live(world, story));
}

function isLoss(wrong: string): boolean {
  return !wrong.startsWith('repeated');
}

describe('a trigger between a faulty cluster and a faulty n8n', () => {
  it('loses nothing but in a gap it told of, and repeats nothing', async () => {
    await fc.assert(
      fc.asyncProperty(options, fc.array(happenings, stories), async (world, story) => {
        expect(await wrongs(world, story)).toEqual([]);
      }),
      runs(1),
    );
  }, 3_600_000);

  it('keeps that also when the cluster is set back or exchanged', async () => {
    await fc.assert(
      fc.asyncProperty(options, fc.array(calamities, stories), async (world, story) => {
        expect(await wrongs(world, story)).toEqual([]);
      }),
      runs(1 / 3),
    );
  }, 3_600_000);

  it('hands over whole passes without loss', async () => {
    await fc.assert(
      fc.asyncProperty(options, fc.array(happenings, stories), async (world, story) => {
        expect((await wrongs({ ...world, batch: true }, story)).filter(isLoss)).toEqual([]);
      }),
      runs(1 / 6),
    );
  }, 3_600_000);

  it('loses nothing in an n8n that knows no keys', async () => {
    await fc.assert(
      fc.asyncProperty(options, fc.array(happenings, stories), async (world, story) => {
        expect((await wrongs({ ...world, keyless: true }, story)).filter(isLoss)).toEqual([]);
      }),
      runs(1 / 6),
    );
  }, 3_600_000);
});

/** Stories that went wrong once: by the trigger, or by what it was judged by. */
const known: readonly [string, WorldOptions, readonly Happening[]][] = [
  [
    'the cluster is set back, n8n forgets that it was, and the versions have caught up',
    {
      seed: 0,
      selective: false,
      namespaces: [],
      tracked: 300,
      modifiedWhen: 'any',
      emitExisting: false,
      windowSeconds: 3,
    },
    [
      { do: 'mood', mood: 'not-saving' },
      { do: 'create', namespace: 0, app: 0 },
      { do: 'time', seconds: 10 },
      { do: 'reactivate' },
      { do: 'restore', exchange: false },
      { do: 'busy', writes: 2, seconds: 0.1 },
      { do: 'time', seconds: 0.02 },
      { do: 'mood', mood: 'well' },
      { do: 'kill', seconds: 0 },
      { do: 'kill', seconds: 0 },
      { do: 'busy', writes: 2, seconds: 0.1 },
      { do: 'time', seconds: 0.02 },
      { do: 'update', pick: 0, spec: false },
      { do: 'update', pick: 0, spec: false },
      { do: 'time', seconds: 0.02 },
    ],
  ],
  [
    'the cluster is set back, nothing happens, and the process ends without having saved anything',
    {
      seed: 0,
      selective: false,
      namespaces: [],
      tracked: 3,
      modifiedWhen: 'any',
      emitExisting: false,
      windowSeconds: 3,
    },
    [
      { do: 'kill', seconds: 0 },
      { do: 'update', pick: 0, spec: false },
      { do: 'time', seconds: 0.02 },
      { do: 'fault', fault: 'down' },
      { do: 'create', namespace: 0, app: 0 },
      { do: 'roll-back', pick: 0 },
      { do: 'kill', seconds: 0 },
      { do: 'kill', seconds: 0 },
      { do: 'compact' },
      { do: 'update', pick: 0, spec: false },
      { do: 'relabel', pick: 0, app: 0 },
      { do: 'update', pick: 8, spec: false },
      { do: 'time', seconds: 30 },
      { do: 'kill', seconds: 0 },
      { do: 'restore', exchange: false },
      { do: 'delete', pick: 0 },
      { do: 'relabel', pick: 0, app: 0 },
      { do: 'update', pick: 0, spec: false },
      { do: 'create', namespace: 0, app: 0 },
      { do: 'kill', seconds: 0 },
      { do: 'time', seconds: 0.02 },
      { do: 'jump', hours: 0 },
      { do: 'fault', fault: 'down' },
      { do: 'kill', seconds: 0 },
    ],
  ],
];

describe('stories that went wrong once', () => {
  it.each(known)('%s', async (_, world, story) => {
    expect(await wrongs(world, story)).toEqual([]);
  });
});
