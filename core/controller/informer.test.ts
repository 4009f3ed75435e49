import { describe, expect, it } from '@jest/globals';
import { settled } from './testing/fakeClock';
import { Informed } from './testing/informed';

/** An informer that has listed what there is. */
async function synced(options: ConstructorParameters<typeof Informed>[0] = {}): Promise<Informed> {
  const world = new Informed(options);
  world.server.create('left', 'a');
  world.server.create('right', 'b');
  world.informer.start();
  await world.clock.advance(1500);
  expect(await world.informer.synced).toBe(true);
  world.changes.length = 0;
  return world;
}

describe('an informer', () => {
  it('is synced once all scopes were listed, and says which were', async () => {
    const { informer, server, clock } = new Informed({ scopes: ['left', 'right'] });
    server.create('left', 'a');
    expect(informer.hasSynced('left')).toBe(false);
    informer.start();
    await clock.advance(1500);
    expect(await informer.synced).toBe(true);
    expect(informer.health().map(({ scope, synced: whole }) => [scope, whole])).toEqual([
      ['left', true],
      ['right', true],
    ]);
    expect([informer.size, informer.get('left', 'a'), informer.byUid('uid-1')]).toEqual([
      1,
      server.objects.get('left/a'),
      server.objects.get('left/a'),
    ]);
    await informer.stop();
  });

  it('that is stopped before is not synced, and says so', async () => {
    const { informer, server, clock } = new Informed();
    server.mood = 'failing';
    informer.start();
    await clock.advance(5000);
    await informer.stop();
    expect([await informer.synced, clock.sleeping]).toEqual([false, 0]);
  });

  it('lists again at once when its version is too old, and takes that for no fault', async () => {
    for (const mood of ['expired-answers', 'expired-events'] as const) {
      const { informer, server, clock, faults, changes } = await synced();
      // One event has shown that the watch works.
      server.create('left', 'seen');
      await clock.advance(2000);
      const { lists } = server;
      server.mood = mood;
      if (mood === 'expired-answers') await clock.advance(400_000);
      else {
        server.create('left', 'next');
        server.create('left', 'after');
        await clock.advance(1500);
      }
      server.mood = 'fine';
      await clock.advance(5000);
      expect([server.lists > lists, faults.filter(({ error }) => !String(error).includes('too old'))]).toEqual([
        true,
        [],
      ]);
      expect(changes).toContain('new left/seen uid-3');
      await informer.stop();
    }
  });

  it('does not go round in circles when every version is too old', async () => {
    const { informer, server, clock, faults } = await synced();
    server.mood = 'expired-answers';
    await clock.advance(20 * 60_000);
    // Pauses of 0.8, 1.6 … 30 s.
    expect(server.lists).toBeLessThan(60);
    expect(faults.at(-1)).toMatchObject({ scope: '', pauseMs: 30_000 });
    await informer.stop();
  });

  it('notices a watch that went silent and goes on over another, without a fault', async () => {
    const { informer, server, clock, faults, changes } = await synced();
    server.mood = 'silent';
    server.create('left', 'c');
    await clock.advance(88_000);
    expect([server.watches, changes]).toEqual([1, []]);
    server.mood = 'fine';
    await clock.advance(3000);
    expect([server.watches, server.lists, changes, faults]).toEqual([2, 1, ['new left/c uid-3'], []]);
    await informer.stop();
  });

  it('lists when two windows in a row are silent', async () => {
    const { informer, server, clock, changes } = await synced();
    server.mood = 'silent';
    server.create('left', 'c');
    await clock.advance(181_000);
    // Two silent windows, a list, and the window that follows it.
    expect([server.watches, server.lists, changes]).toEqual([3, 2, ['new left/c uid-3']]);
    await informer.stop();
  });

  it('keeps one watch open for minutes while bookmarks come, and says how long it has heard nothing', async () => {
    const { informer, server, clock } = await synced();
    await clock.advance(290_000);
    expect([server.watches, server.lists]).toEqual([1, 1]);
    expect(informer.health()[0]?.silentMs).toBeLessThan(60_000);
    await informer.stop();
  });

  it('waits as long as a throttling server asks, and longer with each failure', async () => {
    const { informer, server, clock, faults } = new Informed();
    server.mood = 'throttled';
    informer.start();
    await clock.advance(12_000);
    expect(faults.map(({ failures, pauseMs }) => [failures, pauseMs])).toEqual([
      [1, 2000],
      [2, 2000],
      [3, 3200],
      [4, 6400],
    ]);
    await informer.stop();
  });

  it('does not spin when every window ends as soon as it begins', async () => {
    const { informer, server, clock, changes } = await synced();
    server.mood = 'short-windows';
    for (let index = 0; index < 20; index += 1) server.update('left', 'a');
    await clock.advance(15_000);
    expect(changes.length).toBe(20);
    expect(server.watches).toBeLessThan(17);
    await informer.stop();
  });

  it('goes on when a handler throws, and tells of it', async () => {
    const errors: unknown[] = [];
    const { informer, server, clock } = await synced({
      onChange: () => {
        throw new Error('mine');
      },
      onHandlerError: (error) => errors.push(error),
    });
    server.create('left', 'c');
    await clock.advance(2000);
    expect([informer.size, errors.length]).toEqual([3, 3]);
    await informer.stop();
  });

  it('tells nothing after it was stopped, not even of the page it had', async () => {
    const { informer, server, clock, changes } = await synced();
    server.create('left', 'c');
    void informer.stop();
    await clock.advance(5000);
    await settled();
    expect([changes, clock.sleeping]).toEqual([[], 0]);
  });

  it('keeps to its bound, says so, and recovers when there are fewer', async () => {
    const { informer, server, clock, faults, wrong } = await synced({ maxObjects: 2 });
    server.create('left', 'c');
    await clock.advance(10_000);
    expect(String(faults[0]?.error)).toBe('NavinError: There are more than 2 objects to keep.');
    // While a list is read, what is gone may still be there.
    expect(informer.size).toBeLessThanOrEqual(4);
    server.delete('left', 'a');
    await clock.advance(120_000);
    expect([
      informer
        .list()
        .map(({ metadata }) => metadata.name)
        .sort(),
      wrong,
    ]).toEqual([['b', 'c'], []]);
    await informer.stop();
  });

  it('of no scopes is synced, and of all namespaces and one more is refused', async () => {
    const { informer } = new Informed({ scopes: [] });
    informer.start();
    expect(await informer.synced).toBe(true);
    expect(() => new Informed({ scopes: ['', 'left'] })).toThrow('stands alone');
  });
});
