/** What operators and the agent stand on. Which kinds, owner and scope are parameters: nothing here knows a product. */
export { WorkQueue, type WorkFailure, type WorkQueueOptions } from './workQueue';
export type { BackoffCurve } from './backoff';
