import { minimalRoles, type PolicyRule } from '../../core/kube';
import type { OperationDescription, ResourceDescription } from './operation';
import {
  accessText,
  type Right,
  RIGHTS_GROUPS,
  type RightsGroup,
  rightIn,
  rightsOfGroup,
  uniqueRights,
} from './rights';

/** The names the examples of docs/permissions.md use. */
const NAME = 'navin';
const NAMESPACE = 'production';

/** The groups a Role in one namespace can grant, in the order of the page. */
const ROLE_GROUPS = ['read', 'workloads', 'jobs', 'delete'] as const satisfies readonly RightsGroup[];

/**
 * The generated sections of docs/permissions.md by the name of their marker: the Role with a block for each group, the
 * read-only variant, what is optional, what needs a ClusterRole, and which operation uses what. A test applies exactly
 * these blocks to a real cluster.
 */
export function permissionSections(resources: readonly ResourceDescription[]): Readonly<Record<string, string>> {
  const operations = resources.flatMap((resource) => resource.operations);
  return {
    role: yamlBlock(serviceAccount(), role(NAME, rules(ROLE_GROUPS, operations)), roleBinding(NAME)),
    'read-only': yamlBlock(serviceAccount(), role(NAME, rules(['read'], operations)), roleBinding(NAME)),
    optional: yamlBlock(
      role(`${NAME}-optional`, ruleLines(optionalRights(operations))),
      roleBinding(`${NAME}-optional`),
    ),
    cluster: yamlBlock(clusterRole(operations), clusterRoleBinding()),
    operations: operationsTable(resources),
  };
}

/** The rules of some groups, each group under a comment and without what a group before it grants. */
function rules(groups: readonly RightsGroup[], operations: readonly OperationDescription[]): string {
  const granted: Right[] = [];
  return groups
    .map((group) => {
      const wanted = group === 'read' ? withWatch(rightsOfGroup(group, operations)) : rightsOfGroup(group, operations);
      const added = uniqueRights([...granted, ...wanted]).slice(granted.length);
      granted.push(...added);
      const { title, description } = RIGHTS_GROUPS[group];
      return `  # ${title}: ${description.toLowerCase()}\n${ruleLines(added)}`;
    })
    .join('\n');
}

/** What can be listed can be watched too: triggers need it, operations do without. */
function withWatch(rights: readonly Right[]): readonly Right[] {
  return rights.flatMap((right) => (right.verb === 'list' ? [right, { ...right, verb: 'watch' }] : [right]));
}

function optionalRights(operations: readonly OperationDescription[]): readonly Right[] {
  return uniqueRights(operations.flatMap(({ rights }) => rights).filter(({ optional }) => optional === true));
}

function ruleLines(rights: readonly Right[]): string {
  const [manifest] = minimalRoles(rights.map((right) => rightIn(right, NAMESPACE)));
  return (manifest?.rules ?? []).map(ruleText).join('\n');
}

function ruleText({ apiGroups, resources, verbs }: PolicyRule): string {
  return [
    `  - apiGroups: [${apiGroups.map((group) => (group === '' ? '""' : group)).join(', ')}]`,
    `    resources: [${resources.join(', ')}]`,
    `    verbs: [${verbs.join(', ')}]`,
  ].join('\n');
}

function serviceAccount(): string {
  return `apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: ${NAME}, namespace: ${NAMESPACE} }`;
}

function role(name: string, body: string): string {
  return `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: ${name}, namespace: ${NAMESPACE} }\nrules:\n${body}`;
}

function clusterRole(operations: readonly OperationDescription[]): string {
  const own = operations.filter(({ rightsGroup }) => rightsGroup === 'cluster').flatMap(({ rights }) => rights);
  const read = rightsOfGroup('read', operations).map((right): Right => ({ ...right, clusterWide: true }));
  const body = ruleLines(withWatch(uniqueRights([...own, ...read])));
  return `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: ${NAME}-read-all }\nrules:\n${body}`;
}

const SUBJECTS = `subjects: [{ kind: ServiceAccount, name: ${NAME}, namespace: ${NAMESPACE} }]`;

function roleBinding(name: string): string {
  return [
    'apiVersion: rbac.authorization.k8s.io/v1',
    'kind: RoleBinding',
    `metadata: { name: ${name}, namespace: ${NAMESPACE} }`,
    SUBJECTS,
    `roleRef: { kind: Role, name: ${name}, apiGroup: rbac.authorization.k8s.io }`,
  ].join('\n');
}

function clusterRoleBinding(): string {
  return [
    'apiVersion: rbac.authorization.k8s.io/v1',
    'kind: ClusterRoleBinding',
    `metadata: { name: ${NAME}-read-all }`,
    SUBJECTS,
    `roleRef: { kind: ClusterRole, name: ${NAME}-read-all, apiGroup: rbac.authorization.k8s.io }`,
  ].join('\n');
}

function yamlBlock(...documents: readonly string[]): string {
  return `\`\`\`yaml\n${documents.join('\n---\n')}\n\`\`\``;
}

function operationsTable(resources: readonly ResourceDescription[]): string {
  const rows = resources.flatMap((resource) =>
    resource.operations.map((operation) => {
      const rights = operation.rights.map(
        (right) => `${rightWords(right)}${right.optional === true ? ' (optional)' : ''}`,
      );
      const group = operation.rights.length === 0 ? 'none' : RIGHTS_GROUPS[operation.rightsGroup].title;
      return `| ${resource.name}: ${operation.name} | ${group} | ${rights.length === 0 ? 'none' : rights.join(', ')} |`;
    }),
  );
  return ['| operation | group | rights |', '|---|---|---|', ...rows].join('\n');
}

/** `get pods/log`, without the namespace. */
function rightWords(right: Right): string {
  return accessText(rightIn(right, NAMESPACE)).replace(/ in [^]*$/, '');
}
