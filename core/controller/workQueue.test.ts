import { describe, expect, it } from '@jest/globals';
import { KubeApiError } from '../kube';
import { FakeClock, settled } from './testing/fakeClock';
import { ManualWork } from './testing/work';
import { WorkQueue, type WorkFailure, type WorkQueueOptions } from './workQueue';

function world(options: Partial<WorkQueueOptions> = {}) {
  const clock = new FakeClock();
  const manual = new ManualWork();
  const failures: WorkFailure[] = [];
  const queue = new WorkQueue({
    work: manual.work,
    concurrency: 2,
    clock,
    random: () => 0,
    onFailure: (failure) => failures.push(failure),
    ...options,
  });
  queue.start();
  return { clock, manual, failures, queue };
}

describe('a key', () => {
  it('shows how long it is worked on', async () => {
    const { queue, manual, clock } = world();
    expect(queue.oldestActiveMs).toBe(0);
    queue.add('a');
    await settled();
    await clock.advance(600);
    queue.add('b');
    await settled();
    await clock.advance(30);
    expect(queue.oldestActiveMs).toBe(630);
    manual.piece('a').succeed();
    await settled();
    expect(queue.oldestActiveMs).toBe(30);
    manual.piece('b').succeed();
    await settled();
    expect(queue.oldestActiveMs).toBe(0);
  });

  it('that is ready already is not added again', async () => {
    const { queue, manual } = world({ concurrency: 1 });
    for (const key of ['a', 'b', 'b', 'a', 'b']) queue.add(key);
    await settled();
    // The third `a` came while `a` was worked on.
    expect([queue.depth, queue.active]).toEqual([1, 1]);
    manual.piece('a').succeed();
    await settled();
    manual.piece('b').succeed();
    await settled();
    manual.piece('a').succeed();
    await settled();
    expect([manual.begun, queue.depth, queue.active]).toEqual([['a', 'b', 'a'], 0, 0]);
  });

  it('that changes while it is worked on is worked on once more, never twice at once', async () => {
    const { queue, manual } = world();
    queue.add('a');
    await settled();
    queue.add('a');
    queue.add('a');
    await settled();
    expect(manual.begun).toEqual(['a']);
    manual.piece('a').succeed();
    await settled();
    expect(manual.begun).toEqual(['a', 'a']);
    manual.piece('a').succeed();
    await settled();
    expect(manual.begun).toEqual(['a', 'a']);
  });

  it('that fails comes again after 200, 400, 800 ms, and after a success after 200 ms again', async () => {
    const { queue, manual, clock, failures } = world();
    queue.add('a');
    await settled();
    for (const pause of [200, 400, 800]) {
      manual.piece('a').fail('no');
      await clock.advance(pause - 1);
      expect(manual.open).toEqual([]);
      await clock.advance(1);
    }
    expect(queue.failing).toBe(1);
    manual.piece('a').succeed();
    await settled();
    expect(queue.failing).toBe(0);
    queue.add('a');
    await settled();
    manual.piece('a').fail('no');
    await settled();
    expect(failures.map(({ key, failures: count, pauseMs }) => [key, count, pauseMs])).toEqual([
      ['a', 1, 200],
      ['a', 2, 400],
      ['a', 3, 800],
      ['a', 1, 200],
    ]);
  });

  it('that fails with Retry-After waits as long as the server asks', async () => {
    const { queue, manual, clock } = world();
    queue.add('a');
    await settled();
    manual.piece('a').fail(new KubeApiError('k8s_throttled', 'busy', { httpStatus: 429, retryAfterSeconds: 9 }));
    await clock.advance(8999);
    expect(manual.begun.length).toBe(1);
    await clock.advance(1);
    expect(manual.begun.length).toBe(2);
  });

  it('that changes does not wait for the pause after its failure', async () => {
    const { queue, manual } = world();
    queue.add('a');
    await settled();
    queue.add('a');
    manual.piece('a').fail('no');
    await settled();
    expect(manual.begun).toEqual(['a', 'a']);
  });

  it('that is to be looked at again comes then, once, at the earliest time', async () => {
    const { queue, manual, clock } = world();
    queue.addAfter('a', 5000);
    queue.addAfter('a', 1000);
    queue.addAfter('a', 3000);
    queue.addAfter('now', 0);
    await settled();
    expect([manual.begun, queue.delayed]).toEqual([['now'], 1]);
    await clock.advance(999);
    expect(manual.begun).toEqual(['now']);
    await clock.advance(1);
    expect(manual.begun).toEqual(['now', 'a']);
    manual.piece('a').succeed(60_000);
    await clock.advance(59_999);
    expect(manual.begun.length).toBe(2);
    await clock.advance(1);
    expect(manual.begun).toEqual(['now', 'a', 'a']);
  });

  it('is told how long it waited and took', async () => {
    const told: unknown[] = [];
    const { queue, manual, clock } = world({
      concurrency: 1,
      onStarted: (...all) => told.push(all),
      onFinished: (...all) => told.push(all),
    });
    queue.add('a');
    queue.add('b');
    await clock.advance(30);
    manual.piece('a').succeed();
    await clock.advance(12);
    manual.piece('b').fail('no');
    await settled();
    expect(told).toEqual([
      ['a', 0],
      ['a', 30, true],
      ['b', 30],
      ['b', 12, false],
    ]);
  });
});

describe('the end of a queue', () => {
  it('drained: what is ready is finished, what was to come later is not, nothing more is taken', async () => {
    const { queue, manual, clock } = world({ concurrency: 1 });
    for (const key of ['a', 'b']) queue.add(key);
    queue.addAfter('later', 1000);
    await settled();
    let over = false;
    const drained = queue.drain().then(() => {
      over = true;
    });
    queue.add('c');
    queue.addAfter('d', 10);
    manual.piece('a').fail('no');
    await clock.advance(5000);
    expect([manual.begun, over, manual.piece('b').signal.aborted]).toEqual([['a', 'b'], false, false]);
    manual.piece('b').succeed();
    await drained;
    await clock.advance(60_000);
    expect([manual.begun, clock.sleeping]).toEqual([['a', 'b'], 0]);
  });

  it('stopped: what is worked on has its time of grace, then is told to stop; nothing else begins', async () => {
    const { queue, manual, clock, failures } = world();
    for (const key of ['a', 'b', 'c']) queue.add(key);
    await settled();
    let over = false;
    const stopped = queue.stop(1000).then(() => {
      over = true;
    });
    manual.piece('a').succeed();
    await clock.advance(999);
    expect([over, manual.piece('b').signal.aborted]).toEqual([false, false]);
    await clock.advance(1);
    expect(manual.piece('b').signal.aborted).toBe(true);
    manual.piece('b').fail('stopped');
    await stopped;
    expect([manual.begun, failures, clock.sleeping]).toEqual([['a', 'b'], [], 0]);
  });

  it('stopped while it drains, both end', async () => {
    const { queue, manual } = world({ concurrency: 1 });
    for (const key of ['a', 'b']) queue.add(key);
    await settled();
    const drained = queue.drain();
    const stopped = queue.stop(0);
    await settled();
    manual.piece('a').succeed();
    await Promise.all([drained, stopped]);
    expect(manual.begun).toEqual(['a']);
  });

  it('ends at once when nothing is done, and when it never began', async () => {
    const queue = new WorkQueue({
      work: () => Promise.resolve(undefined),
      concurrency: 1,
      clock: new FakeClock(),
      random: () => 0,
    });
    queue.add('a');
    await queue.stop(60_000);
    await queue.drain();
    expect(queue.depth).toBe(0);
  });
});
