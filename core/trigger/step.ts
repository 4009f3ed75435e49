import type { Patch, RelistCause } from './state';
import type { StateProblem } from './stateCodec';
import type { TriggerEvent } from './triggerEvent';

/**
 * One decision of a pass: at most one event, and how the state changes once the event is handed over. Steps are handed
 * over in order.
 */
export interface Step {
  readonly event?: TriggerEvent;
  readonly patches: readonly Patch[];
}

/** Something the user should know, with a sentence. It is told once, where it happens; it starts no workflow. */
export type Note =
  | { readonly kind: 'seeded'; readonly message: string; readonly objects: number }
  | { readonly kind: 'reseeded'; readonly message: string; readonly problem: StateProblem }
  | { readonly kind: 'rolled-back'; readonly message: string; readonly commits: number }
  | {
      /** Between two versions something may have happened that nobody can know any more. */
      readonly kind: 'gap';
      readonly message: string;
      readonly scope: string;
      readonly cause: RelistCause;
      readonly from: string;
      readonly to: string;
    }
  | {
      readonly kind: 'relisted';
      readonly message: string;
      readonly scope: string;
      readonly objects: number;
      readonly events: number;
    }
  | {
      readonly kind: 'untracked';
      readonly message: string;
      readonly scope: string;
      readonly objects: number;
      readonly tracked: number;
    }
  | { readonly kind: 'checkpoint-ran'; readonly message: string }
  | { readonly kind: 'handover-trouble'; readonly message: string; readonly attempts: number };
