import { type ApiResource, type KubeClient, RESOURCES } from '../../../../core/kube';
import {
  InstanceCounter,
  type InstanceCounts,
  type InstanceFilter,
  instanceOf,
  managedComponents,
  managedInstances,
  type McpInstance,
  readRuntimeComponents,
  RUNTIME_NAMESPACE,
  RUNTIME_OPERATOR,
  runtimeComponent,
  runtimeOperator,
  servedVersions,
} from '../../../../core/mcp';
import { attempt } from '../../../shared/attempt';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { PROJECT_FIELD, TENANT_FIELD } from '../fields';
import { filterOf } from '../filter';
import { STATUS_RIGHTS } from '../rights';
import { runtimeErrors } from '../runtimeErrors';

export const description = defineOperation({
  name: 'Get Status',
  value: 'getStatus',
  action: 'Get MCP runtime status',
  description: 'See how ToolHive is, and which managed MCP instances there are in all namespaces',
  rightsGroup: 'mcpRuntime',
  rights: STATUS_RIGHTS,
  properties: [
    TENANT_FIELD,
    PROJECT_FIELD,
    {
      displayName: 'Max Instances',
      name: 'maxInstances',
      type: 'number',
      default: 100,
      typeOptions: { minValue: 0, maxValue: 10000, numberPrecision: 0 },
      description: 'So many instances are listed at most; all of them are counted, of every tenant and project',
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

export async function run(client: KubeClient, parameters: Parameters, { clock }: OperationContext): Promise<object> {
  const filter = filterOf(parameters);
  return await runtimeErrors(async () => {
    const { resource, versions } = await servedVersions(client);
    const [operator, components, seen] = await Promise.all([
      readOperator(client),
      readComponents(client),
      readInstances(client, resource, { filter, most: parameters.maxInstances, now: clock.now() }),
    ]);
    const definition = { served: resource !== undefined, versions };
    return { operator, definition, ...components, ...seen };
  });
}

async function readOperator(client: KubeClient): Promise<object> {
  const ref = { namespace: RUNTIME_NAMESPACE, name: RUNTIME_OPERATOR };
  const read = await attempt(async () => await client.get(RESOURCES.deployments, ref, { looksForNamespace: false }));
  if (read.error === undefined) return runtimeOperator(read.value);
  if (read.error.code !== 'k8s_not_found') throw read.error;
  return runtimeOperator(undefined);
}

async function readComponents(client: KubeClient): Promise<object> {
  const resource = await managedComponents(client);
  const found = resource === undefined ? [] : await readRuntimeComponents(client, resource);
  return { components: found.map(runtimeComponent) };
}

/** What is shown of the instances: all are counted, those of the filter are listed up to a number. */
interface Seen {
  readonly total: number;
  readonly counts: InstanceCounts;
  readonly instances: readonly McpInstance[];
  /** More of them match than are listed. */
  readonly truncated: boolean;
}

async function readInstances(
  client: KubeClient,
  resource: ApiResource | undefined,
  { filter, most, now }: { readonly filter: InstanceFilter; readonly most: number; readonly now: number },
): Promise<Seen> {
  const counter = new InstanceCounter();
  const instances: McpInstance[] = [];
  let matching = 0;
  const pages = resource === undefined ? [] : managedInstances(client, resource);
  for await (const page of pages) {
    for (const object of page) {
      const instance = instanceOf(object, now);
      counter.add(instance);
      if (!matches(instance, filter)) continue;
      matching += 1;
      if (instances.length < most) instances.push(instance);
    }
  }
  const { total, counts } = counter;
  return { total, counts, instances, truncated: matching > instances.length };
}

function matches(instance: McpInstance, { tenant, project }: InstanceFilter): boolean {
  const ofTenant = tenant === undefined || instance.tenant === tenant;
  return ofTenant && (project === undefined || instance.project === project);
}
