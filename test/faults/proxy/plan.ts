import { seededRandom } from '../../../core/trigger/testing/random';
import { Dice } from '../dice';

/** How the API server, or something in front of it, refuses a request. */
export type Refusal =
  /** 410: history does not reach back so far. */
  | 'expired'
  /** 429 with Retry-After. */
  | 'throttled'
  | 'unavailable'
  | 'timeout'
  /** 504, ResourceVersionTooLarge: this API server lags behind. */
  | 'version-too-large'
  | 'forbidden'
  | 'unauthorized'
  | 'internal'
  /** 200 and a web page. */
  | 'web-page';

/** What goes wrong with any request. Times in ms of the client's clock. */
export type RequestFault =
  | { readonly kind: 'reset' }
  | { readonly kind: 'hang-up' }
  /** No answer, ever. */
  | { readonly kind: 'stall' }
  | { readonly kind: 'delay'; readonly ms: number }
  | { readonly kind: 'refuse'; readonly as: Refusal }
  /** The answer is cut after a share of its bytes: the connection is reset, or closed as if that were all. */
  | { readonly kind: 'cut'; readonly share: number; readonly reset: boolean }
  /** A page that goes on from a token waits, really, until the API server has thrown the token's version away. */
  | { readonly kind: 'hold-page' };

/** What goes wrong with a watch that was opened, after so many lines. */
export type StreamFault =
  /** The window ends properly, and early. */
  | { readonly kind: 'end'; readonly after: number }
  | { readonly kind: 'reset-after'; readonly after: number }
  /** The next line is cut, and the answer ends properly. */
  | { readonly kind: 'truncate'; readonly after: number; readonly share: number }
  /** Nothing comes any more and the window does not end. */
  | { readonly kind: 'stall-after'; readonly after: number }
  | { readonly kind: 'error-event'; readonly after: number; readonly as: Refusal }
  /** The next line is no event. */
  | { readonly kind: 'garble'; readonly after: number }
  /** The next line is larger than a client reads. */
  | { readonly kind: 'bloat'; readonly after: number }
  /** Every line comes so many times. */
  | { readonly kind: 'repeat'; readonly times: number }
  /** After so many lines all of them come again. */
  | { readonly kind: 'again'; readonly after: number }
  | { readonly kind: 'no-bookmarks' }
  /** Lines come in pieces of so many bytes. */
  | { readonly kind: 'split'; readonly bytes: number }
  /** So many lines come at once. */
  | { readonly kind: 'glue'; readonly lines: number }
  | { readonly kind: 'slow'; readonly ms: number };

export type WatchFault = RequestFault | StreamFault;

/** Which fault each request meets, by the number of the request among those of its kind; undefined is none. */
export interface FaultPlan {
  readonly seed: number;
  /** Lists are answered in pages of so many objects at most. */
  readonly pageLimit: number | undefined;
  readonly watches: readonly (WatchFault | undefined)[];
  readonly lists: readonly (RequestFault | undefined)[];
  readonly reads: readonly (RequestFault | undefined)[];
}

/** A plan without faults. */
export const NO_FAULTS: FaultPlan = { seed: 0, pageLimit: undefined, watches: [], lists: [], reads: [] };

const WATCHES = 60;
const LISTS = 40;
const READS = 20;

/** The plan of a seed: the same for ever. */
export function planOf(seed: number): FaultPlan {
  const random = seededRandom(seed);
  const dice = new Dice(random);
  // From a day without faults to one where most watches meet one. Without a list, or a word on which cluster it is, nothing
  // is watched: those meet fewer.
  const weather = dice.of([0, 0.3, 0.5, 0.7, 0.9]);
  const maybe = <Fault>(count: number, share: number, draw: () => Fault): (Fault | undefined)[] =>
    Array.from({ length: count }, () => (random() < share ? draw() : undefined));
  return {
    seed,
    pageLimit: dice.of([undefined, 1, 2, 3]),
    watches: maybe(WATCHES, weather, () => watchFault(dice))
      .flatMap(inARow)
      .slice(0, WATCHES),
    lists: maybe(LISTS, weather / 3, () => requestFault(dice)),
    reads: maybe(READS, weather / 3, () => requestFault(dice)),
  };
}

/** A plan as text, for whoever looks into a run that went wrong. */
export function describePlan({ seed, pageLimit, watches, lists, reads }: FaultPlan): string {
  const row = (name: string, faults: FaultPlan['watches']): string => {
    const named = faults.flatMap((fault, at) => (fault ? [`${at + 1} ${describeFault(fault)}`] : []));
    return `  ${name}: ${named.length === 0 ? 'no faults' : named.join(', ')}`;
  };
  const pages = pageLimit === undefined ? 'as they are asked for' : `of ${pageLimit} at most`;
  return [
    `fault plan of seed ${seed}, pages ${pages}`,
    row('watches', watches),
    row('lists', lists),
    row('reads', reads),
  ].join('\n');
}

/** A fault in a few words. */
export function describeFault(fault: WatchFault): string {
  const { kind, ...rest } = fault;
  const details = Object.entries(rest).map(([name, value]) => `${name} ${String(value)}`);
  return details.length === 0 ? kind : `${kind} (${details.join(', ')})`;
}

/** An event that is too large meets the client again when it comes back. */
function inARow(fault: WatchFault | undefined): readonly (WatchFault | undefined)[] {
  return fault?.kind === 'bloat' ? [fault, { kind: 'bloat', after: 0 }] : [fault];
}

function requestFault(dice: Dice): RequestFault {
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
    'hold-page',
  ]);
  switch (kind) {
    case 'delay':
      return { kind, ms: dice.of([50, 500, 4000, 12_000]) };
    case 'refuse':
      return {
        kind,
        as: dice.of([
          'throttled',
          'unavailable',
          'timeout',
          'version-too-large',
          'forbidden',
          'unauthorized',
          'internal',
          'web-page',
        ]),
      };
    case 'cut':
      return { kind, share: dice.random(), reset: dice.random() < 0.5 };
    case 'reset':
    case 'hang-up':
    case 'stall':
    case 'hold-page':
      return { kind };
  }
}

function watchFault(dice: Dice): WatchFault {
  const after = dice.upTo(4);
  const kind = dice.of([
    'request',
    'request',
    'expired',
    'end',
    'reset-after',
    'truncate',
    'stall-after',
    'error-event',
    'error-event',
    'garble',
    'bloat',
    'repeat',
    'again',
    'no-bookmarks',
    'split',
    'glue',
    'slow',
  ]);
  switch (kind) {
    case 'request':
      return requestFault(dice);
    case 'expired':
      return { kind: 'refuse', as: 'expired' };
    case 'truncate':
      return { kind, after, share: dice.random() };
    case 'error-event':
      return { kind, after, as: dice.of(['expired', 'expired', 'version-too-large', 'throttled', 'internal']) };
    case 'repeat':
      return { kind, times: 2 + dice.upTo(1) };
    case 'split':
      return { kind, bytes: dice.of([1, 7, 100]) };
    case 'glue':
      return { kind, lines: 2 + dice.upTo(3) };
    case 'slow':
      return { kind, ms: dice.of([20, 300, 1500]) };
    case 'no-bookmarks':
      return { kind };
    case 'end':
    case 'reset-after':
    case 'stall-after':
    case 'garble':
    case 'bloat':
    case 'again':
      return { kind, after };
  }
}
