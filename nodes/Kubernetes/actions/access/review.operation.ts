import type { AccessAttributes, KubeClient } from '../../../../core/kube';
import { GROUP_CHOICES, reviewOf, rightsOfGroups } from '../../../shared/groupsReview';
import { ALL_NAMESPACES, namespacesLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';

export const description = defineOperation({
  name: 'Review Rights',
  value: 'review',
  action: 'Review access rights',
  description: 'See which rights the credential has, and the Role that would add those it lacks',
  rightsGroup: 'read',
  rights: [],
  allNamespaces: true,
  properties: [
    namespacesLocator(),
    {
      displayName: 'Review',
      name: 'review',
      type: 'options',
      default: 'groups',
      description: 'What to review',
      options: [
        { name: 'Groups', value: 'groups', description: 'What the operations of this node need' },
        { name: 'Single Rights', value: 'rights', description: 'Any right on any resource' },
      ],
    },
    {
      displayName: 'Groups',
      name: 'groups',
      type: 'multiOptions',
      default: ['read'],
      description: 'The groups of operations to review the rights of',
      displayOptions: { show: { review: ['groups'] } },
      options: GROUP_CHOICES,
    },
    {
      displayName: 'Rights',
      name: 'rights',
      type: 'fixedCollection',
      typeOptions: { multipleValues: true },
      placeholder: 'Add Right',
      default: {},
      description: 'The rights to review',
      displayOptions: { show: { review: ['rights'] } },
      options: [
        {
          displayName: 'Right',
          name: 'right',
          values: [
            {
              displayName: 'Verb',
              name: 'verb',
              type: 'string',
              required: true,
              default: 'get',
              placeholder: 'e.g. get',
              description: 'What to do: get, list, watch, create, update, patch, delete or *',
            },
            {
              displayName: 'Resource',
              name: 'resource',
              type: 'string',
              required: true,
              default: '',
              placeholder: 'e.g. deployments.apps',
              description: 'Kind, plural or short name, with or without its API group; * for all',
            },
            {
              displayName: 'Subresource',
              name: 'subresource',
              type: 'string',
              default: '',
              placeholder: 'e.g. log',
              description:
                'A part of the resource, such as log, exec, scale or eviction; the resource itself when empty',
            },
            {
              displayName: 'Name',
              name: 'name',
              type: 'string',
              default: '',
              description: 'One object by name; all of them when empty',
            },
          ],
        },
      ],
    },
  ],
});

type Parameters = ParametersOf<typeof description>;

/** Changes nothing; everybody may ask. */
export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  return await reviewOf(client, parameters.namespace, await rightsOf(client, parameters, context));
}

async function rightsOf(
  client: KubeClient,
  { namespace, review, groups, rights }: Parameters,
  context: OperationContext,
): Promise<readonly AccessAttributes[]> {
  if (review === 'groups') return rightsOfGroups(groups, namespace, context);
  const everywhere = namespace === ALL_NAMESPACES;
  const reviewed: AccessAttributes[] = [];
  for (const { verb, resource, subresource, name } of rights.right) {
    const { group, plural, namespaced } = await resolve(client, resource.trim());
    reviewed.push({
      verb: verb.trim().toLowerCase(),
      group,
      resource: plural,
      ...(subresource.trim() === '' ? {} : { subresource: subresource.trim() }),
      ...(name.trim() === '' ? {} : { name: name.trim() }),
      ...(namespaced && !everywhere ? { namespace } : {}),
    });
  }
  return reviewed;
}

async function resolve(client: KubeClient, resource: string) {
  return resource === '*' ? { group: '*', plural: '*', namespaced: true } : await client.resource(resource);
}
