import type { KubeObject } from '../kube';
import type { IncidentMemory } from './memory';
import { observe } from './pass';
import { isAborted, type ClusterPort } from './ports';
import { isDue, nextDue } from './slots';
import type { TriggerState } from './state';
import type { Step } from './step';
import type { PassContext } from './triggerEvent';

/** What the timer works with. */
export interface IncidentTimerOptions {
  readonly state: TriggerState;
  readonly cluster: ClusterPort;
  readonly signal: AbortSignal;
  readonly context: () => PassContext;
  /** Applies steps and hands them over. */
  readonly take: (steps: readonly Step[]) => void;
}

/** Objects that are read once more in one go. */
const MAX_READS = 50;

/** What time alone brings: incidents that have lasted, or were away, long enough. */
export class IncidentTimer {
  /** Which of the due objects is read first: those that cannot be read must not keep the others from being read. */
  private first = 0;

  constructor(private readonly options: IncidentTimerOptions) {}

  /** How long until the next incident is due, ms; Infinity: none. What is due already is looked at by each pass. */
  untilNext(): number {
    const { settings, now } = this.options.context();
    const { condition } = settings;
    let earliest = Number.POSITIVE_INFINITY;
    if (!condition) return earliest;
    for (const { incidents } of this.options.state.scopes.values()) {
      for (const [, memory] of incidents) {
        const due = nextDue(memory, condition);
        if (due > now && due < earliest) earliest = due;
      }
    }
    return earliest - now;
  }

  /** Looks once more at the objects whose incidents are due, and tells what has lasted. */
  async look(): Promise<void> {
    const { state, cluster, signal, context, take } = this.options;
    const due = this.due();
    if (due.length === 0) return;
    const objects = new Map<string, KubeObject>();
    this.first = due.length > MAX_READS ? (this.first + MAX_READS) % due.length : 0;
    const inTurn = [...due.slice(this.first), ...due.slice(0, this.first)];
    for (const [uid, { namespace, name }] of inTurn.slice(0, MAX_READS)) {
      if (isAborted(signal)) return;
      try {
        const object = await cluster.read(namespace, name, signal);
        if (object) objects.set(uid, object);
      } catch {
        // It stays due: the next pass looks again, and says so if the cluster cannot be reached.
      }
    }
    if (isAborted(signal)) return;
    take(observe(state, { kind: 'time', objects }, context()));
  }

  private due(): readonly (readonly [string, IncidentMemory])[] {
    const { settings, now } = this.options.context();
    const { condition } = settings;
    if (!condition) return [];
    return [...this.options.state.scopes.values()].flatMap(({ incidents }) =>
      [...incidents].filter(([, memory]) => isDue(memory, condition, now)),
    );
  }
}
