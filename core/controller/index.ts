/** What operators and the agent stand on. Which kinds, owner and scope are parameters: nothing here knows a product. */
export type { BackoffCurve } from './backoff';
export { Informer, type InformerOptions, type ScopeHealth } from './informer';
export { Lease, type LeaseOptions } from './lease';
export { uniqueHolder } from './leaseRecord';
export type { LeaseTerm, TermEnd } from './leaseTerm';
export type { OnChange } from './mirror';
export type { ScopeFault } from './reflector';
export { kubeSource, type Source, type SourceFilter } from './source';
export { keyOf, objectKey, type Indexer } from './store';
export { WorkQueue, type WorkFailure, type WorkQueueOptions } from './workQueue';
