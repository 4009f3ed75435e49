/** The MCP runtime: ToolHive, what of it is installed, and the instances that the lifecycle controller has made by it. */
export { auditLine, type AuditAction } from './audit';
export { RUNTIME_COMPONENTS, TOOLHIVE_VERSION } from './charts';
export { InstanceCounter, type InstanceCounts } from './counts';
export { deleteInstance, isStillThere } from './deletion';
export { instanceNotFound, runtimeError } from './errors';
export { findInstance, type Found, type InstanceRef, type Refusal } from './find';
export { installRuntime, managedComponents, readRuntimeComponents } from './installation';
export { instanceOf, type McpInstance } from './instance';
export { instanceNamespaces, isLabelValue, managedInstances, type InstanceFilter } from './instances';
export { INSTANCE_SELECTOR, NAMESPACE_SELECTOR, RUNTIME_NAMESPACE, RUNTIME_OPERATOR } from './names';
export { isRestarted, isRestartOver } from './restart';
export { requestRestart, seeRestart } from './restartRequest';
export { isDecided, runtimeComponent, runtimeOperator, type RuntimeComponent } from './runtime';
export { mcpServers, servedVersions } from './served';
