import { hash } from './digest';
import type { Patch } from './state';
import type { Step } from './step';
import type { TriggerEvent } from './triggerEvent';
import { weigh } from './weight';

/** Events that are handed over together (one, unless a whole pass is), and how the state changes once they are. */
export class QueueEntry {
  readonly events: TriggerEvent[] = [];
  /** Handed over, or nothing to hand over. */
  done = false;
  /** The state has moved on past it. */
  committed = false;
  weight = 0;
  private readonly merged = new Map<string, Patch>();
  private closedKey: string | undefined;

  /** Key of an entry that takes no more events. */
  get key(): string | undefined {
    return this.closedKey;
  }

  get patches(): readonly Patch[] {
    return [...this.merged.values()];
  }

  add(step: Step): void {
    if (step.event) {
      this.events.push(step.event);
      this.weight += weigh(step.event);
    }
    this.merge(step.patches);
  }

  /** Later patches of the same thing replace earlier ones: they are applied together. */
  merge(patches: readonly Patch[]): void {
    for (const patch of patches) {
      const subject = subjectOf(patch);
      this.merged.delete(subject);
      this.merged.set(subject, patch);
    }
  }

  close(): void {
    const [first, second] = this.events;
    if (this.closedKey !== undefined || first === undefined) return;
    this.closedKey = second === undefined ? first.key : `navin-k8s-${hash(this.events.map(({ key }) => key))}`;
  }
}

function subjectOf(patch: Patch): string {
  switch (patch.kind) {
    case 'known':
    case 'incident':
      return `${patch.kind}:${patch.uid}`;
    case 'overflow':
    case 'cursor':
    case 'relist':
    case 'listed':
      return `${patch.kind}:${patch.scope}`;
    case 'created':
    case 'cluster':
    case 'filter':
      return patch.kind;
  }
}
