import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Lease } from './lease';
import type { LeaseTerm } from './leaseTerm';
import { chance } from './testing/chance';
import { FakeClock } from './testing/fakeClock';
import { LeaseClient, LeaseServer, type LeaseMood } from './testing/leaseServer';

const who = fc.integer({ min: 0, max: 2 });
const moods: readonly LeaseMood[] = ['fine', 'fine', 'unreachable', 'failing', 'lost', 'hanging', 'slow'];
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('time'), ms: fc.integer({ min: 1, max: 60 }) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('mood'), who, mood: fc.constantFrom(...moods) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('suspend', 'resume', 'release', 'touch'), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('set'), who, by: fc.integer({ min: -100, max: 100 }) }) },
);

/** Like a process of an operator: acquires, acts while it may, acquires again. */
class Process {
  readonly clock = new FakeClock();
  readonly client: LeaseClient;
  term: LeaseTerm | undefined;
  suspended = 0;
  acquired = 0;
  private readonly stopping = new AbortController();
  private readonly lease: Lease;

  constructor(server: LeaseServer, holder: string, random: () => number) {
    const { clock } = this;
    this.client = new LeaseClient(server, clock);
    this.lease = new Lease({ client: this.client, namespace: 'ops', name: 'leader', holder, clock, random });
    void this.run();
  }

  private async run(): Promise<void> {
    for (;;) {
      const term = await this.lease.acquire(this.stopping.signal);
      if (!term) return;
      this.acquired += 1;
      this.term = term;
      await term.ended;
    }
  }

  /** What a suspended process would do next, it does when it goes on: its clocks are as they are then. */
  get mayAct(): boolean {
    return this.suspended === 0 && this.term?.mayAct() === true;
  }

  async live(ms: number): Promise<void> {
    if (this.suspended > 0) this.suspended += ms;
    else await this.clock.advance(ms);
  }

  resume(): void {
    if (this.suspended > 0) this.clock.jump(this.suspended - 1);
    this.suspended = 0;
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    const released = this.term?.release();
    await this.clock.advance(10_000);
    await released;
  }
}

it('never may two act at once, and in the end one acts', async () => {
  await fc.assert(
    // Not both: a clock that is set back and a suspension between two renewals look like no time at all.
    fc.asyncProperty(
      fc.array(step, { maxLength: 50, size: 'max' }),
      fc.boolean(),
      chance,
      async (steps, clocksAreSet, random) => {
        const server = new LeaseServer();
        const processes = ['one', 'two', 'three'].map((holder) => new Process(server, holder, random));
        const look = (): void => {
          expect(processes.filter((process) => process.mayAct).length).toBeLessThanOrEqual(1);
        };
        const pass = async (tenths: number): Promise<void> => {
          for (let left = tenths; left > 0; left -= 1) {
            for (const process of processes) await process.live(250);
            look();
          }
        };
        for (const action of steps) {
          if ('ms' in action) await pass(action.ms);
          else {
            const process = processes[action.who];
            if (!process) continue;
            if ('mood' in action) process.client.mood = action.mood;
            else if ('by' in action) process.clock.jump(clocksAreSet ? action.by * 1000 : 0);
            else if (action.do === 'suspend') process.suspended ||= clocksAreSet ? 0 : 1;
            else if (action.do === 'resume') process.resume();
            else if (action.do === 'touch') server.touch();
            else if (process.suspended === 0) void process.term?.release();
          }
          look();
        }
        for (const process of processes) {
          process.client.mood = 'fine';
          process.resume();
          look();
        }
        await pass(160);
        expect(processes.filter((process) => process.mayAct).length).toBe(1);
        for (const process of processes) await process.stop();
        expect(processes.map(({ clock }) => clock.sleeping)).toEqual([0, 0, 0]);
      },
    ),
    { numRuns: 60 },
  );
}, 600_000);
