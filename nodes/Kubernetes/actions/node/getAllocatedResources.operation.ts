import { type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { allocationOf, holdsResources } from '../../../../core/machine';
import { textAt } from '../../../shared/json';
import { nameLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';

export const description = defineOperation({
  name: 'Get Allocated Resources',
  value: 'getAllocatedResources',
  action: 'Get allocated resources of node',
  description: 'Requests and limits of the pods on a node against what it can give',
  rightsGroup: 'nodes',
  rights: [
    { verb: 'get', group: '', resource: 'nodes', clusterWide: true },
    { verb: 'list', group: '', resource: 'pods', clusterWide: true },
  ],
  properties: [nameLocator('node')],
});

/** The same numbers as `kubectl describe node`; limits may be over 100 percent. */
export async function run(client: KubeClient, { name }: ParametersOf<typeof description>): Promise<object> {
  const node = await client.get(RESOURCES.nodes, { name });
  const pods: KubeObject[] = [];
  const onNode = { fieldSelector: `spec.nodeName=${name}`, dropManagedFields: true };
  for await (const { items } of client.pages(RESOURCES.pods, onNode)) pods.push(...items.filter(holdsResources));
  return {
    name,
    pods: pods.length,
    podsAllocatable: textAt(node, 'status', 'allocatable', 'pods') ?? '',
    resources: allocationOf(node, pods),
  };
}
