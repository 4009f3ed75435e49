/** A TLS proxy before the real API server that misbehaves by a seeded plan. */
export { FaultProxy } from './faultProxy';
export { describePlan, planOf, type FaultPlan } from './plan';
export { Upstream } from './upstream';
