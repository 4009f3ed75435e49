import type { Doom } from './ledger';
import { OperatorProcess, type OperatorStage } from './operatorProcess';
import { weatherOf } from './weather';
import { NO_FAULTS } from '../proxy';
import type { Dice } from '../dice';

/** The operators of a story: one at least, but for moments. */
export class Crew {
  /** How often each kind of fault was met, by operators that are gone. */
  readonly faults = new Map<string, number>();
  kills = 0;
  /** How many there ever were. */
  count = 0;
  /** Changes that operators asked for. */
  changes = 0;
  private readonly alive = new Set<OperatorProcess>();
  private readonly starting = new Set<Promise<unknown>>();
  private isCalm = false;

  constructor(
    private readonly stage: OperatorStage,
    private readonly dice: Dice,
  ) {}

  get all(): readonly OperatorProcess[] {
    return [...this.alive];
  }

  /** The one that leads; else any. */
  get leader(): OperatorProcess | undefined {
    return this.all.find(({ isLeading }) => isLeading) ?? this.all[0];
  }

  async start(): Promise<OperatorProcess> {
    this.count += 1;
    const seed = this.dice.upTo(2 ** 30);
    const started = await OperatorProcess.start(`operator-${this.count}`, this.stage, {
      plan: this.isCalm ? NO_FAULTS : weatherOf(seed),
      seed,
      onDoom: () => {
        this.stage.note(`operator is killed at a request`);
        this.kills += 1;
        this.drop(started);
        this.replace();
      },
    });
    this.alive.add(started);
    return started;
  }

  /** kill -9 of the leader; another one starts. */
  async kill(): Promise<void> {
    const { leader } = this;
    if (leader !== undefined) {
      this.stage.note(`${leader.name} is killed`);
      this.kills += 1;
      leader.kill();
      this.drop(leader);
    }
    await this.start();
  }

  killAt({ requests, when }: Doom): void {
    const { leader } = this;
    if (leader) leader.ledger.doom = { requests: leader.ledger.requests + requests, when };
  }

  async leave(): Promise<void> {
    const [one, another] = this.all;
    if (one === undefined || another === undefined) return;
    const leaving = this.dice.chance(0.5) ? one : another;
    this.stage.note(`${leaving.name} ends`);
    await leaving.leave();
    this.drop(leaving);
  }

  suspend(ms: number): void {
    for (const { clock } of this.alive) clock.suspend(ms);
  }

  /** No more faults, and one operator at least. */
  async calm(): Promise<void> {
    this.isCalm = true;
    for (const each of this.alive) each.calm();
    while (this.starting.size > 0) await Promise.all(this.starting);
    for (const each of this.alive) each.calm();
    if (this.alive.size === 0) await this.start();
  }

  /** Faults again, for all that start from now on. */
  worry(): void {
    this.isCalm = false;
  }

  /** None is left. */
  async end(): Promise<void> {
    while (this.starting.size > 0) await Promise.all(this.starting);
    for (const each of this.all) {
      await each.leave();
      this.drop(each);
    }
  }

  private replace(): void {
    const starting = this.start();
    this.starting.add(starting);
    void starting.finally(() => this.starting.delete(starting));
  }

  private drop(process: OperatorProcess): void {
    if (!this.alive.delete(process)) return;
    this.changes += process.ledger.changes;
    for (const [kind, times] of process.faults) this.faults.set(kind, (this.faults.get(kind) ?? 0) + times);
  }
}
