import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { lazyMethods } from '../shared/lazy';
import { resourceProperties } from '../shared/operation';
import { RESOURCE_DESCRIPTIONS } from './actions';

const { searchFor, navinKubernetesApiTest } = lazyMethods(() => import('./run'));

/**
 * The node "Navin Cluster". n8n requires this file in every process at start, so it holds the description only; the rest
 * is required by the first call. It has no switch Read Only: nothing it does changes a cluster.
 */
export class NavinCluster implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Navin Cluster',
    name: 'navinCluster',
    icon: { light: 'file:navinCluster.svg', dark: 'file:navinCluster.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'See what a Kubernetes cluster consists of, and how the Navin platform is on it',
    defaults: { name: 'Navin Cluster' },
    usableAsTool: true,
    inputs: [NodeConnectionTypes.Main],
    outputs: [NodeConnectionTypes.Main],
    credentials: [{ name: 'navinKubernetesApi', required: true, testedBy: 'navinKubernetesApiTest' }],
    properties: [
      {
        displayName: 'Resource',
        name: 'resource',
        type: 'options',
        noDataExpression: true,
        options: RESOURCE_DESCRIPTIONS.map(({ name, value }) => ({ name, value })),
        default: 'inventory',
      },
      ...RESOURCE_DESCRIPTIONS.flatMap(resourceProperties),
    ],
  };

  methods = {
    credentialTest: { navinKubernetesApiTest },
    listSearch: {
      searchNamespaces: searchFor('namespace'),
      searchNamespacesOrAll: searchFor('namespaceOrAll'),
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const { execute } = await import('./run');
    return await execute(this);
  }
}
