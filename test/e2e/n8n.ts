/** A real n8n for the end-to-end tests and the demo: installed once into a cache, started with the packed package. */
export { N8nError, type N8nErrorCode } from './errors';
export type { Execution, ExecutionError, Item } from './execution';
export { installN8n, type InstallOptions, type InstallProgress, type N8nProgram } from './install';
export { startN8n, type ExecutionRow, type N8n, type N8nOptions, type StoredWorkflow } from './instance';
export { McpClient, type McpResult, type McpTool } from './mcp';
export type { Owner, RestAnswer } from './rest';
export type { KubeconfigCredential } from './package';
export { CREDENTIAL_NAME, CREDENTIAL_TYPE, kubeconfigCredential, NODE_TYPE, PACKAGE } from './package';
export { chain, START, type CredentialReference, type Workflow, type WorkflowNode } from './workflow';
