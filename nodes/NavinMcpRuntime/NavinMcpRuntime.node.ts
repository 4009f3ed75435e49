import {
  type ICredentialsDecrypted,
  type ICredentialTestFunctions,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INodeCredentialTestResult,
  type INodeExecutionData,
  type INodeListSearchResult,
  type INodeType,
  type INodeTypeDescription,
  NodeConnectionTypes,
} from 'n8n-workflow';
import { resourceProperties } from '../shared/operation';
import { READ_ONLY_FIELD } from '../shared/readOnly';
import { RESOURCE_DESCRIPTIONS } from './actions';
import type { SearchTarget } from './run';

type ListSearch = (this: ILoadOptionsFunctions, filter?: string, token?: string) => Promise<INodeListSearchResult>;

function searchFor(what: SearchTarget): ListSearch {
  return async function (this: ILoadOptionsFunctions, filter?: string, token?: string) {
    const { search } = await import('./run');
    return await search(this, what, filter, token);
  };
}

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
    credentialTest: {
      async navinKubernetesApiTest(
        this: ICredentialTestFunctions,
        credential: ICredentialsDecrypted,
      ): Promise<INodeCredentialTestResult> {
        const { test } = await import('./run');
        return await test(credential);
      },
    },
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
