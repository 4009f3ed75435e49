import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Workflow } from './workflow';

const EXAMPLES = resolve(__dirname, '..', '..', 'examples');

/** The example workflows, as they stand in examples/*.json, by file name. */
export function exampleWorkflows(): ReadonlyMap<string, Workflow> {
  const files = readdirSync(EXAMPLES).filter((file) => file.endsWith('.json'));
  return new Map(files.map((file) => [file, JSON.parse(readFileSync(join(EXAMPLES, file), 'utf8')) as Workflow]));
}

/** An example workflow. */
export function exampleWorkflow(file: string): Workflow {
  const workflow = exampleWorkflows().get(file);
  if (workflow === undefined) throw new Error(`examples/${file} is missing`);
  return workflow;
}

/** Name of the node that starts a workflow. */
export function triggerOf({ name, nodes }: Workflow): string {
  const trigger = nodes.find(({ type }) => /trigger$/i.test(type));
  if (trigger === undefined) throw new Error(`the workflow "${name}" has no trigger`);
  return trigger.name;
}

/**
 * A copy of a workflow with other values in one of its Edit Fields nodes: what a person types there.
 *
 * @param fields values by field name; each must be there already
 */
export function withFields(workflow: Workflow, node: string, fields: Readonly<Record<string, unknown>>): Workflow {
  const copy = structuredClone(workflow);
  const target = copy.nodes.find(({ name }) => name === node);
  const { assignments } = (target?.parameters?.assignments ?? { assignments: [] }) as {
    assignments: { name: string; value: unknown }[];
  };
  for (const [name, value] of Object.entries(fields)) {
    const assignment = assignments.find((candidate) => candidate.name === name);
    if (assignment === undefined) throw new Error(`the node "${node}" of "${workflow.name}" has no field ${name}`);
    assignment.value = value;
  }
  return copy;
}
