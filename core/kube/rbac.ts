/** A right as Kubernetes checks it (SelfSubjectAccessReview) and as a refused request needed it. */
export interface AccessAttributes {
  readonly verb: string;
  /** '' is the core group. */
  readonly group: string;
  /** Plural name, for instance `pods`. */
  readonly resource: string;
  readonly subresource?: string | undefined;
  /** Absent: in all namespaces, or a resource without namespaces. */
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
}

/** One rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
}

/** A Role (with `namespace`) or ClusterRole that grants rights and no more. */
export interface RoleManifest {
  readonly kind: 'Role' | 'ClusterRole';
  readonly namespace: string | undefined;
  readonly rules: readonly PolicyRule[];
}

/** The order in which people write verbs. */
const VERB_ORDER = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** `pods/log` for a subresource, else `pods`. */
export function resourceName(attributes: Pick<AccessAttributes, 'resource' | 'subresource'>): string {
  return attributes.subresource ? `${attributes.resource}/${attributes.subresource}` : attributes.resource;
}

/**
 * The fewest roles that grant these rights: one Role a namespace, one ClusterRole for what has no namespace, in which
 * resources of a group with the same verbs share a rule. Names of single objects are left out: a right to `list` or
 * `create` cannot be bound to them.
 */
export function minimalRoles(attributes: readonly AccessAttributes[]): readonly RoleManifest[] {
  const scopes = groupBy(attributes, (right) => right.namespace ?? '');
  return [...scopes.entries()]
    .sort(([left], [right]) => compare(left, right))
    .map(([namespace, rights]) => ({
      kind: namespace === '' ? ('ClusterRole' as const) : ('Role' as const),
      namespace: namespace === '' ? undefined : namespace,
      rules: minimalRules(rights),
    }));
}

function minimalRules(rights: readonly AccessAttributes[]): readonly PolicyRule[] {
  const verbsByResource = groupBy(rights, (right) => `${right.group}\n${resourceName(right)}`);
  const resources = [...verbsByResource.values()].map((same) => ({
    group: same[0]?.group ?? '',
    resource: same[0] ? resourceName(same[0]) : '',
    verbs: sortVerbs(new Set(same.map((right) => right.verb))),
  }));
  const rules = groupBy(resources, (entry) => `${entry.group}\n${entry.verbs.join(',')}`);
  return [...rules.values()]
    .map((same) => ({
      apiGroups: [same[0]?.group ?? ''],
      resources: same.map((entry) => entry.resource).sort(compare),
      verbs: same[0]?.verbs ?? [],
    }))
    .sort((left, right) => compare(left.apiGroups[0] ?? '', right.apiGroups[0] ?? ''));
}

/** Options of {@link rolesYaml}. */
export interface RoleYamlOptions {
  /** Name of the roles. Default `navin`. */
  readonly name?: string;
}

/** YAML of the fewest roles that grant these rights, documents separated by `---`, ready for `kubectl apply -f -`. */
export function rolesYaml(attributes: readonly AccessAttributes[], options: RoleYamlOptions = {}): string {
  const name = options.name ?? 'navin';
  return minimalRoles(attributes)
    .map((role) => roleYaml(role, name))
    .join('---\n');
}

function roleYaml(role: RoleManifest, name: string): string {
  const metadata =
    role.namespace === undefined
      ? `{ name: ${scalar(name)} }`
      : `{ name: ${scalar(name)}, namespace: ${scalar(role.namespace)} }`;
  return [
    'apiVersion: rbac.authorization.k8s.io/v1',
    `kind: ${role.kind}`,
    `metadata: ${metadata}`,
    'rules:',
    ...role.rules.map(ruleYaml),
    '',
  ].join('\n');
}

/** One rule as an entry of a YAML list, indented by two. */
export function ruleYaml(rule: PolicyRule): string {
  return [
    `  - apiGroups: ${list(rule.apiGroups)}`,
    `    resources: ${list(rule.resources)}`,
    `    verbs: ${list(rule.verbs)}`,
  ].join('\n');
}

function list(values: readonly string[]): string {
  return `[${values.map(scalar).join(', ')}]`;
}

/** Plain where YAML 1.1 and 1.2 both read the same string, else quoted (JSON strings are YAML). */
function scalar(value: string): string {
  const plain =
    /^[a-z][a-z0-9]*(?:[-./][a-z0-9]+)*$/.test(value) && !/^(?:y|n|yes|no|on|off|true|false|null)$/.test(value);
  return plain ? value : JSON.stringify(value);
}

function sortVerbs(verbs: ReadonlySet<string>): string[] {
  const rank = (verb: string): number => {
    const at = VERB_ORDER.indexOf(verb);
    return at < 0 ? VERB_ORDER.length : at;
  };
  return [...verbs].sort((left, right) => rank(left) - rank(right) || compare(left, right));
}

/** By code point, the same on every machine. */
function compare(left: string, right: string): number {
  return left < right ? -1 : Number(left > right);
}

function groupBy<T>(values: readonly T[], key: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const group = groups.get(key(value));
    if (group) group.push(value);
    else groups.set(key(value), [value]);
  }
  return groups;
}
