import type { ComponentStatus, ManagedComponent } from '../../../core/components';
import type { Clock } from '../../../core/clock';
import type { OperatorEvents } from '../control';
import type { Logger } from './logger';
import { shownError } from './shownError';

/** What people follow a component by. */
const DIMENSIONS = ['state', 'health', 'operationState', 'securityState', 'converged'] as const;

/** The same fault of a kind is told at most this often: an API server that is away fails in every namespace at once. */
const QUIET_MS = 30_000;

/** Tells in the log what an operator does. Names, states, codes and numbers; nothing of what an object holds. */
export function logEvents(log: Logger, clock: Pick<Clock, 'monotonic'>): OperatorEvents {
  const throttle = new Throttle(clock);
  return {
    onLeading: () => {
      log.info('It holds the lease and acts.');
    },
    onFollowing: (end) => {
      log.info({ end }, 'It no longer holds the lease.');
    },
    onLeaseFault: (error) => {
      log.warn({ err: error }, 'The lease could not be read or written; it is tried again.');
    },
    onWatchFault: ({ kind, namespace, error, pauseMs }) => {
      const unsaid = throttle.pass(`${kind} ${shownError(error).code}`);
      if (unsaid === undefined) return;
      const fault = { kind, namespace, err: error, pauseMs: Math.round(pauseMs), ...(unsaid > 0 ? { unsaid } : {}) };
      log.warn(fault, 'A kind cannot be listed or watched; it is tried again.');
    },
    onPass: ({ component, tookMs, succeeded }) => {
      log.debug({ component, tookMs: Math.round(tookMs), succeeded }, 'A component was looked at.');
    },
    onPassFailed: ({ component, error, failures, pauseMs }) => {
      const failure = { component, err: error, failures, pauseMs: Math.round(pauseMs) };
      log.warn(failure, 'A component could not be brought forward; it is tried again.');
    },
    onStep: ({ component, step, object, outcome, reason, tookMs }) => {
      const told = { component, step, object, outcome, reason, tookMs: Math.round(tookMs) };
      if (outcome === 'refused') log.info(told, 'A step is refused.');
      else log.debug(told, 'A step was taken.');
    },
    onStatus: (component, before) => {
      const { namespace = '', name = '' } = component.metadata;
      const changes = changesOf(before, component);
      if (Object.keys(changes).length === 0) {
        log.debug({ component: `${namespace}/${name}` }, 'A status was written.');
        return;
      }
      const { type, reason } = component.status?.operation ?? {};
      log.info(
        { component: `${namespace}/${name}`, ...changes, operation: type, reason },
        'The state of a component changed.',
      );
    },
    onGone: (component) => {
      log.info({ component }, 'A component is gone.');
    },
  };
}

/** `old→new` for each dimension that changed. */
function changesOf(before: ComponentStatus | undefined, { status }: ManagedComponent): Record<string, string> {
  const changed = DIMENSIONS.filter((dimension) => before?.[dimension] !== status?.[dimension]);
  return Object.fromEntries(
    changed.map((dimension) => [dimension, `${shown(before?.[dimension])}→${shown(status?.[dimension])}`]),
  );
}

function shown(value: string | boolean | undefined): string {
  return value === undefined ? '' : String(value);
}

/** Lets the same thing be told once in a while, with how often it was not told since. */
class Throttle {
  private readonly told = new Map<string, { at: number; unsaid: number }>();

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** How often it was left out since it was told last; undefined: leave it out now, too. */
  pass(what: string): number | undefined {
    const now = this.clock.monotonic();
    const last = this.told.get(what);
    if (last !== undefined && now - last.at < QUIET_MS) {
      last.unsaid += 1;
      return undefined;
    }
    this.told.set(what, { at: now, unsaid: 0 });
    return last?.unsaid ?? 0;
  }
}
