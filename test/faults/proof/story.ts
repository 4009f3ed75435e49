import type { ChangeType, ModifiedWhen } from '../../../core/trigger';
import type { N8nMood } from '../../../core/trigger/testing/n8nModel';
import { seededRandom } from '../../../core/trigger/testing/random';
import { Dice } from '../dice';
import { describePlan, planOf, type FaultPlan } from '../proxy';
import type { KindName } from './kinds';

/** What the trigger of a run is set to. */
export interface Setting {
  readonly kind: KindName;
  /** All namespaces (then with a selector, because others use the cluster too), one, or two one by one. */
  readonly reach: 'cluster' | 'one' | 'two';
  readonly selective: boolean;
  readonly types: readonly ChangeType[];
  readonly modifiedWhen: Exclude<ModifiedWhen, 'status'>;
  readonly tracked: number;
  readonly emitExisting: boolean;
  readonly windowSeconds: number;
  /** How many times faster than ours the time of n8n and the trigger goes. */
  readonly speed: number;
  /** The right to read the namespace that names the cluster. */
  readonly mayReadCluster: boolean;
}

/** A change of the cluster. `pick` chooses among what there is. */
export type Write =
  | { readonly do: 'create'; readonly place: number; readonly picked: boolean }
  | { readonly do: 'change'; readonly pick: number }
  /** Nothing but its metadata. */
  | { readonly do: 'touch'; readonly pick: number }
  | { readonly do: 'relabel'; readonly pick: number; readonly picked: boolean }
  | { readonly do: 'delete'; readonly pick: number };

/** Something that happens. Times are of the trigger's clock. */
export type Happening =
  | { readonly do: 'writes'; readonly writes: readonly Write[] }
  /** Writes at odd moments of the seconds to come. */
  | { readonly do: 'busy'; readonly writes: readonly Write[]; readonly seconds: number }
  | { readonly do: 'time'; readonly seconds: number }
  | { readonly do: 'mood'; readonly mood: N8nMood }
  | { readonly do: 'kill'; readonly seconds: number }
  /** The process is killed right after the n-th thing it writes from now on. */
  | { readonly do: 'kill-after'; readonly writes: number; readonly seconds: number }
  | { readonly do: 'reactivate' }
  /** The static data are set back to a state that was saved once. */
  | { readonly do: 'roll-back'; readonly share: number };

/** A run, told in advance. */
export interface Story {
  readonly seed: number;
  readonly setting: Setting;
  readonly plan: FaultPlan;
  readonly happenings: readonly Happening[];
}

const ALL_TYPES: readonly ChangeType[] = ['added', 'modified', 'deleted'];

/** The story of a seed: the same for ever. What becomes of it in a real cluster also depends on moments. */
export function storyOf(seed: number): Story {
  const random = seededRandom(seed);
  const dice = new Dice(random);
  const setting = settingOf(dice);
  const happenings = Array.from({ length: 14 + dice.upTo(14) }, () => happening(dice));
  return { seed, setting, plan: planOf(Math.floor(random() * 2 ** 31)), happenings };
}

/** The story of a seed as text. */
export function describeSeed(seed: number): string {
  return describeStory(storyOf(seed));
}

/** A story as text. */
export function describeStory({ seed, setting, plan, happenings }: Story): string {
  const lines = happenings.map((each) => `  ${JSON.stringify(each)}`);
  return [`story of seed ${seed}: ${JSON.stringify(setting)}`, ...lines, describePlan(plan)].join('\n');
}

function settingOf(dice: Dice): Setting {
  const reach = dice.of(['cluster', 'one', 'two'] as const);
  return {
    kind: dice.of(['configmaps', 'networkpolicies']),
    reach,
    selective: reach === 'cluster' || dice.chance(0.4),
    types: dice.chance(0.8)
      ? ALL_TYPES
      : dice.of<readonly ChangeType[]>([['added'], ['modified'], ['deleted'], ['added', 'deleted']]),
    modifiedWhen: dice.of(['any', 'any', 'spec', 'fields']),
    tracked: dice.chance(0.15) ? 3 : 300,
    emitExisting: dice.chance(0.2),
    // A window longer than the interval watches without pause, and long enough for real bookmarks.
    windowSeconds: dice.of([3, 6, 15, 30]),
    speed: 12,
    mayReadCluster: dice.chance(0.8),
  };
}

function happening(dice: Dice): Happening {
  const seconds = dice.of([0, 1, 20]);
  const kind = dice.of([
    'writes',
    'writes',
    'writes',
    'busy',
    'busy',
    'time',
    'time',
    'time',
    'mood',
    'kill',
    'kill-after',
    'kill-after',
    'reactivate',
    'roll-back',
  ]);
  switch (kind) {
    case 'writes':
      return { do: kind, writes: writes(dice, 1 + dice.upTo(3)) };
    case 'busy':
      return { do: kind, writes: writes(dice, 2 + dice.upTo(8)), seconds: dice.of([0.1, 5, 20]) };
    case 'time':
      return { do: kind, seconds: dice.of([0.5, 5, 15, 30, 30]) };
    case 'mood':
      return { do: kind, mood: dice.of(['well', 'slow', 'refusing', 'stopping', 'silent', 'throttled', 'not-saving']) };
    case 'kill':
      return { do: kind, seconds };
    case 'kill-after':
      return { do: kind, writes: 1 + dice.upTo(6), seconds };
    case 'reactivate':
      return { do: kind };
    case 'roll-back':
      return { do: kind, share: dice.random() };
  }
}

function writes(dice: Dice, count: number): readonly Write[] {
  return Array.from({ length: count }, () => write(dice));
}

function write(dice: Dice): Write {
  const pick = dice.upTo(1000);
  const picked = dice.chance(0.5);
  const kind = dice.of([
    'create',
    'create',
    'create',
    'change',
    'change',
    'change',
    'touch',
    'relabel',
    'delete',
    'delete',
  ]);
  switch (kind) {
    case 'create':
      return { do: kind, place: dice.upTo(1), picked: dice.chance(0.7) };
    case 'relabel':
      return { do: kind, pick, picked };
    case 'change':
    case 'touch':
    case 'delete':
      return { do: kind, pick };
  }
}
