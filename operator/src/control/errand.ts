import { keyOf, type ManagedComponent, type Ref } from '../../../core/components';
import { isNotFound } from '../../../core/kube';
import { isNavinError, NavinError } from '../../../core/errors';
import type { ComponentMemory } from './memory';

/** For whom actions are carried out. */
export interface Errand {
  /** `namespace/name` */
  readonly key: string;
  /** As it was when it was decided what to do, and as it still must be. */
  readonly component: ManagedComponent;
  readonly memory: ComponentMemory;
  readonly signal: AbortSignal;
}

/** Asked before each change. @throws NavinError `k8s_aborted` when this process may not act any more */
export function requireLease(mayAct: () => boolean): void {
  if (mayAct()) return;
  throw new NavinError('k8s_aborted', 'Stopped: another process acts now, or may soon.');
}

/** Runs a change of objects; undefined when one of them is another by now: then all of them are read again. */
export async function unlessStale<T>(
  objects: readonly { readonly ref: Ref }[],
  { memory }: Errand,
  change: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await change();
  } catch (error) {
    for (const { ref } of objects) memory.distrusted.add(keyOf(ref));
    if (!isChangedMeanwhile(error)) throw error;
    return undefined;
  }
}

/** Whether something is another by now than the one that was meant, or is gone. */
export function isChangedMeanwhile(error: unknown): boolean {
  return (
    isNavinError(error) && (error.code === 'k8s_conflict' || error.code === 'k8s_already_exists' || isNotFound(error))
  );
}
