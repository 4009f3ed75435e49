/** ManagedComponent: the resource, what charts may render, budgets, the four dimensions, and what to do next. */
export type { Ask, Configuration, Scale } from './change/ask';
export { confirmedOf } from './change/confirmed';
export { judgeComponent, type Goal, type Verdict } from './change/judge';
export { checkComponent, checkRemoval, meansTheSame, planChange, type Plan } from './change/plan';
export { decide } from './decide/decide';
export { configurationOf } from './decide/inputs';
export type { Action, Answer, Application, Decision, Desired, Observed } from './decide/types';
export {
  COMPONENT_API_VERSION,
  COMPONENT_FINALIZER,
  COMPONENT_GROUP,
  COMPONENT_KIND,
  COMPONENT_LABEL,
  COMPONENT_VERSION,
  OPERATOR_MANAGER,
  REPLICAS_MANAGER,
} from './names';
export { allowedKinds, isAllowedKind, keyOf, refOf, type Ref } from './objects';
export { REASONS, type Because, type Reason } from './reasons';
export { COMPONENTS } from './resource/apiResource';
export { componentCrd } from './resource/crd';
export type { ManagedComponent } from './resource/component';
export type { ComponentSpec } from './resource/spec';
export type { ComponentState, ComponentStatus } from './resource/status';
export { componentProblems, isComponent, type Problem } from './resource/validate';
export { withoutInlineSecrets } from './secrets';
export { visible } from './visible';
export { chartValues, type ChartValues } from './values';
