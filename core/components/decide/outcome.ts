import type { KubeObject } from '../../kube';
import type { Violation } from '../policy/violation';
import type { Because } from '../reasons';
import type { Accepted, ComponentStatus, InventoryEntry } from '../resource/status';
import type { WorkloadFacts } from './facts';
import type { Action } from './types';

/** How far one look at a component came: what the status is made of. */
export interface Outcome {
  readonly actions: readonly Action[];
  readonly accepted: Accepted | undefined;
  readonly inventory: readonly InventoryEntry[];
  readonly workloads: readonly WorkloadFacts[];
  /** Why nothing goes on until somebody changes something. */
  readonly failed?: Because;
  /** Why nothing goes on for now; it goes on by itself. */
  readonly blocked?: Because;
  /** What the policy said; absent: it was not asked. */
  readonly verdict?: 'compliant' | Violation;
  readonly chart?: NonNullable<ComponentStatus['chart']>;
  /** Everything that is wanted is applied. */
  readonly isApplied: boolean;
  /** Nothing is left to do, and the workloads are as they are to be. */
  readonly isDone: boolean;
  /** A claim has lost its volume. */
  readonly hasLostStorage: boolean;
  /** Objects that somebody else changed or deleted, and that are not put right. */
  readonly drift: readonly string[];
  readonly driftBecause?: Because;
  /** Claims that a StatefulSet left behind. */
  readonly claims: readonly string[];
  readonly autoscalers: readonly KubeObject[];
  /** The component is being deleted, and that goes on. */
  readonly isRemoving?: true;
  readonly againAfterMs?: number;
}
