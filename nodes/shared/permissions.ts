import { minimalRoles, type PolicyRule, RESOURCES } from '../../core/kube';
import type { OperationDescription, ResourceDescription } from './operation';
import {
  accessText,
  CLUSTER_WATCH_RIGHTS,
  type Right,
  RIGHTS_GROUPS,
  type RightsGroup,
  rightIn,
  rightsOfGroup,
  uniqueRights,
  WATCH_RIGHTS,
} from './rights';

/** The names the examples of docs/permissions.md use. */
const NAME = 'navin';
const NAMESPACE = 'production';
/** The account of a credential that is used by triggers only. */
const TRIGGER = 'navin-trigger';
/** The kind that is granted as an example for operations on any kind. */
const KIND_EXAMPLE = RESOURCES.configmaps;

/** The groups a Role in one namespace can grant, in the order of the page. */
const ROLE_GROUPS = [
  'read',
  'surroundings',
  'usage',
  'workloads',
  'jobs',
  'cronJobs',
  'configMaps',
  'components',
  'delete',
  'exec',
  'watch',
] as const satisfies readonly RightsGroup[];

/** Those of a credential that changes nothing. */
const READING = ['read', 'surroundings', 'usage', 'watch'] as const satisfies readonly RightsGroup[];

/** The groups that act on nodes, which have no namespace. */
const NODE_GROUPS = ['nodes', 'maintenance'] as const satisfies readonly RightsGroup[];

/**
 * The generated sections of docs/permissions.md by the name of their marker: the Role with a block for each group, the
 * read-only variant, what is optional, what needs a ClusterRole, what the trigger needs, and which operation uses what.
 * Tests apply exactly these blocks to a real cluster.
 */
export function permissionSections(resources: readonly ResourceDescription[]): Readonly<Record<string, string>> {
  const operations = resources.flatMap((resource) => resource.operations);
  const inventory = rightsOfGroup('inventory', operations);
  return {
    role: yamlBlock(serviceAccount(NAME), role(NAME, rules(ROLE_GROUPS, operations)), roleBinding(NAME)),
    'read-only': yamlBlock(serviceAccount(NAME), role(NAME, rules(READING, operations)), roleBinding(NAME)),
    optional: yamlBlock(
      role(`${NAME}-optional`, ruleLines(optionalRights(operations))),
      roleBinding(`${NAME}-optional`),
    ),
    cluster: yamlBlock(
      clusterRole(`${NAME}-read-all`, readRights(operations)),
      clusterRoleBinding(`${NAME}-read-all`, NAME),
    ),
    secrets: yamlBlock(role(`${NAME}-secrets`, rules(['secrets'], operations)), roleBinding(`${NAME}-secrets`)),
    tokens: yamlBlock(role(`${NAME}-tokens`, rules(['tokens'], operations)), roleBinding(`${NAME}-tokens`)),
    nodes: yamlBlock(
      clusterRoleOf(`${NAME}-nodes`, rules(NODE_GROUPS, operations)),
      clusterRoleBinding(`${NAME}-nodes`, NAME),
    ),
    'mcp-runtime': yamlBlock(...rolesOf(`${NAME}-mcp-runtime`, rightsOfGroup('mcpRuntime', operations))),
    'mcp-runtime-changes': yamlBlock(
      ...rolesOf(`${NAME}-mcp-runtime-changes`, withOptional('mcpRuntimeChanges', operations)),
    ),
    inventory: yamlBlock(
      ...rolesOf(
        `${NAME}-inventory`,
        inventory.filter(({ names }) => names === undefined),
      ),
      ...inventory.flatMap((right) => namedRole(`${NAME}-inventory`, right)),
    ),
    trigger: yamlBlock(serviceAccount(TRIGGER), role(TRIGGER, ruleLines(WATCH_RIGHTS)), roleBinding(TRIGGER, TRIGGER)),
    'trigger-cluster': yamlBlock(
      clusterRole(`${TRIGGER}-all`, [...WATCH_RIGHTS, ...CLUSTER_WATCH_RIGHTS].map(everywhere)),
      clusterRoleBinding(`${TRIGGER}-all`, TRIGGER),
    ),
    kind: yamlBlock(
      role(`${NAME}-${KIND_EXAMPLE.plural}`, ruleLines(kindRights(operations))),
      roleBinding(`${NAME}-${KIND_EXAMPLE.plural}`),
    ),
    operations: operationsTable(resources),
  };
}

/** What all operations together do to a kind that is named. */
function kindRights(operations: readonly OperationDescription[]): readonly Right[] {
  const { group, plural: resource } = KIND_EXAMPLE;
  const verbs = operations.flatMap((operation) => operation.verbs ?? []);
  return uniqueRights(verbs.map(({ verb }) => ({ verb, group, resource })));
}

/** The rules of some groups, each group under a comment and without what a group before it grants. */
function rules(groups: readonly RightsGroup[], operations: readonly OperationDescription[]): string {
  const granted: Right[] = [];
  return groups
    .map((group) => {
      const added = uniqueRights([...granted, ...rightsOfGroup(group, operations)]).slice(granted.length);
      granted.push(...added);
      const { title, description } = RIGHTS_GROUPS[group];
      return `  # ${title}: ${description.charAt(0).toLowerCase()}${description.slice(1)}\n${ruleLines(added)}`;
    })
    .join('\n');
}

