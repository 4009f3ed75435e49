/** The controller itself: informers and a lease around passes that look, decide, write down and act. */
export type { OperatorEvents, OperatorHealth, StepEvent } from './events';
export { Operator, type OperatorOptions } from './operator';
