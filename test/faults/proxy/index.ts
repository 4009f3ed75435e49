/** A TLS proxy before the real API server that misbehaves by a seeded plan. */
export { FaultProxy, type ProxyListener, type ProxyOptions } from './faultProxy';
export { describePlan, NO_FAULTS, planOf, type FaultPlan, type Refusal, type WatchFault } from './plan';
export { Upstream } from './upstream';
