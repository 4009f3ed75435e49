import type { ClaimKind } from './claims';

/** What is not as promised. */
export interface Wrong {
  readonly rule: Rule;
  readonly component: string;
  /** Where it shows. */
  readonly revision: number;
  readonly what: string;
}

export type Rule =
  /** Fewer Pods than the budget requires. */
  | 'budget'
  /** A status says what the workloads did not show. */
  | 'claim'
  /** A status has not said for long what they show. */
  | 'lag'
  /** An object was made twice for one spec. */
  | 'twice'
  /** An object was made before the status listed it. */
  | 'unlisted'
  /** Something is left of a component that is gone. */
  | 'left'
  /** Storage that was promised to stay went. */
  | 'storage'
  /** Two budgets are meant for the same Pods. */
  | 'doubled'
  /** Pods were replaced though nobody asked. */
  | 'restless'
  /** An object that is none of the operator's was changed. */
  | 'foreign'
  /** A status holds a secret. */
  | 'secret';

/** What a test does itself to Pods and objects, between two versions. */
export interface Excuse {
  /** `illness`: Pods stop being ready by themselves. `hands`: anything may be changed or deleted. */
  readonly what: 'illness' | 'hands';
  readonly from: number;
  to: number;
}

export interface JudgeSettings {
  /** How far a status may be behind, in ms. */
  readonly maxAgeMs: number;
  /** Texts that no status may hold. */
  readonly needles: readonly string[];
}

/** How much was looked at: a verdict that had nothing to judge is worth nothing. */
export interface Judged {
  readonly claims: Readonly<Record<ClaimKind, number>>;
  /** By component and workload: the fewest ready Pods while its budget counted, and what that required then. */
  readonly fewest: ReadonlyMap<string, { readonly ready: number; readonly required: number }>;
}
