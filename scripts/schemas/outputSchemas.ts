import type { KubeClient } from '../../core/kube';
import type { OperationContext, OperationDescription, Output, OutputObject } from '../../nodes/shared/operation';
import type { Property } from '../../nodes/shared/property';
import { rightsOfGroup } from '../../nodes/shared/rights';
import { NODES, OPERATIONS } from '../../nodes/catalog';
import { sampleClient } from './sampleClient';

/** A JSON schema as n8n's editor reads it, to offer fields before the first run. */
export interface OutputSchema {
  readonly type: 'object' | 'array' | 'string' | 'number' | 'boolean' | 'null';
  readonly properties?: Readonly<Record<string, OutputSchema>>;
  readonly items?: OutputSchema;
}

/** The schema of an operation's items. */
export interface OperationSchema {
  /** The folder of the node. */
  readonly node: string;
  readonly resource: string;
  readonly operation: string;
  readonly schema: OutputSchema & { readonly version: 1 };
}

const MANIFEST = 'apiVersion: v1\nkind: ConfigMap\nmetadata: { name: web }\n';

/** What Discover has given before. */
const INVENTORY = '{"distribution":"k3s","version":"v1.36.1+k3s1","discoveredAt":"2026-01-01T00:00:00.000Z"}';

/** A key to set. */
const SAMPLE_ENTRY = { key: 'color', from: 'text', value: 'blue', inputField: 'data' };

/** A variable to set. */
const SAMPLE_VARIABLE = { name: 'LOG_LEVEL', from: 'text', value: 'debug', source: '', key: '', optional: false };

/** The choices of the operations on a kind that rolls out pods; the samples belong to a GitOps tool. */
function workload(kind: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const options = { force: true };
  return {
    [`${kind}.pause`]: { options },
    [`${kind}.resume`]: { options },
    [`${kind}.scale`]: { options },
    [`${kind}.setEnvironment`]: { variables: { variable: [SAMPLE_VARIABLE] }, options },
    [`${kind}.setImage`]: { container: 'web', image: 'nginx:1.28', options },
    [`${kind}.undo`]: { revision: 2, options },
    [`${kind}.getRolloutStatus`]: { wait: true, timeoutSeconds: 0, onFailure: 'output' },
  };
}

/** Parameters without which an operation has no output to show; all others keep their defaults. */
const CHOSEN: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'any.apply': { manifest: MANIFEST, options: { reportOutcome: true } },
  'any.create': { manifest: MANIFEST },
  'any.wait': { kind: 'jobs', condition: 'Failed', timeoutSeconds: 0, onFailure: 'output' },
  'any.annotate': { remove: ['a'] },
  'any.label': { remove: ['a'] },
  'any.diff': { manifest: MANIFEST },
  'any.patch': { patch: '{}' },
  'any.replace': { manifest: MANIFEST },
  'any.delete': { wait: true, timeoutSeconds: 0, onFailure: 'output' },
  ...workload('deployment'),
  ...workload('statefulset'),
  ...workload('daemonset'),
  'inventory.discover': { compare: 'given', before: INVENTORY, output: 'inventory' },
  'inventory.compare': { before: INVENTORY, after: INVENTORY.replace('v1.36.1', 'v1.36.2') },
  'job.create': { definition: 'fields', image: 'busybox:1.36' },
  'pod.downloadFile': { path: '/etc/app/config.json' },
  'pod.execute': { script: 'cat /etc/app/config.json' },
  'pod.uploadFile': { path: '/etc/app/config.json' },
  'configmap.removeKeys': { keys: ['color'] },
  'configmap.setKeys': { keys: { entry: [SAMPLE_ENTRY] } },
  'secret.removeKeys': { keys: ['password'] },
  'secret.setKeys': { keys: { entry: [SAMPLE_ENTRY] } },
  'cronjob.create': { definition: 'fields', schedule: '@daily', image: 'busybox:1.36' },
  'cronjob.runNow': { wait: true, timeoutSeconds: 0, onFailure: 'output' },
  'node.drain': { timeoutSeconds: 0, onFailure: 'output', options: { evictUnmanaged: true } },
  'node.taint': { key: 'dedicated', effect: 'NoExecute' },
  'node.untaint': { key: 'dedicated' },
  'component.configure': { version: '1.3.0', wait: true, timeoutSeconds: 0, onFailure: 'output' },
  'component.install': { chartPath: 'web', wait: true, timeoutSeconds: 0, onFailure: 'output' },
  'component.remove': { wait: true, timeoutSeconds: 0, onFailure: 'output' },
  'component.restart': { wait: true, timeoutSeconds: 0, onFailure: 'output' },
  'component.rollingRestart': { wait: true, timeoutSeconds: 0, onFailure: 'output' },
  'component.scale': { replicas: 3, wait: true, timeoutSeconds: 0, onFailure: 'output' },
  'component.setMaintenance': { wait: true, timeoutSeconds: 0, onFailure: 'output' },
  'component.stop': { wait: true, timeoutSeconds: 0, onFailure: 'output' },
  'component.start': { wait: true, timeoutSeconds: 0, onFailure: 'output' },
  'component.wait': { timeoutSeconds: 0, onFailure: 'output' },
  'mcpInstance.delete': { wait: true, timeoutSeconds: 0, onFailure: 'output' },
  'mcpInstance.restart': { wait: true, timeoutSeconds: 0, onFailure: 'output' },
  'mcpRuntime.install': { wait: true, timeoutSeconds: 0 },
  'job.wait': { onFailure: 'output' },
};

