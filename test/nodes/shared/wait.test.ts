import { describe, expect, it } from '@jest/globals';
import { NavinError } from '../../../core/errors';
import { waitUntil } from '../../../nodes/shared/wait';
import { TestClock } from '../testing/clock';

const OPTIONS = { timeoutSeconds: 10, intervalSeconds: 4 };

/** A look that gives (or throws) one of these after the other, the last one for ever. */
function looks(...seen: readonly (string | Error)[]) {
  let next = 0;
  return async () => {
    const result = seen[Math.min(next, seen.length - 1)];
    next += 1;
    await Promise.resolve();
    if (result instanceof Error) throw result;
    return result;
  };
}

const isReady = (seen: string | undefined) => seen === 'ready';

describe('waiting', () => {
  it('does not sleep when it is there at once', async () => {
    const clock = new TestClock();
    expect(await waitUntil(looks('ready'), isReady, { clock, signal: undefined }, OPTIONS)).toEqual({
      last: 'ready',
      done: true,
      seconds: 0,
    });
    expect(clock.slept).toEqual([]);
  });

  it('looks a last time at the deadline and gives what it saw', async () => {
    const clock = new TestClock();
    expect(await waitUntil(looks('a', 'b', 'c', 'd'), isReady, { clock, signal: undefined }, OPTIONS)).toEqual({
      last: 'd',
      done: false,
      seconds: 10,
    });
    expect(clock.slept).toEqual([4_000, 4_000, 2_000]);
  });

  it('waits out an API server that is away for a while', async () => {
    const clock = new TestClock();
    const away = new NavinError('k8s_unreachable', 'away');
    const look = looks('a', away, away, 'ready');
    expect(await waitUntil(look, isReady, { clock, signal: undefined }, OPTIONS)).toMatchObject({ done: true });
  });

  it('ends with the fault when the API server is still away at the deadline', async () => {
    const clock = new TestClock();
    const away = new NavinError('k8s_unreachable', 'away');
    await expect(waitUntil(looks('a', away), isReady, { clock, signal: undefined }, OPTIONS)).rejects.toBe(away);
  });

  it('ends at once with an error that does not pass', async () => {
    const clock = new TestClock();
    const refused = new NavinError('k8s_forbidden', 'no');
    await expect(waitUntil(looks('a', refused), isReady, { clock, signal: undefined }, OPTIONS)).rejects.toBe(refused);
    expect(clock.slept).toEqual([4_000]);
  });

  it('ends at once when the first look fails', async () => {
    const clock = new TestClock();
    const away = new NavinError('k8s_unreachable', 'away');
    await expect(waitUntil(looks(away), isReady, { clock, signal: undefined }, OPTIONS)).rejects.toBe(away);
    expect(clock.slept).toEqual([]);
  });

  it('ends when the execution is stopped', async () => {
    const clock = new TestClock();
    const stop = new AbortController();
    stop.abort();
    const waiting = waitUntil(looks('a'), isReady, { clock, signal: stop.signal }, OPTIONS);
    await expect(waiting).rejects.toThrow('aborted');
  });
});
