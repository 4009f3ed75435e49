import { apiVersionOf, type KubeClient } from '../../../../core/kube';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';

export const description = defineOperation({
  name: 'Get API Resources',
  value: 'getApiResources',
  action: 'Get resources of cluster',
  description: 'List the kinds the cluster serves, custom resources included, each in its preferred version',
  rightsGroup: 'read',
  rights: [],
  properties: [
    {
      displayName: 'Scope',
      name: 'scope',
      type: 'options',
      default: 'all',
      description: 'Which kinds to list',
      options: [
        { name: 'All', value: 'all' },
        { name: 'Cluster', value: 'cluster', description: 'Those without a namespace' },
        { name: 'Namespace', value: 'namespace', description: 'Those that live in a namespace' },
      ],
    },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'API Group',
          name: 'group',
          type: 'string',
          default: '',
          placeholder: 'e.g. apps or cert-manager.io',
          description: 'Only kinds of this group; core for pods, services and the like',
        },
        {
          displayName: 'Verb',
          name: 'verb',
          type: 'string',
          default: '',
          placeholder: 'e.g. list',
          description: 'Only kinds one can do this with',
        },
      ],
    },
  ],
});

/** Groups whose server is down are left out and said. */
export async function run(
  client: KubeClient,
  { scope, options }: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<readonly object[]> {
  const group = options.group?.trim() ?? '';
  const verb = options.verb?.trim().toLowerCase() ?? '';
  const resources = await client.resources();
  for (const failure of await client.discoveryFailures()) {
    context.note(`The API group ${failure.group} ${failure.version} could not be read: its kinds are missing`);
  }
  return resources
    .filter(({ namespaced }) => scope === 'all' || namespaced === (scope === 'namespace'))
    .filter((resource) => group === '' || resource.group === (group === 'core' ? '' : group))
    .filter(({ verbs }) => verb === '' || verbs.includes(verb))
    .map((resource) => ({
      name: resource.plural,
      kind: resource.kind,
      group: resource.group,
      version: resource.version,
      apiVersion: apiVersionOf(resource),
      namespaced: resource.namespaced,
      shortNames: resource.shortNames,
      verbs: resource.verbs,
      subresources: resource.subresources,
    }));
}
