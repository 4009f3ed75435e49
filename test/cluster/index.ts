/** The disposable cluster: a real control plane with simulated nodes, for tests, the demo and people. */
export type { PolicyRule, ServiceAccountAccess, ServiceAccountOptions } from './access';
export { eventually, type ApiAnswer, type ApiRequestOptions, type ServerObject } from './api';
export type { BuildProgress } from './build';
export { Cluster, type AuditEvent, type ClusterFacts } from './cluster';
export { ClusterError, type ClusterErrorCode } from './errors';
export { BEHAVIOUR_LABEL, type PodBehaviour } from './kwok';
export type { LogContent, LogLine, LogTarget } from './logs';
export type { NodeSpec } from './nodes';
export { Processes, type Program, type ProgramExit } from './processes';
export { cacheDirectory, findPrograms } from './programs';
export type { ClusterOptions } from './layout';
export { OwnCluster, startCluster } from './start';
export { shareCluster, SHARED_OPTIONS } from './shared';
export { createShop, type ShopOptions } from './workloads';
