import type { Clock } from '../clock';

/** Runs something with a signal that aborts after so many ms, or when another signal does. */
export async function within<T>(
  clock: Clock,
  ms: number,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const done = new AbortController();
  const stop = (): void => {
    own.abort();
  };
  if (signal?.aborted) stop();
  signal?.addEventListener('abort', stop, { once: true });
  const limit = clock.sleep(ms, done.signal).then(() => {
    if (!done.signal.aborted) stop();
  });
  try {
    return await run(own.signal);
  } finally {
    signal?.removeEventListener('abort', stop);
    done.abort();
    await limit;
  }
}
