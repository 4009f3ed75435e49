import type { KubeClient } from '../../../../core/kube';
import { instanceOf, managedInstances, mcpServers, runtimeError } from '../../../../core/mcp';
import { LIMIT_FIELD, RETURN_ALL_FIELD } from '../../../shared/fields';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { PROJECT_FIELD, TENANT_FIELD } from '../fields';
import { filterOf } from '../filter';
import { LIST_RIGHTS } from '../rights';

export const description = defineOperation({
  name: 'Get Many',
  value: 'getAll',
  action: 'Get many MCP instances',
  description: 'List the managed MCP instances of all namespaces',
  rightsGroup: 'mcpRuntime',
  rights: LIST_RIGHTS,
  properties: [
    RETURN_ALL_FIELD,
    LIMIT_FIELD,
    TENANT_FIELD,
    PROJECT_FIELD,
    {
      displayName: 'Phase',
      name: 'phase',
      type: 'string',
      default: '',
      placeholder: 'e.g. Failed',
      description: 'Only instances in this phase; Ready and Running are one; in all phases when empty',
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

export async function* run(
  client: KubeClient,
  parameters: Parameters,
  { clock }: OperationContext,
): AsyncGenerator<readonly object[]> {
  const { returnAll, limit } = parameters;
  const phase = parameters.phase
    .trim()
    .toLowerCase()
    .replace(/^running$/, 'ready');
  const filter = filterOf(parameters);
  let left = returnAll ? Number.POSITIVE_INFINITY : limit;
  try {
    for await (const page of managedInstances(client, await mcpServers(client), filter)) {
      const instances = page
        .map((object) => instanceOf(object, clock.now()))
        .filter((instance) => phase === '' || instance.phase.toLowerCase() === phase)
        .slice(0, left);
      left -= instances.length;
      yield instances;
      if (left === 0) return;
    }
  } catch (error) {
    throw runtimeError(error);
  }
}
