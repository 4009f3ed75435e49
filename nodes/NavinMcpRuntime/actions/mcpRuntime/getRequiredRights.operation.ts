import { type AccessAttributes, type KubeClient, resourceName, rolesYaml } from '../../../../core/kube';
import { RUNTIME_NAMESPACE } from '../../../../core/mcp';
import { defineOperation, type OperationContext } from '../../../shared/operation';
import { reviewRights } from '../../../shared/review';
import { accessText, type RightsGroup, rightIn, uniqueRights } from '../../../shared/rights';
import { RESTART_RIGHTS } from '../rights';

export const description = defineOperation({
  name: 'Get Required Rights',
  value: 'getRequiredRights',
  action: 'Get required rights of MCP runtime',
  description: 'List the rights the node needs, which of them are missing, and the roles that grant them',
  rightsGroup: 'mcpRuntime',
  rights: [],
  properties: [
    {
      displayName: 'Operations',
      name: 'operations',
      type: 'options',
      default: 'all',
      description: 'Which operations the rights are for',
      options: [
        { name: 'All', value: 'all', description: 'Also installing ToolHive, restarting and deleting instances' },
        { name: 'Read', value: 'read', description: 'Get Status and Get Many' },
      ],
    },
  ],
});

/** The import identity of the platform does not have them: they are granted by the roles that are given here. */
export async function run(
  client: KubeClient,
  { operations }: { readonly operations: 'all' | 'read' },
  context: OperationContext,
): Promise<object> {
  const groups: readonly RightsGroup[] = operations === 'read' ? ['mcpRuntime'] : ['mcpRuntime', 'mcpRuntimeChanges'];
  const needed = uniqueRights(groups.flatMap((group) => context.rightsOfGroup(group)));
  const rights = needed.map((right) => rightIn(right, RUNTIME_NAMESPACE));
  const reviewed = await reviewRights(client, rights);
  const optional = operations === 'read' ? [] : RESTART_RIGHTS.filter((right) => right.optional === true);
  const missing = reviewed.filter(({ allowed }) => !allowed).map(({ right }) => right);
  return {
    allowed: missing.length === 0,
    required: reviewed.map(({ right, allowed }) => ({ ...shown(right), allowed })),
    missing: missing.map(accessText),
    optional: optional.map((right) => accessText(rightIn(right, RUNTIME_NAMESPACE))),
    roles: rolesYaml(rights, { name: 'navin-mcp-runtime' }),
  };
}

function shown(right: AccessAttributes): object {
  const { verb, group, namespace } = right;
  return { verb, group, resource: resourceName(right), namespace: namespace ?? '*' };
}
