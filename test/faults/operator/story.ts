import { seededRandom } from '../../../core/trigger/testing/random';
import { Dice } from '../dice';
import type { Doom } from './ledger';
import { MEMBERS, type Flaw, type Wish } from './members';

/** Something that happens. `who` is a member, `pick` chooses among what there is; times are ours. */
export type Step =
  /** Somebody writes a spec, and makes the component if it is not there. */
  | { readonly do: 'ask'; readonly who: number; readonly change: Partial<Wish> }
  | { readonly do: 'restart'; readonly who: number }
  /** A restart is asked for, and as soon as the first workload of it is written the lease is gone. */
  | { readonly do: 'restart-and-lose'; readonly who: number; readonly how: 'deleted' | 'stolen' }
  /** As soon as the operator has written that down, it is suspended, for so long in ms of its own time. */
  | { readonly do: 'restart-and-suspend'; readonly who: number; readonly ms: number }
  /** A restart is asked for while a Pod is ill, and the budget does not let another one go. */
  | { readonly do: 'restart-ill'; readonly who: number; readonly ms: number }
  | { readonly do: 'remove'; readonly who: number }
  /** An autoscaler sets replicas. */
  | { readonly do: 'autoscale'; readonly who: number; readonly pick: number }
  | { readonly do: 'wait'; readonly ms: number }
  /** The operator that leads is killed, and another starts with nothing in its memory. */
  | { readonly do: 'kill' }
  /** The operator that leads is killed at the n-th request from now. */
  | { readonly do: 'kill-at'; readonly doom: Doom }
  /** There are two, or one again. */
  | { readonly do: 'rival' }
  | { readonly do: 'leave' }
  /** All operators are suspended for so long, in ms of their own time. */
  | { readonly do: 'suspend'; readonly ms: number }
  | { readonly do: 'lose-lease'; readonly how: 'deleted' | 'stolen' }
  /** Others write to a component and its objects all the time. */
  | { readonly do: 'storm'; readonly who: number; readonly ms: number }
  | { readonly do: 'restart-server' }
  | { readonly do: 'pause-server'; readonly ms: number }
  | Hand;

/** What somebody does to the objects of a component. */
export interface Hand {
  readonly do: 'hand';
  readonly who: number;
  readonly pick: number;
  readonly act:
    | 'edit'
    | 'annotate'
    | 'unlabel'
    | 'roll-out'
    | 'scale'
    | 'delete'
    | 'delete-workload'
    | 'delete-pod'
    /** An object is deleted, and somebody else makes one of the same name. */
    | 'replace';
}

/** Steps between two times at which all is well and everything is checked. */
export interface Chapter {
  /** Whether somebody lays hands on objects; where not, no budget may ever be undercut. */
  readonly hasHands: boolean;
  readonly steps: readonly Step[];
}

const CHAPTER = 40;
/** The API server is started anew in the first of so many chapters. */
const RESTART_EVERY = 4;

/** The story of a seed, the same for ever. What becomes of it also depends on moments of the real cluster. */
export function storyOf(seed: number, steps: number): readonly Chapter[] {
  const count = Math.max(1, Math.round(steps / CHAPTER));
  return Array.from({ length: count }, (_, at) => {
    const dice = new Dice(seededRandom(seed * 1_009 + at));
    const from = Math.round((at * steps) / count);
    const to = Math.round(((at + 1) * steps) / count);
    const hasHands = at % 2 === 1;
    const happenings = Array.from({ length: to - from }, () => stepOf(dice, hasHands));
    return { hasHands, steps: at % RESTART_EVERY === 0 ? withRestart(happenings, dice) : happenings };
  });
}

/** The scheduler comes back late when the API server is started several times in two minutes. */
function withRestart(steps: readonly Step[], dice: Dice): readonly Step[] {
  const at = dice.upTo(steps.length);
  return [...steps.slice(0, at), { do: 'restart-server' }, ...steps.slice(at + 1)];
}

/** A story as text. */
export function describeStory(story: readonly Chapter[]): string {
  return story
    .flatMap(({ hasHands, steps }, at) => [
      `chapter ${at + 1}${hasHands ? ', with hands' : ''}`,
      ...steps.map((step) => `  ${JSON.stringify(step)}`),
    ])
    .join('\n');
}