/** What operations do without and what reading pods and nodes does not bring with it. */
function optionalRights(operations: readonly OperationDescription[]): readonly Right[] {
  const present = uniqueRights([...rightsOfGroup('read', operations), ...rightsOfGroup('nodes', operations)]);
  const optional = operations.flatMap(({ rights }) => rights).filter((right) => right.optional === true);
  // What is used in all namespaces is with its group: a Role cannot grant it.
  return uniqueRights([...present, ...optional.filter(({ clusterWide }) => clusterWide !== true)]).slice(
    present.length,
  );
}

/** The rights of a group with those that its operations do without. */
function withOptional(group: RightsGroup, operations: readonly OperationDescription[]): readonly Right[] {
  return uniqueRights(operations.filter(({ rightsGroup }) => rightsGroup === group).flatMap(({ rights }) => rights));
}

/** A ClusterRole for what is used in all namespaces, and a Role in each namespace that a right names, with their bindings. */
function rolesOf(name: string, rights: readonly Right[]): readonly string[] {
  return minimalRoles(rights.map((right) => rightIn(right, NAMESPACE))).flatMap(({ namespace, rules: granted }) => {
    const body = granted.map(ruleText).join('\n');
    if (namespace === undefined) return [clusterRoleOf(name, body), clusterRoleBinding(name, NAME)];
    return [role(name, body, namespace), roleBinding(name, NAME, namespace)];
  });
}

/** A Role for a right that is used on certain objects alone, with its binding. */
function namedRole(name: string, right: Right): readonly string[] {
  const { verb, group, resource, namespace = NAMESPACE, names } = right;
  if (names === undefined) return [];
  const rule = `${ruleText({ apiGroups: [group], resources: [resource], verbs: [verb] })}\n    resourceNames: [${names.join(', ')}]`;
  return [role(name, rule, namespace), roleBinding(name, NAME, namespace)];
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

function serviceAccount(name: string): string {
  return `apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: ${name}, namespace: ${NAMESPACE} }`;
}

function role(name: string, body: string, namespace = NAMESPACE): string {
  return `apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: { name: ${name}, namespace: ${namespace} }\nrules:\n${body}`;
}

/** What operations read in all namespaces. */
function readRights(operations: readonly OperationDescription[]): readonly Right[] {
  const own = operations.filter(({ rightsGroup }) => rightsGroup === 'cluster').flatMap(({ rights }) => rights);
  const inNamespaces = (['read', 'surroundings', 'usage'] as const).flatMap((group) =>
    rightsOfGroup(group, operations),
  );
  return uniqueRights([...own, ...inNamespaces.map(everywhere)]);
}

function everywhere(right: Right): Right {
  return { ...right, clusterWide: true };
}

function clusterRole(name: string, rights: readonly Right[]): string {
  return clusterRoleOf(name, ruleLines(rights));
}

function clusterRoleOf(name: string, body: string): string {
  return `apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: { name: ${name} }\nrules:\n${body}`;
}

function subjects(account: string): string {
  return `subjects: [{ kind: ServiceAccount, name: ${account}, namespace: ${NAMESPACE} }]`;
}

function roleBinding(name: string, account = NAME, namespace = NAMESPACE): string {
  return [
    'apiVersion: rbac.authorization.k8s.io/v1',
    'kind: RoleBinding',
    `metadata: { name: ${name}, namespace: ${namespace} }`,
    subjects(account),
    `roleRef: { kind: Role, name: ${name}, apiGroup: rbac.authorization.k8s.io }`,
  ].join('\n');
}

function clusterRoleBinding(name: string, account: string): string {
  return [
    'apiVersion: rbac.authorization.k8s.io/v1',
    'kind: ClusterRoleBinding',
    `metadata: { name: ${name} }`,
    subjects(account),
    `roleRef: { kind: ClusterRole, name: ${name}, apiGroup: rbac.authorization.k8s.io }`,
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
      const all = [...kindVerbWords(operation), ...rights];
      return `| ${resource.name}: ${operation.name} | ${groupWords(operation)} | ${all.length === 0 ? 'none' : all.join(', ')} |`;
    }),
  );
  return ['| operation | group | rights |', '|---|---|---|', ...rows].join('\n');
}

function groupWords({ rightsGroup, rights }: OperationDescription): string {
  if (rightsGroup === 'kind') return "the kind's";
  return rights.length === 0 ? 'none' : RIGHTS_GROUPS[rightsGroup].title;
}

/** `get`, `list (by selector)`: on the kind that is named. */
export function kindVerbWords({ verbs = [] }: Pick<OperationDescription, 'verbs'>): readonly string[] {
  return verbs.map(({ verb, when, optional }) => {
    const words = [...(optional === true ? ['optional'] : []), ...(when === undefined ? [] : [when])];
    return words.length === 0 ? verb : `${verb} (${words.join(', ')})`;
  });
}

/** `get pods/log`, without the namespace. */
function rightWords(right: Right): string {
  return accessText(rightIn(right, NAMESPACE)).replace(/ in [^]*$/, '');
}
