/** The nodes of a cluster (n8n has nodes, too): draining, taints, and what their pods have asked for. */
export { allocationOf, holdsResources, type Allocation } from './allocation';
export { drainPods, podsOnNode, type DrainOptions, type DrainResult } from './drain';
export { planDrain, type DrainLeave, type DrainPlan, type RefusalReason, type SkipReason } from './drainPlan';
export type { EvictionAnswer, PodProgress } from './drainProgress';
export { budgetOf, evictPod, tryEviction } from './evict';
export type { PodIdentity, PodOnNode } from './podOnNode';
export { findTaint, taintsOf, taintText, withoutTaint, withTaint, type Taint } from './taints';
