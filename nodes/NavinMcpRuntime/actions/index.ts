import type { AnyRun, ResourceDescription } from '../../shared/operation';
import * as mcpInstance from './mcpInstance';
import * as mcpRuntime from './mcpRuntime';

/** The resources of the node, in the order of the dropdown. Data only: the editor's half. */
export const RESOURCE_DESCRIPTIONS: readonly ResourceDescription[] = [mcpInstance.description, mcpRuntime.description];

/** The functions of the operations, by resource and operation: the other half, which only `run.ts` takes. */
export const RUNS: Readonly<Record<string, Readonly<Record<string, AnyRun>>>> = {
  mcpInstance: mcpInstance.runs,
  mcpRuntime: mcpRuntime.runs,
};
