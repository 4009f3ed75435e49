/** ManagedComponent: the resource, what charts may render, budgets, the four dimensions, and what to do next. */
export { componentCrd } from './resource/crd';
export type { ManagedComponent } from './resource/component';
export type { ComponentSpec } from './resource/spec';
export type { ComponentStatus } from './resource/status';
export { componentProblems, isComponent, type Problem } from './resource/validate';
