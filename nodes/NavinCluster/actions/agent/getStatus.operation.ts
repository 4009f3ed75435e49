import type { KubeClient } from '../../../../core/kube';
import { presetNamespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { readController, STATUS_RIGHTS } from '../controller/status';

/** Its Deployment and its Lease have this name. */
const AGENT = 'navin-cluster-agent';

export const description = defineOperation({
  name: 'Get Status',
  value: 'getStatus',
  action: 'Get agent status',
  description: 'See whether the Navin Cluster Agent is there, and which of its replicas acts',
  rightsGroup: 'read',
  rights: STATUS_RIGHTS,
  properties: [
    presetNamespaceLocator('The namespace the agent runs in, which is the one it manages', 'navin-platform'),
  ],
});

/** What the cluster knows of the agent. What it has told the manager only the manager knows. */
export async function run(
  client: KubeClient,
  { namespace }: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<object> {
  const agent = { namespace, deployment: AGENT, container: 'agent', leaseName: () => AGENT };
  return (await readController(client, agent, context)).status;
}
