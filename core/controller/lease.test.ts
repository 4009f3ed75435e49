import { describe, expect, it } from '@jest/globals';
import { Lease } from './lease';
import type { LeaseTerm, TermEnd } from './leaseTerm';
import { FakeClock } from './testing/fakeClock';
import { LeaseClient, LeaseServer } from './testing/leaseServer';

/** A process that wants the lease, on a clock of its own. */
class Candidate {
  readonly clock = new FakeClock();
  readonly client: LeaseClient;
  readonly lease: Lease;
  readonly stop = new AbortController();
  readonly faults: unknown[] = [];
  term: LeaseTerm | undefined;
  end: TermEnd | undefined;

  constructor(server: LeaseServer, holder: string) {
    this.client = new LeaseClient(server, this.clock);
    const { client, clock } = this;
    this.lease = new Lease({
      client,
      namespace: 'ops',
      name: 'leader',
      holder,
      clock,
      random: () => 0,
      onFault: (error) => this.faults.push(error),
    });
  }

  begin(): this {
    void this.lease.acquire(this.stop.signal).then((term) => {
      this.term = term;
      void term?.ended.then((end) => {
        this.end = end;
      });
    });
    return this;
  }
}

async function held(): Promise<{ server: LeaseServer; one: Candidate; term: LeaseTerm }> {
  const server = new LeaseServer();
  const one = new Candidate(server, 'one').begin();
  await one.clock.advance(100);
  if (!one.term) throw new Error('not acquired');
  return { server, one, term: one.term };
}

/** Time goes by for all. */
async function pass(ms: number, ...candidates: readonly Candidate[]): Promise<void> {
  for (let left = ms; left > 0; left -= 100)
    for (const { clock } of candidates) await clock.advance(Math.min(left, 100));
}

describe('a lease', () => {
  it('that nobody has is taken, and says who, when and for how long', async () => {
    const { server, term } = await held();
    expect([term.mayAct(), term.signal.aborted]).toEqual([true, false]);
    expect(server.lease?.spec).toEqual({
      holderIdentity: 'one',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.020000Z',
      renewTime: '2026-01-01T00:00:00.020000Z',
      leaseTransitions: 0,
    });
  });

  it('that another holds is taken 15 s after it was last seen to change, not sooner', async () => {
    const { server, one } = await held();
    const two = new Candidate(server, 'two').begin();
    await pass(10_000, one, two);
    // One is gone without a word.
    const gone = server.lease;
    await pass(12_500, two);
    expect([two.term === undefined, server.lease]).toEqual([true, gone]);
    await pass(3000, two);
    expect([two.term?.mayAct(), server.holder]).toEqual([true, 'two']);
    expect(server.lease?.spec).toMatchObject({ leaseTransitions: 1 });
  });

  it('that was released is taken at the next look', async () => {
    const { server, one, term } = await held();
    const two = new Candidate(server, 'two').begin();
    await pass(4000, one, two);
    const released = term.release();
    await pass(100, one);
    await released;
    expect([term.mayAct(), term.signal.aborted, one.end, server.holder]).toEqual([false, true, 'released', undefined]);
    await pass(2100, two);
    expect(two.term?.mayAct()).toBe(true);
  });

  it('of a holder that trusts in it for longer is left alone for longer', async () => {
    const server = new LeaseServer();
    server.create({ metadata: { name: 'leader' }, spec: { holderIdentity: 'old', leaseDurationSeconds: 60 } });
    const two = new Candidate(server, 'two').begin();
    await pass(59_000, two);
    expect(two.term).toBeUndefined();
    await pass(2000, two);
    expect(two.term?.mayAct()).toBe(true);
  });

  it('is not waited for any longer once the signal aborts, and is given back if it came at that moment', async () => {
    const server = new LeaseServer();
    const one = new Candidate(server, 'one').begin();
    await pass(30, one);
    one.stop.abort();
    await pass(1000, one);
    expect([one.term === undefined, server.lease !== undefined, server.holder]).toEqual([true, true, undefined]);
    expect(one.clock.sleeping).toBe(0);
  });
});

