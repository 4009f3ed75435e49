import { randomUUID } from 'node:crypto';

/** Where in a workflow a credential is named. */
export interface CredentialReference {
  readonly id: string | null;
  readonly name: string;
}

/** A node of a workflow. */
export interface WorkflowNode {
  readonly id?: string;
  readonly name: string;
  readonly type: string;
  readonly typeVersion?: number;
  readonly position?: readonly [number, number];
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly credentials?: Readonly<Record<string, CredentialReference>>;
  readonly onError?: 'stopWorkflow' | 'continueRegularOutput' | 'continueErrorOutput';
  readonly [key: string]: unknown;
}

/** A workflow as n8n imports it. */
export interface Workflow {
  readonly name: string;
  readonly nodes: readonly WorkflowNode[];
  readonly connections: Readonly<Record<string, unknown>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly [key: string]: unknown;
}

/** Name of the node that starts the workflows made by `chain`. */
export const START = 'Start';

/** A workflow that runs nodes one after another when somebody starts it by hand. */
export function chain(name: string, nodes: readonly WorkflowNode[]): Workflow {
  const start: WorkflowNode = { name: START, type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 };
  const all = [start, ...nodes];
  const pairs = all.slice(1).map((node, index) => [all[index]?.name ?? '', node.name] as const);
  return {
    name,
    nodes: all.map((node, index) => ({
      id: randomUUID(),
      typeVersion: 1,
      position: [index * 220, 0],
      parameters: {},
      ...node,
    })),
    connections: Object.fromEntries(
      pairs.map(([from, to]) => [from, { main: [[{ node: to, type: 'main', index: 0 }]] }]),
    ),
    settings: {},
  };
}
