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
 * The node "Navin MCP Runtime". n8n requires this file in every process at start, so it holds the description only; the rest
 * is required by the first call.
 */
export class NavinMcpRuntime implements INodeType {
  description: INodeTypeDescription = {
    displayName: 'Navin MCP Runtime',
    name: 'navinMcpRuntime',
    icon: { light: 'file:navinMcpRuntime.svg', dark: 'file:navinMcpRuntime.dark.svg' },
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
    description: 'Follow the MCP runtime (ToolHive) and its managed MCP instances',
    defaults: { name: 'Navin MCP Runtime' },
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
        default: 'mcpInstance',
      },
      ...RESOURCE_DESCRIPTIONS.flatMap(resourceProperties),
      READ_ONLY_FIELD,
    ],
  };

  methods = {
    credentialTest: { navinKubernetesApiTest },
    listSearch: {
      searchMcpInstances: searchFor('instance'),
      searchMcpNamespaces: searchFor('namespace'),
    },
  };

  async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
    const { execute } = await import('./run');
    return await execute(this);
  }
}
