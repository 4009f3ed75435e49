import {
  type ICredentialDataDecryptedObject,
  type ICredentialTestFunctions,
  type IDataObject,
  type IExecuteFunctions,
  type ILoadOptionsFunctions,
  type INode,
  type INodeCredentialTestResult,
  type INodeExecutionData,
  type INodeParameters,
  NodeHelpers,
} from 'n8n-workflow';
import { Kubernetes } from '../../../nodes/Kubernetes/Kubernetes.node';
import { NavinMcpRuntime } from '../../../nodes/NavinMcpRuntime/NavinMcpRuntime.node';
import { NavinCluster } from '../../../nodes/NavinCluster/NavinCluster.node';
import { NavinComponent } from '../../../nodes/NavinComponent/NavinComponent.node';

/** What a test says about an execution. */
export interface Execution {
  /** As the editor stores them; a text that begins with `=` is looked up in `expressions`. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly expressions?: Readonly<Record<string, (item: number) => unknown>>;
  readonly credential: ICredentialDataDecryptedObject | (() => Promise<ICredentialDataDecryptedObject>);
  /** One empty item by default. */
  readonly items?: readonly IDataObject[];
  readonly onError?: INode['onError'];
  readonly signal?: AbortSignal;
  readonly helpers?: Partial<IExecuteFunctions['helpers']>;
  /** What n8n keeps with the workflow for the node. */
  readonly memory?: IDataObject;
  /** The types of the nodes before it. */
  readonly parents?: readonly string[];
  /** The variant that n8n makes of the node for AI agents. */
  readonly asTool?: true;
}

/** A context that says what was noted in it. */
export type TestContext = IExecuteFunctions & { readonly notes: string[]; readonly logged: string[] };

/** The nodes that act; an execution is of the one that has its resource. */
export const NODE_TYPES = [new Kubernetes(), new NavinCluster(), new NavinComponent(), new NavinMcpRuntime()];

function nodeTypeOf({ resource }: Readonly<Record<string, unknown>>): (typeof NODE_TYPES)[number] {
  const found = NODE_TYPES.find(({ description: { properties } }) => {
    const { options = [] } = properties.find(({ name }) => name === 'resource') ?? {};
    return options.some((option) => 'value' in option && option.value === resource);
  });
  return found ?? new Kubernetes();
}

/** The node as a workflow holds it, with the defaults n8n fills in and without what is hidden. */
export function nodeOf(parameters: Readonly<Record<string, unknown>>, onError?: INode['onError']): INode {
  const { description } = nodeTypeOf(parameters);
  const node: INode = {
    id: 'b1c3',
    name: description.displayName,
    type: `@navin/n8n-nodes-kubernetes.${description.name}`,
    typeVersion: 1,
    position: [0, 0],
    parameters: parameters as INodeParameters,
    credentials: { navinKubernetesApi: { id: 'cred-1', name: 'Test cluster' } },
    ...(onError === undefined ? {} : { onError }),
  };
  const filled = NodeHelpers.getNodeParameters(description.properties, node.parameters, true, false, node, description);
  return { ...node, parameters: filled ?? {} };
}

/**
 * A context as n8n gives one to `execute()`: defaults and hidden parameters as n8n's own code decides them, expressions
 * by functions.
 */
export function executionContext(execution: Execution): TestContext {
  const {
    expressions = {},
    credential,
    items = [{}],
    onError,
    signal,
    helpers = {},
    memory = {},
    parents = [],
  } = execution;
  const plain = nodeOf(execution.parameters, onError);
  const node = execution.asTool === true ? { ...plain, type: `${plain.type}Tool` } : plain;
  const notes: string[] = [];
  const logged: string[] = [];
  const context = {
    notes,
    logged,
    logger: {
      info: (message: string) => logged.push(message),
      warn: (message: string) => logged.push(message),
    },
    sendMessageToUI: () => undefined,
    getNode: () => structuredClone(node),
    getInputData: (): INodeExecutionData[] => items.map((json) => ({ json })),
    getNodeParameter: (name: string, item: number, fallback?: unknown, options?: { rawExpressions?: boolean }) => {
      const value = node.parameters[name] ?? fallback;
      if (value === undefined) throw new Error(`Could not get parameter ${name}`);
      return options?.rawExpressions === true ? value : resolve(value, expressions, item);
    },
    getCredentials: async () => await Promise.resolve(typeof credential === 'function' ? credential() : credential),
    getExecutionCancelSignal: () => signal,
    getWorkflowStaticData: () => memory,
    getParentNodes: () => parents.map((type) => ({ name: type, type, typeVersion: 1 })),
    continueOnFail: () => onError === 'continueRegularOutput' || onError === 'continueErrorOutput',
    addExecutionHints: ({ message }: { message: string }) => notes.push(message),
    helpers,
  };
  return context as unknown as TestContext;
}

/** Runs the node as n8n does and gives the items of its output. */
export async function execute(execution: Execution): Promise<INodeExecutionData[]> {
  const [items] = await nodeTypeOf(execution.parameters).execute.call(executionContext(execution));
  return items ?? [];
}

/** Runs the node and gives the `json` of each item. */
export async function outputOf(execution: Execution): Promise<IDataObject[]> {
  return (await execute(execution)).map(({ json }) => json);
}

/** A context as n8n gives one to a list search in the editor. */
export function editorContext(
  parameters: Readonly<Record<string, unknown>>,
  credential: ICredentialDataDecryptedObject,
): ILoadOptionsFunctions {
  const node = nodeOf(parameters);
  const context = {
    getNode: () => structuredClone(node),
    getCredentials: async () => await Promise.resolve(credential),
    getCurrentNodeParameter: (name: string) => {
      const value = node.parameters[name];
      return typeof value === 'object' && value !== null && 'value' in value ? value.value : value;
    },
    helpers: {},
    logger: { warn: () => undefined },
  };
  return context as unknown as ILoadOptionsFunctions;
}

/** Runs the connection test as n8n does; without data when there is none. */
export async function testConnection(data?: ICredentialDataDecryptedObject): Promise<INodeCredentialTestResult> {
  const credential = { id: 'cred-1', name: 'Test cluster', type: 'navinKubernetesApi', ...(data ? { data } : {}) };
  const context = {} as ICredentialTestFunctions;
  return await new Kubernetes().methods.credentialTest.navinKubernetesApiTest.call(context, credential);
}

/** A locator filled by name. */
export function named(value: string): object {
  return { __rl: true, mode: 'name', value };
}

function resolve(value: unknown, expressions: NonNullable<Execution['expressions']>, item: number): unknown {
  if (typeof value === 'string' && value.startsWith('=')) {
    const expression = expressions[value];
    if (expression === undefined) throw new Error(`No expression ${value}`);
    return expression(item);
  }
  if (Array.isArray(value)) return value.map((entry: unknown) => resolve(entry, expressions, item));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, resolve(entry, expressions, item)]));
}
