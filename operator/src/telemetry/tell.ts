import type { OperatorEvents } from '../control';

/**
 * Tells several of the same. One that throws harms neither the others nor the operator.
 *
 * @param onFault gets what was thrown
 */
export function tellAll(
  listeners: readonly OperatorEvents[],
  onFault: (error: unknown) => void,
): Required<OperatorEvents> {
  const each = (tell: (listener: OperatorEvents) => void): void => {
    for (const listener of listeners) {
      try {
        tell(listener);
      } catch (error) {
        onFault(error);
      }
    }
  };
  return {
    onLeading: () => {
      each((listener) => listener.onLeading?.());
    },
    onFollowing: (end) => {
      each((listener) => listener.onFollowing?.(end));
    },
    onLeaseFault: (error) => {
      each((listener) => listener.onLeaseFault?.(error));
    },
    onWatchFault: (fault) => {
      each((listener) => listener.onWatchFault?.(fault));
    },
    onPass: (pass) => {
      each((listener) => listener.onPass?.(pass));
    },
    onPassFailed: (failure) => {
      each((listener) => listener.onPassFailed?.(failure));
    },
    onWaited: (waitedMs) => {
      each((listener) => listener.onWaited?.(waitedMs));
    },
    onStep: (step) => {
      each((listener) => listener.onStep?.(step));
    },
    onStatus: (component, before) => {
      each((listener) => listener.onStatus?.(component, before));
    },
    onGone: (component) => {
      each((listener) => listener.onGone?.(component));
    },
  };
}
