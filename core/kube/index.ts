/** The API of a cluster: requests, discovery, lists, patches, watches, logs, access reviews, and what its answers mean. */
export { ifFound, isNotFound } from './absence';
export type { AccessReview, UserInfo } from './access';
export { apiVersionOf, holdsSecrets, METRICS, RESOURCES, type ApiResource } from './apiResource';
export { KubeClient } from './client';
export type { KubeClientOptions } from './clientOptions';
export type { CommandOptions, CommandResult, OutputSink } from './command';
export {
  containerNames,
  containerState,
  defaultContainer,
  type ContainerNames,
  type ContainerState,
} from './containers';
export { CRON_JOB_NAME_HINT, cronJobProblem, MAX_CRON_JOB_NAME, scheduleProblem, timeZoneProblem } from './cronJob';
export type { DiscoveryFailure } from './discovery';
export { KubeApiError, KubeConnectionError, type FieldConflict, type RequestPhase, type StatusCause } from './errors';
export { parseFieldPath, readField, rootOf, type FieldPath } from './fieldPath';
export type { FollowOptions } from './followLog';
export { GrowingBytes } from './growingBytes';
export { jobState, type JobState } from './jobState';
export { selectorMatches, selectorText, selectsAll } from './labelSelector';
export {
  compareResourceVersions,
  isKubeObject,
  isRecord,
  type KubeObject,
  type ObjectMeta,
  type ObjectRef,
  type OwnerReference,
} from './kubeObject';
export type { ListOptions, ListPage } from './lists';
export { MAX_LOG_BYTES, type LogBytes, type LogOptions, type LogText, type PodRef } from './logs';
export type { PackedItems } from './packedItems';
export type { PagesOptions } from './pages';
export {
  minimalRoles,
  resourceName,
  rolesYaml,
  type AccessAttributes,
  type PolicyRule,
  type RoleManifest,
  type RoleYamlOptions,
} from './rbac';
export { findBuiltIn } from './resourceNames';
export { addQuantities, largerQuantity, parseQuantity, quantityText, ZERO, type Quantity } from './quantity';
export { rolloutStatus, type RolloutPhase, type RolloutStatus } from './rollout';
export { describeSubject } from './subject';
export { isSupported, MINIMUM_VERSION, parseVersion, type VersionInfo } from './version';
export type { WatchEvent, WatchOptions } from './watch';
export {
  FIELD_MANAGER,
  type CreateRef,
  type DeleteOptions,
  type JsonPatchOperation,
  type Patch,
  type WriteOptions,
} from './writes';
