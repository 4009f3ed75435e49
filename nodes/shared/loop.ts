import { setTimeout } from 'node:timers/promises';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { NavinError } from '../../core/errors';
import type { Actions } from './actions';
import { Connections } from './connection';
import { ALL_NAMESPACES } from './locators';
import { describeFailure, failedItem, toNodeError } from './errors';
import { memoryOf } from './memory';
import { type Clock, FileItem, type OperationContext, type Output, type OutputObject } from './operation';
import { parameterInvalid, readParameters } from './parameters';
import { refuseChange } from './readOnly';
import { rightsOfGroup } from './rights';
import { isTool, toolResult } from './toolResult';

/** The clock of real executions. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    await setTimeout(ms, undefined, signal === undefined ? {} : { signal });
  },
};

/**
 * The loop over the items of a node: reads the parameters of each item, runs its operation, pairs the output with the
 * item, and turns errors into n8n's. Items run one after another. An item gives all its objects or one error, never a
 * part of them. When the execution is stopped the loop ends, whatever the node's error setting is.
 */
export async function executeItems(
  context: IExecuteFunctions,
  actions: Actions,
  clock: Clock = SYSTEM_CLOCK,
): Promise<INodeExecutionData[][]> {
  const node = context.getNode();
  const signal = context.getExecutionCancelSignal();
  const shared = contextOf(context, actions, clock, signal);
  const connections = new Connections(context, signal, (warning) => {
    shared.note(`The API server warns: ${warning}`);
  });
  const output: INodeExecutionData[] = [];
  try {
    for (const [item, { json: input }] of context.getInputData().entries()) {
      try {
        const readFile = inputFileReader(context, item);
        const items = await runItem(context, actions, connections, { ...shared, input, readFile }, item);
        const pairedItem = { item };
        for (const made of isTool(node) ? toolResult(items) : items) output.push({ ...made, pairedItem });
      } catch (error) {
        const failure = describeFailure(error);
        if (!context.continueOnFail() || signal?.aborted === true) throw toNodeError(node, failure, item);
        output.push(failedItem(failure, item));
      }
    }
  } finally {
    connections.close();
  }
  return [output];
}

async function runItem(
  context: IExecuteFunctions,
  actions: Actions,
  connections: Connections,
  operationContext: OperationContext,
  item: number,
): Promise<readonly INodeExecutionData[]> {
  if (operationContext.signal?.aborted === true) throw new NavinError('k8s_aborted', 'The execution was stopped');
  const resource = context.getNodeParameter('resource', item);
  const name = context.getNodeParameter('operation', item);
  const operation = actions.find(resource, name);
  if (operation === undefined) {
    throw parameterInvalid('operation', 'Operation', 'is not one this node has', 'Choose a resource and an operation');
  }
  const { description, run } = operation;
  refuseChange(context, description, item);
  const values = readParameters(
    (parameter, fallback) => context.getNodeParameter(parameter, item, fallback),
    description.properties,
  );
  const client = await connections.open(item);
  const parameters = withNamespace(values, client.target.namespace, description.allNamespaces === true);
  return await collect(run(client, parameters as never, operationContext), context);
}

/** Nothing chosen as namespace stands for the namespace of the credential; only lists take all of them. */
function withNamespace(
  values: Readonly<Record<string, unknown>>,
  namespace: string,
  allNamespaces: boolean,
): Readonly<Record<string, unknown>> {
  if (values.namespace === ALL_NAMESPACES && !allNamespaces) {
    throw parameterInvalid('namespace', 'Namespace', 'must be one namespace, not all of them (*)');
  }
  return values.namespace === '' ? { ...values, namespace } : values;
}

async function collect(
  result: Promise<Output> | AsyncIterable<readonly OutputObject[]>,
  context: IExecuteFunctions,
): Promise<readonly INodeExecutionData[]> {
  const output = result instanceof Promise ? await result : result;
  const items: INodeExecutionData[] = [];
  for await (const page of pagesOf(output)) {
    for (const object of page)
      items.push(object instanceof FileItem ? await withFile(object, context) : itemOf(object));
  }
  return items;
}

function pagesOf(output: Output): AsyncIterable<readonly OutputObject[]> | readonly (readonly OutputObject[])[] {
  if (Array.isArray(output)) return [output as readonly OutputObject[]];
  return Symbol.asyncIterator in output ? output : [[output]];
}

function itemOf(object: OutputObject): INodeExecutionData {
  return { json: object as IDataObject };
}

/** The file goes where n8n keeps files as soon as it is there, so that no more than one is held. */
async function withFile({ json, file }: FileItem, { helpers }: IExecuteFunctions): Promise<INodeExecutionData> {
  const { data, name, mimeType, field = 'data', release } = file;
  const stored = await helpers.prepareBinaryData(data, name, mimeType);
  release?.();
  return { ...itemOf(json), binary: { [field]: stored } };
}

/** Reads files of an item from where n8n keeps them. */
function inputFileReader({ helpers }: IExecuteFunctions, item: number): OperationContext['readFile'] {
  return async (field, maxBytes) => {
    const { fileName, bytes } = helpers.assertBinaryData(item, field);
    const tooLarge = (): NavinError =>
      parameterInvalid('inputField', 'Input File Field', `names a file of more than ${String(maxBytes)} bytes`);
    if (bytes !== undefined && bytes > maxBytes) throw tooLarge();
    const data = await helpers.getBinaryDataBuffer(item, field);
    if (data.length > maxBytes) throw tooLarge();
    return { name: fileName, data };
  };
}

function contextOf(
  context: IExecuteFunctions,
  actions: Actions,
  clock: Clock,
  signal: AbortSignal | undefined,
): Omit<OperationContext, 'input' | 'readFile'> {
  return {
    clock,
    signal,
    note: (message) => {
      context.addExecutionHints({ message, location: 'outputPane' });
    },
    log: (level, line) => {
      context.logger[level](line);
    },
    progress: (message) => {
      context.logger.info(message);
      context.sendMessageToUI(message);
    },
    memory: () => memoryOf(context),
    rightsOfGroup: (group) => rightsOfGroup(group, actions.descriptions),
  };
}
