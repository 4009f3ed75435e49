/**
 * Cluster events for workflows, neither lost nor repeated: passes over watches as pure decisions, the hand-over to n8n as
 * a state machine, ready-made conditions, and a thin engine that runs them. Knows nothing of n8n.
 */
export { kubeClusterPort } from './clusterPort';
export {
  ALL_COMPONENT_FIELDS,
  COMPONENT_FIELDS,
  COMPONENT_RESOURCE,
  componentFields,
  CONDITIONS,
  type ComponentDimension,
  type ConditionName,
  type ConditionRule,
} from './conditions';
export { MIN_INTERVAL_MS, STOP_MS, TriggerEngine, type EngineOptions } from './engine';
export type { Fault } from './faults';
export type { Outcome } from './handover';
export { keyOf, type TriggerOwner } from './identity';
export { systemClock, type Clock, type ClusterPort, type HandoverPort } from './ports';
export { sharedRegistry, TriggerRegistry } from './registry';
export { sampleEvents } from './samples';
export {
  checkSettings,
  DEFAULT_TRACKED,
  MAX_TRACKED,
  type ChangesChoice,
  type ChangeType,
  type CheckedSettings,
  type ConditionChoice,
  type ModifiedWhen,
  type TriggerSettings,
} from './settings';
export type { StoredState } from './stateCodec';
export type { Note } from './step';
export type { FieldChange, IncidentReport, PassContext, TriggerEvent } from './triggerEvent';
