/** Time, as an argument. */
export interface Clock {
  /** Wall clock, ms since 1970. May jump. */
  now(): number;
  /** A clock that only goes forward, ms. It may stand still while the machine is suspended. */
  monotonic(): number;
  /** Ends early, without an error, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Lets everything else of the process have its turn. */
  breathe(): Promise<void>;
}

/** Whether a signal has aborted by now (a function, because it may have since it was asked last). */
export function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** The clock of this process. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  breathe: () => new Promise((resolve) => setImmediate(resolve)),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) {
        resolve();
        return;
      }
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        resolve();
      };
      // setTimeout takes a negative or too large number for 1.
      const timer = setTimeout(end, Math.min(Math.max(ms, 0), 2 ** 31 - 1));
      signal?.addEventListener('abort', end, { once: true });
    }),
};
