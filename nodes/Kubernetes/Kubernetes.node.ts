import {
  type IExecuteFunctions,
  type INodeExecutionData,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { lazyMethods } from '../shared/lazy';
import { resourceProperties } from '../shared/operation';
import { READ_ONLY_FIELD } from '../shared/readOnly';
import { RESOURCE_DESCRIPTIONS } from './actions';

const { searchFor, navinKubernetesApiTest } = lazyMethods(() => import('./run'));

/**
 * The node "Kubernetes". n8n requires this file in every process at start, so it holds the description only; the rest
 * is required by the first call.
 */
export class Kubernetes implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Kubernetes',
    name: 'kubernetes',
    icon: { light: 'file:kubernetes.svg', dark: 'file:kubernetes.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Read and change a Kubernetes cluster',
    defaults: { name: 'Kubernetes' },
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
        default: 'pod',
      },
      ...RESOURCE_DESCRIPTIONS.flatMap(resourceProperties),
      READ_ONLY_FIELD,
    ],
  };

  methods = {
    credentialTest: { navinKubernetesApiTest },
    listSearch: {
      searchConfigmaps: searchFor('configmap'),
      searchContainers: searchFor('container'),
      searchCronjobs: searchFor('cronjob'),
      searchDaemonsets: searchFor('daemonset'),
      searchDeployments: searchFor('deployment'),
      searchHorizontalpodautoscalers: searchFor('horizontalpodautoscaler'),
      searchIngresses: searchFor('ingress'),
      searchJobs: searchFor('job'),
      searchKinds: searchFor('kind'),
      searchNamespaces: searchFor('namespace'),
      searchNamespacesOrAll: searchFor('namespaceOrAll'),
      searchNodes: searchFor('node'),
      searchObjectsOfKind: searchFor('objectOfKind'),
      searchPersistentvolumeclaims: searchFor('persistentvolumeclaim'),
      searchPods: searchFor('pod'),
      searchSecrets: searchFor('secret'),
      searchServiceaccounts: searchFor('serviceaccount'),
      searchServices: searchFor('service'),
      searchStatefulsets: searchFor('statefulset'),
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const { execute } = await import('./run');
    return await execute(this);
  }
}
