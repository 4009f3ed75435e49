import type { ErrorCode } from '../../core/errors';
import { attempt } from './attempt';
import type { OperationContext } from './operation';

/** How long and how often is looked. */
export interface WaitOptions {
  readonly timeoutSeconds: number;
  readonly intervalSeconds: number;
}

/** What came of waiting: the last thing seen, and whether it is what was waited for. */
export interface Waited<T> {
  readonly last: T;
  readonly done: boolean;
  /** Whole seconds since the start. */
  readonly seconds: number;
}

/** Faults that pass by themselves, for example while a control plane is upgraded. */
const PASSING: ReadonlySet<ErrorCode> = new Set([
  'k8s_unreachable',
  'k8s_timeout',
  'k8s_throttled',
  'k8s_server_error',
]);

/**
 * Looks again and again until `isDone` says so or the time is over; needs no right but the one of the look. The first
 * look is at once, the last at the deadline. Passing faults are waited out once a look has worked.
 * @throws the error of the look: a lasting one at once, a passing one at the first look or at the deadline
 */
export async function waitUntil<T>(
  look: () => Promise<T>,
  isDone: (seen: T) => boolean,
  { clock, signal }: Pick<OperationContext, 'clock' | 'signal'>,
  { timeoutSeconds, intervalSeconds }: WaitOptions,
): Promise<Waited<T>> {
  const start = clock.now();
  const deadline = start + timeoutSeconds * 1_000;
  let last: T = await look();
  for (;;) {
    const now = clock.now();
    const seconds = Math.round((now - start) / 1_000);
    if (isDone(last)) return { last, done: true, seconds };
    if (now >= deadline) return { last, done: false, seconds };
    await clock.sleep(Math.min(intervalSeconds * 1_000, deadline - now), signal);
    const seen = await attempt(look);
    if (seen.error === undefined) last = seen.value;
    else if (clock.now() >= deadline || !PASSING.has(seen.error.code)) throw seen.error;
  }
}

/** The parameters of waiting, for the operations that wait. */
/* @__NO_SIDE_EFFECTS__ */
export function waitFields<const S extends Readonly<Record<string, readonly boolean[]>>>(
  defaultTimeout: number,
  show?: S,
) {
  const shown = show === undefined ? {} : { displayOptions: { show } };
  return [
    {
      displayName: 'Timeout',
      name: 'timeoutSeconds',
      type: 'number',
      default: defaultTimeout,
      typeOptions: { minValue: 1, maxValue: 86400, numberPrecision: 0 },
      description: 'Seconds to wait at most',
      ...shown,
    },
    {
      displayName: 'On Failure',
      name: 'onFailure',
      type: 'options',
      default: 'error',
      description: 'What to do when it fails or the time is over',
      options: [
        { name: 'Fail the Item', value: 'error', description: 'Stop here, or go on as the node settings say' },
        {
          name: 'Return the State',
          value: 'output',
          description: 'Return what was seen last, for the workflow to decide',
        },
      ],
      ...shown,
    },
  ] as const;
}

/** The pause between two looks, an option of the operations that wait. */
export const INTERVAL_OPTION = {
  displayName: 'Polling Interval',
  name: 'intervalSeconds',
  type: 'number',
  default: 2,
  typeOptions: { minValue: 1, maxValue: 300, numberPrecision: 0 },
  description: 'Seconds between two looks while waiting',
} as const;

/** Seconds between two looks when nothing else is set. */
export const DEFAULT_INTERVAL_SECONDS = 2;