/** Runs every operation on the samples and reads the schema of its items off the first one. */
export async function outputSchemas(): Promise<readonly OperationSchema[]> {
  const all = NODES.flatMap(({ folder, resources }) =>
    resources.flatMap(({ value, operations }) =>
      operations.map((description) => ({ node: folder, resource: value, description })),
    ),
  );
  return Promise.all(
    all.map(async ({ node, resource, description }) => {
      const object = await firstObject(resource, description);
      return { node, resource, operation: description.value, schema: { ...schemaOf(object), version: 1 } };
    }),
  );
}

/** Runs an operation with the parameters of the samples, on any client. @param more parameters in place of theirs */
export function runSample(
  client: KubeClient,
  resource: string,
  description: OperationDescription,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Output> | AsyncIterable<readonly OutputObject[]> {
  const run = NODES.find(({ runs }) => runs[resource] !== undefined)?.runs[resource]?.[description.value];
  if (run === undefined) throw new Error(`${resource}.${description.value} has no function`);
  const parameters = {
    ...Object.fromEntries(description.properties.map((property) => [property.name, defaultOf(property)])),
    namespace: 'shop',
    name: resource === 'job' ? 'import' : 'web',
    ...CHOSEN[`${resource}.${description.value}`],
    ...more,
  };
  return run(client, parameters as never, CONTEXT);
}

async function firstObject(resource: string, description: OperationDescription): Promise<object> {
  const output = await runSample(sampleClient(), resource, description);
  if (Array.isArray(output)) return first(output as readonly object[]);
  if (!(Symbol.asyncIterator in output)) return output;
  for await (const page of output) return first(page);
  throw new Error('an operation gave no page');
}

/** n8n's defaults as the loop hands them over: nothing chosen in a locator, a record of lists as fixed collection. */
function defaultOf({ type, default: value, options }: Property): unknown {
  if (type === 'resourceLocator') return '';
  if (type !== 'fixedCollection') return value;
  return Object.fromEntries((options ?? []).map(({ name }) => [name, []]));
}

const CONTEXT: OperationContext = {
  clock: { now: () => 0, sleep: () => Promise.resolve() },
  signal: undefined,
  input: {},
  readFile: () => Promise.resolve({ name: 'config.json', data: Buffer.from('{}') }),
  note: () => undefined,
  log: () => undefined,
  progress: () => undefined,
  memory: () => ({}),
  rightsOfGroup: (group) => rightsOfGroup(group, OPERATIONS),
};

function first<T>(list: readonly T[]): T {
  const [object] = list;
  if (object === undefined) throw new Error('an operation gave no object');
  return object;
}

/** Fields whose keys are the user's own, so that the sample's keys mean nothing. */
const RECORDS: ReadonlySet<string> = new Set([
  'annotations',
  'byPhase',
  'byProject',
  'byTenant',
  'images',
  'labels',
  'selector',
]);

/** The schema of a value; an empty list says nothing of its items. */
export function schemaOf(value: unknown): OutputSchema {
  if (value === null) return { type: 'null' };
  if (Array.isArray(value)) return { type: 'array', ...(value.length === 0 ? {} : { items: schemaOf(value[0]) }) };
  if (typeof value === 'string') return { type: 'string' };
  if (typeof value === 'number') return { type: 'number' };
  if (typeof value === 'boolean') return { type: 'boolean' };
  if (typeof value !== 'object') throw new Error(`a ${typeof value} cannot be an output`);
  const fields = Object.entries(value).map(([name, field]: [string, unknown]) => {
    const schema = schemaOf(field);
    return [name, RECORDS.has(name) && schema.type === 'object' ? { type: schema.type } : schema] as const;
  });
  return { type: 'object', properties: Object.fromEntries(fields) };
}
