/** Why a request was stopped. */
export type StopReason = 'timeout' | 'aborted';

/**
 * One signal out of a time limit and any number of other signals. Listeners are taken off by `dispose`, so a signal that
 * lives as long as a workflow does not gather them.
 */
export class Deadline {
  private readonly controller = new AbortController();
  private readonly unlink: (() => void)[] = [];
  private timer: NodeJS.Timeout | undefined;
  /** Set once it has stopped the request. */
  reason: StopReason | undefined;

  constructor(signals: readonly (AbortSignal | undefined)[], milliseconds?: number) {
    for (const signal of signals) {
      if (!signal) continue;
      const onAbort = (): void => {
        this.stop('aborted');
      };
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort, { once: true });
      this.unlink.push(() => {
        signal.removeEventListener('abort', onAbort);
      });
    }
    if (milliseconds !== undefined && this.reason === undefined) this.limit(milliseconds);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Sets the time limit anew, from now on, in ms. */
  limit(milliseconds: number): void {
    this.unlimit();
    this.timer = setTimeout(() => {
      this.stop('timeout');
    }, milliseconds);
  }

  /** Takes the time limit off. */
  unlimit(): void {
    clearTimeout(this.timer);
  }

  /** Ends the time limit and the links to the other signals. */
  dispose(): void {
    this.unlimit();
    for (const unlink of this.unlink.splice(0)) unlink();
  }

  private stop(reason: StopReason): void {
    if (this.reason !== undefined) return;
    this.reason = reason;
    this.dispose();
    this.controller.abort();
  }
}

/** Waits; ends early, without an error, when the signal aborts. Source of the default for `KubeClientOptions.sleep`. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done, { once: true });
  });
}
