import type { IExecuteFunctions } from 'n8n-workflow';
import { NavinError } from '../../core/errors';

/** By it the trigger of this package is known. */
const TRIGGER = '.kubernetesTrigger';

/**
 * What n8n keeps with the workflow for this node from one execution to the next: it is stored at the end of executions of the
 * active workflow, and never by those of the editor. n8n has one such store for all nodes of a workflow, and the last writer
 * of the whole of it wins: the trigger of this package, which writes while executions run, would lose its place or undo what
 * is kept here.
 * @throws NavinError `k8s_parameter_invalid` in a workflow of that trigger
 */
export function memoryOf(
  context: Pick<IExecuteFunctions, 'getNode' | 'getParentNodes' | 'getWorkflowStaticData'>,
): Record<string, unknown> {
  const parents = context.getParentNodes(context.getNode().name);
  if (parents.some(({ type }) => type.endsWith(TRIGGER))) {
    throw new NavinError(
      'k8s_parameter_invalid',
      'A workflow of the Kubernetes Trigger cannot keep anything for this node',
      {
        hint: 'Let the trigger call another workflow that has this node (Execute Sub-workflow), or give what is compared',
      },
    );
  }
  return context.getWorkflowStaticData('node');
}
