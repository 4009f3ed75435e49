import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { systemClock, type ClusterPort } from './ports';
import { TriggerRegistry } from './registry';
import { settled } from './testing/fakeClock';
import { setUp } from './testing/setUp';

afterEach(() => {
  jest.restoreAllMocks();
});

describe('stopping', () => {
  it.each(['stall', undefined] as const)(
    'returns within 100 ms in the middle of a window (%s), and nothing goes on',
    async (fault) => {
      const { api, model, n8n, start, clock } = setUp();
      const engine = await start();
      if (fault) api.plan.push(fault);
      await clock.advance(17_000);
      expect(api.windows).toBe(1);
      let stopped = false;
      void engine.stop().then(() => (stopped = true));
      await clock.advance(100);
      expect(stopped).toBe(true);
      model.create('shop', 'a');
      await clock.advance(600_000);
      expect([api.windows, n8n.emits.length, clock.sleeping]).toEqual([1, 0, 0]);
    },
  );

  it('returns within 100 ms also when the cluster ignores that it is told to stop', async () => {
    const deaf: ClusterPort = {
      identity: () => Promise.resolve({ server: 's', uid: undefined }),
      newest: () => Promise.resolve('10'),
      pages: async function* () {
        yield { items: [], resourceVersion: await Promise.resolve('10'), inconsistent: false };
      },
      watch: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) }),
      read: () => Promise.resolve(undefined),
    };
    const { start, clock } = setUp({ cluster: deaf });
    const engine = await start();
    await clock.advance(17_000);
    let stopped = false;
    void engine.stop().then(() => (stopped = true));
    await clock.advance(100);
    expect(stopped).toBe(true);
  });

  it('in a burst loses nothing: the next registration goes on, and does not repeat what is not settled', async () => {
    const { model, n8n, start, clock } = setUp();
    const first = await start();
    n8n.answer = undefined;
    for (let count = 0; count < 30; count += 1) model.create(`shop-${count}`, 'a');
    await clock.advance(20_000);
    expect(n8n.emits).toHaveLength(20);
    await first.stop();
    n8n.emits[0]?.settle('created');
    await settled();
    const second = await start();
    n8n.answer = 'created';
    await clock.advance(5000);
    for (const { settle } of [...n8n.emits]) settle('created');
    await clock.advance(60_000);
    expect(new Set(n8n.told).size).toBe(30);
    expect(n8n.told).toHaveLength(30);
    await second.stop();
  });

  it('in the pause before a retry loses nothing: nothing goes on, and the next registration tells it once', async () => {
    const { model, n8n, start, clock } = setUp();
    const first = await start();
    n8n.answer = 'rejected';
    model.create('shop', 'a');
    await clock.advance(40_000);
    const tried = n8n.emits.length;
    expect(tried).toBeGreaterThan(2);
    await first.stop();
    await clock.advance(600_000);
    expect([n8n.emits.length, clock.sleeping]).toEqual([tried, 0]);
    n8n.answer = 'created';
    const second = await start({ stored: n8n.kept });
    await clock.advance(120_000);
    expect(n8n.told.slice(tried)).toEqual(['added cluster-1-object-1@11']);
    await second.stop();
  });

  it('while a burst waits for n8n loses nothing, also when the process ends with it', async () => {
    const { model, n8n, start, clock } = setUp();
    const first = await start();
    n8n.answer = undefined;
    for (let count = 0; count < 500; count += 1) model.create(`shop-${count}`, 'a');
    await clock.advance(18_000);
    const handed = n8n.told;
    expect(handed).toHaveLength(20);
    await first.stop();
    await clock.advance(600_000);
    expect([n8n.told.length, clock.sleeping]).toEqual([20, 0]);
    // Another process: it knows what n8n saved, and n8n knows the keys.
    n8n.answer = 'created';
    const second = await start({ stored: n8n.kept, registry: new TriggerRegistry() });
    await clock.advance(600_000);
    expect(new Set(n8n.emits.map(({ key }) => key)).size).toBe(500);
    expect(n8n.told.slice(20)).toHaveLength(500);
    await second.stop();
  });

  it('in the middle of a list loses nothing: it is made again from its beginning', async () => {
    const { model, n8n, start, clock, api } = setUp();
    const first = await start();
    for (let count = 0; count < 50; count += 1) model.create(`shop-${count}`, 'a');
    model.compact();
    n8n.answer = undefined;
    await clock.advance(16_000);
    expect(n8n.told.length).toBeLessThanOrEqual(20);
    for (const { settle } of n8n.emits) settle('created');
    await settled();
    await first.stop();
    await clock.advance(600_000);
    expect(clock.sleeping).toBe(0);
    const windows = api.windows;
    n8n.answer = 'created';
    const second = await start();
    await clock.advance(100_000);
    expect(api.windows).toBeGreaterThan(windows);
    expect(n8n.told).toHaveLength(50);
    expect(new Set(n8n.told).size).toBe(50);
    await second.stop();
  });

  it('leaves no timer behind on the real clock', async () => {
    const silent: ClusterPort = {
      identity: () => Promise.resolve({ server: 's', uid: undefined }),
      newest: () => Promise.resolve('10'),
      pages: async function* () {
        yield { items: [], resourceVersion: await Promise.resolve('10'), inconsistent: false };
      },
      watch: async function* (_scope, _version, seconds, signal) {
        await systemClock.sleep(seconds * 1000, signal);
      },
      read: () => Promise.resolve(undefined),
    };
    const timers = watchTimers();
    const { engine } = setUp({ clock: systemClock, cluster: silent, random: () => 0 });
    const trigger = engine();
    await trigger.start();
    await settled();
    expect(timers.size).toBeGreaterThan(0);
    await trigger.stop();
    expect(timers.size).toBe(0);
  });

  it('is what a registration does when another takes its node', async () => {
    const { api, start, clock } = setUp();
    await start();
    const second = await start();
    const before = api.windows;
    await clock.advance(300_000);
    expect(api.windows - before).toBeLessThanOrEqual(11);
    await second.stop();
  });
});

/** The timers that are set from here on to the end of the test, and neither ran out nor were taken back. */
function watchTimers(): ReadonlySet<unknown> {
  const timers = new Set<unknown>();
  const set = globalThis.setTimeout;
  const clear = globalThis.clearTimeout;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms?: number) => {
    const timer = set(() => {
      timers.delete(timer);
      run();
    }, ms);
    timers.add(timer);
    return timer;
  }) as typeof setTimeout);
  jest.spyOn(globalThis, 'clearTimeout').mockImplementation((timer) => {
    timers.delete(timer);
    clear(timer);
  });
  return timers;
}
