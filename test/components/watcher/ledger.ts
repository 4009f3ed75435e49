import type { Observation } from './collection';
import type { Judge } from './judge';
import type { Seen } from './seen';

/** So many of the last lines are kept for whoever wants to understand a verdict. */
const MAX_LINES = 600;

/** What was seen, until it is judged; and the last of it in words. */
export class Ledger {
  private entries: Observation[] = [];
  private readonly lines: string[] = [];
  judged = 0;

  get waiting(): number {
    return this.entries.length;
  }

  /** When the oldest that waits has happened at the earliest, in ms. */
  get oldest(): number {
    return Math.min(performance.now(), ...this.entries.map(({ since }) => since));
  }

  add(observation: Observation): void {
    this.entries.push(observation);
  }

  /** Hands over what happened up to a version, in the order of versions. */
  judgeUpTo(revision: number, judge: Judge): void {
    const due = this.entries.filter((entry) => entry.revision <= revision).sort(inOrder);
    this.entries = this.entries.filter((entry) => entry.revision > revision);
    for (const entry of due) {
      this.note(entry);
      judge.take(entry);
    }
    this.judged += due.length;
  }

  toString(): string {
    return this.lines.join('\n');
  }

  private note({ revision, seen, isGone, at }: Observation): void {
    this.lines.push(`${revision} ${(at / 1000).toFixed(3)} ${seen.kind}/${seen.name} ${isGone ? 'gone' : words(seen)}`);
    if (this.lines.length > MAX_LINES) this.lines.shift();
  }
}

/** What was there before anybody looked comes first, as it was listed; the sort is stable. */
function inOrder(left: Observation, right: Observation): number {
  if (left.isOld || right.isOld) return Number(right.isOld) - Number(left.isOld);
  return left.revision - right.revision;
}

function words(seen: Seen): string {
  const ending = seen.isEnding ? 'ending ' : '';
  switch (seen.kind) {
    case 'ManagedComponent': {
      const { generation, says } = seen;
      if (says === undefined) return `${ending}spec ${generation}`;
      const { state, health, operationState, operation, isConverged } = says;
      return `${ending}spec ${generation}, says ${says.generation ?? 0} ${state} ${health} ${operation.type} ${operationState} ${operation.reason ?? ''}${isConverged ? ' converged' : ''}`;
    }
    case 'Deployment':
    case 'StatefulSet':
      return `${ending}${seen.observedGeneration ?? 0}/${seen.generation} desired ${seen.desired} current ${seen.current} updated ${seen.updated} ready ${seen.ready} available ${seen.available}`;
    case 'Pod':
      return `${ending}${seen.isReady ? 'ready' : 'not ready'}`;
    case 'PodDisruptionBudget':
      return `${ending}${JSON.stringify(seen.budget)}`;
    case 'ReplicaSet':
    case 'PersistentVolumeClaim':
    case 'ConfigMap':
    case 'Service':
    case 'ServiceAccount':
    case 'NetworkPolicy':
    case 'Ingress':
    case 'HorizontalPodAutoscaler':
    case 'ScaledObject':
      return ending;
  }
}
