import { guarded, required } from './arithmetic';
import type { Observation } from './collection';
import { History } from './history';
import type { Asks, AutoscalerSeen, ComponentSeen, WorkloadSeen } from './seen';

/** How many specs may be in force at once. */
const MAX_SPECS = 16;

/** The life of a component. */
export class Course {
  /** The generation that was converged last. */
  convergedGeneration = 0;
  readonly histories = new Map<string, History>();
  /** The spec that was carried out last, and all that came after it. */
  private specs: { readonly generation: number; readonly asks: Asks }[] = [];
  /** When the newest spec was heard of, in ms. */
  askedAt = -Infinity;
  /** The version of the last change. */
  seenAt = 0;
  /** A stop was asked for, and no start was taken note of since. */
  private isStopping = false;
  private isDeleted = false;

  constructor(public last: ComponentSeen) {}

  /** Whether a removal was asked for that maintenance does not refuse. */
  get isRemoving(): boolean {
    return this.isDeleted;
  }

  /** Whether its budget is to be kept: not once a stop or removal was asked for. */
  get isGuarded(): boolean {
    return !this.isStopping && !this.isDeleted;
  }

  take(seen: ComponentSeen, { at, revision }: Observation): void {
    this.last = seen;
    this.seenAt = revision;
    const { asks, says, generation, isEnding } = seen;
    if (this.specs.at(-1)?.generation !== generation) {
      this.specs.push({ generation, asks });
      this.askedAt = at;
    }
    if (this.specs.length > MAX_SPECS) this.specs.shift();
    if (isEnding && !asks.isMaintenance) this.isDeleted = true;
    if (asks.isStop && !asks.isMaintenance) this.isStopping = true;
    else if (!asks.isStop && says?.generation === generation) this.isStopping = false;
  }

  /** The spec of a generation was carried out: what was asked before does not count any more. */
  carriedOut(generation: number): void {
    this.specs = this.specs.filter((spec) => spec.generation >= generation);
  }

  /** The least that any spec that may still be carried out requires. */
  requiredOf(workload: WorkloadSeen, autoscalers: readonly AutoscalerSeen[]): number {
    const each = this.specs.map(({ asks }) =>
      asks.budget === undefined ? 0 : required(asks.budget, guarded(asks, workload, autoscalers)),
    );
    return Math.min(...each);
  }

  historyOf(kind: string, name: string): History {
    const key = `${kind}/${name}`;
    const history = this.histories.get(key) ?? new History();
    this.histories.set(key, history);
    return history;
  }
}
