/**
 * Why an operation failed or is blocked, or what a chart renders is not compliant: stable words for programs, each with
 * what it means for people. docs/managed-component.md has the table.
 */
export const REASONS = {
  AmbiguousWorkload: 'It is not clear which workload replicas or autoscaling are meant for.',
  ApplyConflict: 'Another field manager holds a field that is to be applied.',
  ApplyRefused: 'The API server refuses an object: it is not valid, or a right, a quota or a policy is in the way.',
  AutoscalerMissing: 'The cluster does not serve ScaledObjects: KEDA is not installed.',
  DigestMismatch: 'The chart is not the one its digest names.',
  DisruptionBudgetExhausted: 'Fewer Pods are available than the budget requires.',
  DuplicateAutoscaler: 'Two autoscalers, or an autoscaler and the spec, set the replicas of one workload.',
  DuplicateBudget: 'Two disruption budgets, or a budget and the spec, are meant for the same Pods.',
  DuplicateObject: 'The chart renders an object, or an item of a list, twice.',
  ForbiddenHook: 'The chart has hooks other than tests.',
  ForbiddenKind: 'The chart renders a kind of object that is not allowed.',
  ForbiddenNamespace: 'The chart renders an object for another namespace.',
  ForbiddenPod: 'The chart renders Pods with rights that are not allowed.',
  ForbiddenSecret: 'The chart uses a Secret that secretRefs does not name.',
  ForbiddenServiceAccount: 'The chart uses a ServiceAccount it does not render.',
  ForbiddenTarget: 'An autoscaler or budget of the chart is meant for Pods the chart does not render.',
  HeldByStrategy: 'The update strategy of a workload does not replace its Pods by itself, or only all at once.',
  ImmutableField: 'A field that cannot be changed would have to change.',
  InlineSecret: 'A value under a secret-like key is given as text.',
  InvalidObject: 'The chart renders something that is not an object of the API.',
  InvalidSpec: 'The spec is not valid.',
  MaintenanceActive: 'The component is in maintenance.',
  NondeterministicChart: 'The chart renders something else each time.',
  ObjectOwned: 'An object of this name exists and is not controlled by this component.',
  ProgressDeadlineExceeded: 'The rollout makes no progress.',
  RenderFailed: 'The chart cannot be rendered.',
  ReplicasBelowBudget: 'Fewer replicas are asked for than the budget requires.',
  ReservedName: 'The name is kept for the platform itself.',
  RetainedStorage: 'Storage that is no longer rendered is kept.',
  SecretMissing: 'A Secret that secretRefs names, or its key, does not exist.',
  StorageLost: 'The volume behind a claim is gone.',
  TooManyObjects: 'The chart renders more objects than a component may have.',
  VersionMismatch: 'The chart has another version than the spec says.',
} as const satisfies Record<string, string>;

/** A stable reason, see {@link REASONS}. */
export type Reason = keyof typeof REASONS;

/** A reason with a sentence that may be shown to anybody: no secret, no raw server output. */
export interface Because {
  readonly reason: Reason;
  readonly message: string;
}
