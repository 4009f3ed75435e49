/** A TLS proxy before the real API server that misbehaves by a seeded plan. */
export { FaultProxy, type ProxyGuard } from './faultProxy';
export { describePlan, NO_FAULTS, planOf, type FaultPlan, type RequestFault, type WatchFault } from './plan';
export { Upstream } from './upstream';
