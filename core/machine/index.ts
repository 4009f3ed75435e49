/** The nodes of a cluster (n8n has nodes, too): draining, taints, and what their pods have asked for and use. */
export { allocationOf, holdsResources } from './allocation';
export { drainPods, podsOnNode } from './drain';
export { planDrain, type DrainPlan } from './drainPlan';
export { evictPod, tryEviction } from './evict';
export type { PodIdentity } from './podOnNode';
export { findTaint, taintsOf, taintText, withoutTaint, withTaint, type Taint } from './taints';
export { nodeUsage, podUsage, usedOf } from './usage';
