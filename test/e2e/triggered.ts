import { randomUUID } from 'node:crypto';
import type { CredentialReference, Workflow, WorkflowNode } from './n8n';
import { CREDENTIAL_TYPE, TRIGGER_TYPE } from './package';

/** Looks often, and watches without pause: nobody who waits for the execution has to wait for the next look. */
export const AT_ONCE = { interval: 15, window: 15 };

/** What of the workflow is not as usual. */
interface Unusual {
  /** Of the node after the trigger, which else does nothing. */
  readonly after?: Partial<WorkflowNode>;
  readonly settings?: Readonly<Record<string, unknown>>;
}

/** A workflow that the trigger starts, and one node after it. */
export function triggered(
  { credential }: { readonly credential: CredentialReference },
  name: string,
  parameters: Readonly<Record<string, unknown>>,
  more: Unusual = {},
): Workflow {
  const trigger: WorkflowNode = {
    id: randomUUID(),
    name: 'When it changes',
    type: TRIGGER_TYPE,
    typeVersion: 1,
    position: [0, 0],
    parameters: { options: AT_ONCE, ...parameters },
    credentials: { [CREDENTIAL_TYPE]: credential },
  };
  const after: WorkflowNode = {
    id: randomUUID(),
    name: 'After',
    type: 'n8n-nodes-base.noOp',
    typeVersion: 1,
    position: [220, 0],
    parameters: {},
    ...more.after,
  };
  return {
    name,
    nodes: [trigger, after],
    connections: { [trigger.name]: { main: [[{ node: after.name, type: 'main', index: 0 }]] } },
    settings: { executionOrder: 'v1', ...more.settings },
  };
}

/** The name where an execution has no item. */
export const NO_ITEM = 'nothing';

/** The ConfigMap that an execution was started for, also where the execution never ran. */
export function configMapIn(storedExecution: unknown): { readonly name: string; readonly gap: boolean } {
  const text = JSON.stringify(storedExecution);
  const item = /"gap":(true|false),"cluster":"[^"]*","resource":"configmaps"[^{}]*?"name":"([^"]+)"/.exec(text);
  return { name: item?.[2] ?? NO_ITEM, gap: item?.[1] === 'true' };
}
