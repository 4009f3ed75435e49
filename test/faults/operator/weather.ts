import { seededRandom } from '../../../core/trigger/testing/random';
import { Dice } from '../dice';
import { planOf, type FaultPlan, type RequestFault, type WatchFault } from '../proxy';

/** Requests of one operator that may meet a fault, beside its watches. */
const REQUESTS = 3000;

/** The faults that the requests of an operator meet: the same for a seed, for ever. */
export function weatherOf(seed: number): FaultPlan {
  const dice = new Dice(seededRandom(seed));
  const share = dice.of([0, 0, 0.02, 0.05, 0.15, 0.3]);
  const { watches, ...plan } = planOf(seed);
  const some = (count: number, part: number): (RequestFault | undefined)[] =>
    Array.from({ length: count }, () => (dice.chance(part) ? fault(dice) : undefined));
  return {
    ...plan,
    watches: share === 0 ? [] : watches.map(light),
    lists: some(REQUESTS / 10, share / 2),
    reads: some(REQUESTS, share),
  };
}

/** Events of workloads are long: in crumbs, or larger than a client reads, they take longer than a story has patience for. */
function light(fault: WatchFault | undefined): WatchFault | undefined {
  if (fault?.kind === 'split') return { ...fault, bytes: 1_000 };
  return fault?.kind === 'bloat' ? { kind: 'garble', after: fault.after } : fault;
}

/** What is refused is refused before the API server has acted, what is cut comes after. */
function fault(dice: Dice): RequestFault {
  const kind = dice.of([
    'reset',
    'hang-up',
    'stall',
    'delay',
    'delay',
    'refuse',
    'refuse',
    'refuse',
    'cut',
    'cut',
    'cut',
  ]);
  switch (kind) {
    case 'delay':
      return { kind, ms: dice.of([50, 500, 2_000, 6_000]) };
    case 'refuse':
      return { kind, as: dice.of(['throttled', 'unavailable', 'timeout', 'unauthorized', 'internal', 'web-page']) };
    case 'cut':
      return { kind, share: dice.random(), reset: dice.chance(0.5) };
    case 'reset':
    case 'hang-up':
    case 'stall':
      return { kind };
  }
}
