import { keyOf, type Answer, type ManagedComponent } from '../../../core/components';
import type { KubeObject } from '../../../core/kube';

/** What was seen of one object. */
export type Sight = KubeObject | 'absent';

/** What one look or one change of ours has shown. */
export interface Known {
  readonly sight: Sight;
  /** By the monotonic clock, ms. */
  readonly at: number;
  /** The object that is gone: a watch may still show it. */
  readonly goneUid?: string | undefined;
}

/** A component that was as it should be, and what it looked like. */
export interface Rest {
  readonly fingerprint: string;
  /** By the monotonic clock, ms. */
  readonly until: number;
}

/**
 * What is remembered of one component between two passes. All of it can be found out again: who begins without it decides
 * the same.
 */
export class ComponentMemory {
  /** The component as our last change left it: the watch may lag behind. */
  own: ManagedComponent | undefined;
  /** The component is gone, though the watch may still show it. */
  isGone = false;
  /** That it is gone was told. */
  isTold = false;
  rest: Rest | undefined;
  /** When all of it was looked at last, by the monotonic clock. */
  resyncedAt: number;
  readonly answers = new Map<string, Answer>();
  readonly objects = new Map<string, Known>();
  /** Objects that are read again, whatever a watch shows. */
  readonly distrusted = new Set<string>();
  /** By `secretName/key`. */
  readonly secrets = new Map<string, { readonly has: boolean; readonly at: number }>();

  /** @param uid of the component: another one of its name is remembered apart */
  constructor(
    readonly uid: string,
    now: number,
  ) {
    this.resyncedAt = now;
  }

  /** A change may have been made or not: everything is read again. */
  distrustAll(): void {
    this.own = undefined;
    this.rest = undefined;
    for (const key of this.objects.keys()) this.distrusted.add(key);
  }

  /** Whether an object is being deleted: nobody may tell when it is gone. */
  get isWaiting(): boolean {
    return [...this.objects.values()].some(
      ({ sight }) => sight !== 'absent' && sight.metadata.deletionTimestamp !== undefined,
    );
  }

  note(key: string, known: Known): void {
    this.objects.set(key, known);
    this.distrusted.delete(key);
  }

  /** What stands in the status needs no answer any more; what is no longer of the component is forgotten. */
  settle({ status }: ManagedComponent): void {
    const recorded = new Map((status?.inventory ?? []).map((entry) => [keyOf(entry), entry]));
    for (const [key, answer] of this.answers) {
      if ('applied' in answer && recorded.get(key)?.digest === answer.digest) this.answers.delete(key);
    }
    for (const key of this.objects.keys()) {
      if (!recorded.has(key)) this.objects.delete(key);
    }
    for (const key of this.distrusted) {
      if (!recorded.has(key)) this.distrusted.delete(key);
    }
  }
}
