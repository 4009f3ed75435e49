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
 * The node "Navin Component". n8n requires this file in every process at start, so it holds the description only; the rest
 * is required by the first call.
 */
export class NavinComponent implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Navin Component',
    name: 'navinComponent',
    icon: { light: 'file:navinComponent.svg', dark: 'file:navinComponent.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Install, run and maintain components of the Navin platform',
    defaults: { name: 'Navin Component' },
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
        default: 'component',
      },
      ...RESOURCE_DESCRIPTIONS.flatMap(resourceProperties),
      READ_ONLY_FIELD,
    ],
  };

  methods = {
    credentialTest: { navinKubernetesApiTest },
    listSearch: {
      searchComponents: searchFor('component'),
      searchNamespaces: searchFor('namespace'),
      searchNamespacesOrAll: searchFor('namespaceOrAll'),
      searchSecretKeys: searchFor('secretKey'),
      searchSecrets: searchFor('secret'),
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const { execute } = await import('./run');
    return await execute(this);
  }
}
