import type { AnyRun, ResourceDescription } from '../../shared/operation';
import * as agent from './agent';
import * as inventory from './inventory';
import * as operator from './operator';
import * as rights from './rights';

/** The resources of the node, in the order of the dropdown. Data only: the editor's half. */
export const RESOURCE_DESCRIPTIONS: readonly ResourceDescription[] = [
  agent.description,
  inventory.description,
  operator.description,
  rights.description,
];

/** The functions of the operations, by resource and operation: the other half, which only `run.ts` takes. */
export const RUNS: Readonly<Record<string, Readonly<Record<string, AnyRun>>>> = {
  agent: agent.runs,
  inventory: inventory.runs,
  operator: operator.runs,
  rights: rights.runs,
};