function stepOf(dice: Dice, hasHands: boolean): Step {
  const who = dice.upTo(MEMBERS.length - 1);
  const pick = dice.upTo(1000);
  const kind = dice.of([
    ...(['ask', 'ask', 'ask', 'ask', 'ask', 'ask', 'ask'] as const),
    ...([
      'restart',
      'restart',
      'restart-and-lose',
      'restart-and-suspend',
      'restart-ill',
      'remove',
      'autoscale',
      'autoscale',
    ] as const),
    ...(['wait', 'wait', 'wait', 'wait', 'wait', 'wait'] as const),
    ...(['kill', 'kill', 'kill-at', 'kill-at', 'kill-at', 'kill-at', 'kill-at'] as const),
    ...(['rival', 'rival', 'leave', 'suspend', 'lose-lease', 'storm', 'storm'] as const),
    'pause-server' as const,
    ...(hasHands
      ? (['hand', 'hand', 'hand', 'hand', 'hand', 'hand', 'hand', 'hand'] as const)
      : (['ask', 'restart-ill', 'restart-ill'] as const)),
  ]);
  switch (kind) {
    case 'ask':
      return { do: kind, who, change: changeOf(dice) };
    case 'restart':
    case 'remove':
      return { do: kind, who };
    case 'restart-and-lose':
      return { do: kind, who, how: dice.of(['deleted', 'stolen']) };
    case 'restart-and-suspend':
      return { do: kind, who, ms: dice.of([12_000, 20_000, 60_000]) };
    case 'restart-ill':
      return { do: kind, who: dice.chance(0.7) ? 1 : who, ms: dice.of([1_500, 3_000, 5_000]) };
    case 'autoscale':
      return { do: kind, who, pick };
    case 'wait':
      return { do: kind, ms: dice.of([10, 50, 100, 200, 400, 800]) };
    case 'kill':
    case 'rival':
    case 'leave':
      return { do: kind };
    case 'kill-at':
      return { do: kind, doom: { requests: 1 + dice.upTo(dice.of([3, 15, 60])), when: dice.of(['before', 'after']) } };
    case 'suspend':
      return { do: kind, ms: dice.of([5_000, 12_000, 20_000, 60_000]) };
    case 'lose-lease':
      return { do: kind, how: dice.of(['deleted', 'stolen']) };
    case 'storm':
      return { do: kind, who, ms: dice.of([200, 600, 1_200]) };
    case 'pause-server':
      return { do: kind, ms: dice.of([200, 800, 2_000]) };
    case 'hand':
      return {
        ...{ do: kind, who, pick },
        act: dice.of([
          'edit',
          'annotate',
          'unlabel',
          'roll-out',
          'scale',
          'delete',
          'delete',
          'delete-workload',
          'delete-pod',
          'replace',
        ]),
      };
  }
}

function changeOf(dice: Dice): Partial<Wish> {
  const kind = dice.of(['scale', 'scale', 'pdb', 'look', 'look', 'look', 'isStopped', 'isMaintenance', 'flaw', 'all']);
  switch (kind) {
    case 'scale':
      return { scale: dice.of<Wish['scale']>([2, 3, 4, 5, { least: 2, most: 4 }, { least: 3, most: 5 }]) };
    case 'pdb':
      return {
        pdb: dice.of<Wish['pdb']>([
          undefined,
          { minAvailable: 1 },
          { minAvailable: 1 },
          { maxUnavailable: 1 },
          { minAvailable: '50%' },
        ]),
      };
    case 'look':
      return { look: dice.upTo(2) };
    case 'isStopped':
      return { isStopped: dice.chance(0.4) };
    case 'isMaintenance':
      return { isMaintenance: dice.chance(0.4) };
    case 'flaw': {
      const flaw = dice.of<Flaw | undefined>([
        ...(['inline-secret', 'other-version', 'no-such-chart', 'missing-secret'] as const),
        ...[undefined, undefined, undefined, undefined],
      ]);
      return { flaw };
    }
    case 'all':
      return { isStopped: false, isMaintenance: false, flaw: undefined, look: dice.upTo(2), scale: 2 + dice.upTo(3) };
  }
}