describe('a holder', () => {
  it('renews every two seconds', async () => {
    const { server, one, term } = await held();
    one.client.requests = 0;
    await pass(60_000, one);
    expect([term.mayAct(), one.client.requests, one.faults]).toEqual([true, 29, []]);
    expect(server.lease?.spec).toMatchObject({ acquireTime: '2026-01-01T00:00:00.020000Z', leaseTransitions: 0 });
  });

  it('ends 10 s after the beginning of its last renewal, when none comes through', async () => {
    for (const mood of ['unreachable', 'failing', 'hanging'] as const) {
      const { one, term } = await held();
      await pass(2000, one);
      one.client.mood = mood;
      await pass(9900, one);
      expect([term.mayAct(), term.signal.aborted]).toEqual([true, false]);
      await pass(200, one);
      expect([term.mayAct(), term.signal.aborted, one.end, one.clock.sleeping]).toEqual([false, true, 'expired', 0]);
    }
  });

  it('counts from the beginning of a renewal, not from its answer', async () => {
    const { one, term } = await held();
    one.client.mood = 'slow';
    // Begun at 2.04 s, answered at 4.56 s; nothing comes after it.
    await pass(4500, one);
    one.client.mood = 'hanging';
    await pass(7300, one);
    expect(term.mayAct()).toBe(true);
    await pass(200, one);
    expect(one.end).toBe('expired');
  });

  it('goes on when the answer to a renewal was lost', async () => {
    const { one, term } = await held();
    one.client.mood = 'lost';
    await pass(2100, one);
    one.client.mood = 'fine';
    await pass(30_000, one);
    expect([term.mayAct(), one.end]).toEqual([true, undefined]);
  });

  it('goes on when somebody labels the lease', async () => {
    const { server, one, term } = await held();
    await pass(3000, one);
    server.touch();
    await pass(30_000, one);
    expect([term.mayAct(), one.faults]).toEqual([true, []]);
  });

  it('ends at once when it finds another holder, or the lease deleted', async () => {
    const taken = await held();
    const lease = taken.server.lease;
    if (lease) taken.server.replace({ ...lease, spec: { holderIdentity: 'two' } });
    await pass(2200, taken.one);
    expect([taken.one.end, taken.term.mayAct(), taken.server.holder]).toEqual(['taken', false, 'two']);

    const deleted = await held();
    deleted.server.delete();
    await pass(2200, deleted.one);
    expect([deleted.one.end, deleted.server.lease]).toEqual(['deleted', undefined]);
  });

  it('does not act after it was suspended, though its monotonic clock stood still, and finds out what happened', async () => {
    const { server, one, term } = await held();
    const two = new Candidate(server, 'two').begin();
    await pass(2500, one, two);
    await pass(20_000, two);
    one.clock.jump(20_000);
    expect([two.term?.mayAct(), term.mayAct()]).toEqual([true, false]);
    await pass(200, one);
    expect([one.end, two.term?.mayAct()]).toEqual(['taken', true]);
  });

  it('does not act after the wall clock was set, in either direction, until it has renewed, which it does at once', async () => {
    for (const jump of [3_600_000, -3_600_000]) {
      const { one, term } = await held();
      await pass(2500, one);
      one.clock.jump(jump);
      expect(term.mayAct()).toBe(false);
      await pass(100, one);
      expect([term.mayAct(), one.end]).toEqual([true, undefined]);
    }
  });

  it('says no to a call that would last longer than it has', async () => {
    const { one, term } = await held();
    one.client.mood = 'hanging';
    await pass(6000, one);
    expect([term.mayAct(3000), term.mayAct(5000)]).toEqual([true, false]);
  });

  it('that takes it again while it gives it up does not give up what it took', async () => {
    const { server, one, term } = await held();
    const two = new Candidate(server, 'two').begin();
    await pass(3000, one, two);
    // The release meets a conflict and looks again; by then the lease is ours once more.
    server.touch();
    void term.release();
    one.begin();
    await pass(500, one, two);
    const again = one.term;
    expect([again === term, again?.mayAct(), server.holder]).toEqual([false, true, 'one']);
    await pass(5000, one, two);
    expect([again?.mayAct(), two.term]).toEqual([true, undefined]);
  });

  it('that cannot give the lease up does not wait for it for ever', async () => {
    const { one, term } = await held();
    one.client.mood = 'hanging';
    let over = false;
    void term.release().then(() => {
      over = true;
    });
    await pass(5100, one);
    expect([over, one.end, one.clock.sleeping]).toEqual([true, 'released', 0]);
  });
});

it('a holder that would act longer than others wait is refused', () => {
  const clock = new FakeClock();
  const client = new LeaseClient(new LeaseServer(), clock);
  const lease = { client, namespace: 'ops', name: 'leader', holder: 'one', clock, random: () => 0 };
  expect(() => new Lease({ ...lease, durationMs: 10_000, deadlineMs: 10_000 })).toThrow('deadlineMs < durationMs');
});
