import type { AnyRun, ResourceDescription } from '../../shared/operation';
import * as component from './component';

/** The resources of the node. Data only: the editor's half. */
export const RESOURCE_DESCRIPTIONS: readonly ResourceDescription[] = [component.description];

/** The functions of the operations, by resource and operation: the other half, which only `run.ts` takes. */
export const RUNS: Readonly<Record<string, Readonly<Record<string, AnyRun>>>> = {
  component: component.runs,
};
