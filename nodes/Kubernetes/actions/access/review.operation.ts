import { type AccessAttributes, type KubeClient, rolesYaml } from '../../../../core/kube';
import { ALL_NAMESPACES, namespacesLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { reviewRights } from '../../../shared/review';
import { accessText, RIGHTS_GROUPS, rightIn } from '../../../shared/rights';

const { cluster, delete: remove, exec, jobs, read, watch, workloads } = RIGHTS_GROUPS;
const { configMaps, cronJobs, maintenance, nodes, secrets, surroundings, tokens, usage } = RIGHTS_GROUPS;

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
      options: [
        { name: cluster.title, value: 'cluster', description: cluster.description },
        { name: surroundings.title, value: 'surroundings', description: surroundings.description },
        { name: configMaps.title, value: 'configMaps', description: configMaps.description },
        { name: maintenance.title, value: 'maintenance', description: maintenance.description },
        { name: cronJobs.title, value: 'cronJobs', description: cronJobs.description },
        { name: remove.title, value: 'delete', description: remove.description },
        { name: exec.title, value: 'exec', description: exec.description },
        { name: jobs.title, value: 'jobs', description: jobs.description },
        { name: nodes.title, value: 'nodes', description: nodes.description },
        { name: read.title, value: 'read', description: read.description },
        { name: workloads.title, value: 'workloads', description: workloads.description },
        { name: secrets.title, value: 'secrets', description: secrets.description },
        { name: tokens.title, value: 'tokens', description: tokens.description },
        { name: usage.title, value: 'usage', description: usage.description },
        { name: watch.title, value: 'watch', description: watch.description },
      ],
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

/** Asks for each right by SelfSubjectAccessReview, which changes nothing and which everybody may ask. */
export async function run(client: KubeClient, parameters: Parameters, context: OperationContext): Promise<object> {
  const { namespace } = parameters;
  const rights = await rightsOf(client, parameters, context);
  const reviewed = await reviewRights(client, rights);
  const missing = reviewed.filter(({ allowed }) => !allowed).map(({ right }) => right);
  return {
    namespace,
    allowed: missing.length === 0,
    granted: reviewed.filter(({ allowed }) => allowed).map(({ right }) => accessText(right)),
    missing: missing.map(accessText),
    ...(missing.length === 0 ? {} : { roleToAdd: rolesYaml(missing) }),
  };
}

async function rightsOf(
  client: KubeClient,
  { namespace, review, groups, rights }: Parameters,
  context: OperationContext,
): Promise<readonly AccessAttributes[]> {
  const everywhere = namespace === ALL_NAMESPACES;
  if (review === 'groups') {
    const ofGroups = groups.flatMap((group) => context.rightsOfGroup(group));
    const all = ofGroups.map((right) => rightIn(everywhere ? { ...right, clusterWide: true } : right, namespace));
    return [...new Map(all.map((right) => [accessText(right), right])).values()];
  }
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
