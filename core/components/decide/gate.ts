import type { Because } from '../reasons';
import type { WorkloadView } from '../workload';

/** What the replacement of Pods is held against. */
export interface GateFacts {
  /** For instance `Deployment/web`. */
  readonly name: string;
  readonly kind: string;
  readonly view: WorkloadView;
  /** What it has, or is to have when that is less. */
  readonly replicas: number;
  /** So many Pods must stay available. */
  readonly required: number;
  /** Whether the status of its budget, if it has one, is of the newest generation. */
  readonly isBudgetCurrent: boolean;
}

/**
 * Whether the Pods of a workload may be replaced now: undefined, or why not yet. It asks for the live numbers, not for
 * `disruptionsAllowed`: that stays 0 for ever where every replica is required, and a Deployment can still replace its
 * Pods there, one more first.
 */
export function replacementGate(facts: GateFacts): Because | undefined {
  const { view, kind, name, required, isBudgetCurrent } = facts;
  if (view.rollout === 'stopped' || view.rollout === 'absent') return undefined;
  if (view.strategy.type === 'manual') return heldBy(name, view.strategy.hold);
  if (required === 0) return undefined;
  if (view.strategy.type === 'recreate') {
    const message = `${name} ends all its Pods at once (Recreate), and its budget requires ${required} of them.`;
    return { reason: 'HeldByStrategy', message };
  }
  if (!view.isCurrent || !isBudgetCurrent) {
    return exhausted(`The numbers of ${name} are not of its newest generation yet.`);
  }
  return kind === 'StatefulSet' ? setGate(facts) : deploymentGate(facts);
}

function deploymentGate({ name, view: { available }, required }: GateFacts): Because | undefined {
  if (available >= required) return undefined;
  return exhausted(`${name} has ${available} available Pods, and its budget requires ${required}.`);
}

/** A set ends a Pod before it starts the next one. */
function setGate({ name, view: { available }, replicas, required }: GateFacts): Because | undefined {
  if (replicas - 1 < required) {
    return exhausted(
      `${name} has ${replicas} replicas, and its budget requires ${required}: a StatefulSet ends a Pod before it starts ` +
        'the next one, so this never can be. Raise the replicas or change pdb.',
    );
  }
  if (available - 1 >= required) return undefined;
  return exhausted(
    `${name} has ${available} available Pods, its budget requires ${required}, and a StatefulSet ends a Pod before it ` +
      'starts the next one.',
  );
}

function heldBy(name: string, hold: 'paused' | 'onDelete' | 'partition'): Because {
  const why = {
    paused: 'is paused',
    onDelete: 'replaces Pods only when somebody deletes them (OnDelete)',
    partition: 'keeps some of its Pods as they are (partition)',
  };
  return { reason: 'HeldByStrategy', message: `${name} ${why[hold]}.` };
}

function exhausted(message: string): Because {
  return { reason: 'DisruptionBudgetExhausted', message };
}
