import { allowedKinds, COMPONENT_GROUP } from '../../../core/components';
import { minimalRoles, type AccessAttributes, type PolicyRule } from '../../../core/kube';

const COMPONENTS = 'managedcomponents';
/** Of everything a chart may render. */
const OBJECT_VERBS = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const;

/** What the operator may do in a namespace it manages, and nothing else. */
export function operatorRules(): readonly PolicyRule[] {
  const rights: readonly AccessAttributes[] = [
    ...rightsTo(COMPONENT_GROUP, COMPONENTS, ['get', 'list', 'watch', 'update', 'patch']),
    // Status is written by PUT. Finalizers are asked for where OwnerReferencesPermissionEnforcement is on: every object
    // carries an owner reference that blocks the owner's deletion.
    { ...right(COMPONENT_GROUP, COMPONENTS, 'update'), subresource: 'status' },
    { ...right(COMPONENT_GROUP, COMPONENTS, 'update'), subresource: 'finalizers' },
    ...allowedKinds().flatMap(({ group, kind }) => rightsTo(group, pluralOf(kind), OBJECT_VERBS)),
    right('', 'secrets', 'get'),
  ];
  return minimalRoles(rights).flatMap(({ rules }) => rules);
}

/** What the operator may do with Leases of its own namespace. A right to create cannot be bound to a name. */
export function leaseRules(lease: string): readonly (PolicyRule & { readonly resourceNames?: readonly string[] })[] {
  const leases = { apiGroups: ['coordination.k8s.io'], resources: ['leases'] };
  return [
    { ...leases, verbs: ['create'] },
    { ...leases, resourceNames: [lease], verbs: ['get', 'update'] },
  ];
}

function rightsTo(group: string, resource: string, verbs: readonly string[]): readonly AccessAttributes[] {
  return verbs.map((verb) => right(group, resource, verb));
}

function right(group: string, resource: string, verb: string): AccessAttributes {
  return { group, resource, verb };
}

/** The name of a kind in rules, as all kinds of the list form it; the test against the API server would tell. */
function pluralOf(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith('y')) return `${singular.slice(0, -1)}ies`;
  return singular.endsWith('s') ? `${singular}es` : `${singular}s`;
}
