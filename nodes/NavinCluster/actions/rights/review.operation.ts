import type { KubeClient } from '../../../../core/kube';
import { GROUP_CHOICES, reviewOf, rightsOfGroups } from '../../../shared/groupsReview';
import { namespacesLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';

export const description = defineOperation({
  name: 'Review Rights',
  value: 'review',
  action: 'Review rights of groups',
  description: 'See which rights of the Navin nodes the credential has, and the roles that would add the others',
  rightsGroup: 'read',
  rights: [],
  allNamespaces: true,
  properties: [
    namespacesLocator(),
    {
      displayName: 'Groups',
      name: 'groups',
      type: 'multiOptions',
      default: ['components', 'inventory', 'mcpRuntime'],
      description: 'The groups of operations to review the rights of',
      options: GROUP_CHOICES,
    },
  ],
});

/** Changes nothing; everybody may ask. */
export async function run(
  client: KubeClient,
  { namespace, groups }: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<object> {
  return await reviewOf(client, namespace, rightsOfGroups(groups, namespace, context));
}
