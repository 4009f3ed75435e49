import {
  LABELS,
  MANAGED_NAMESPACE,
  OPERATOR,
  OPERATOR_ACCOUNT,
  OPERATOR_NAMESPACE,
  RBAC_GROUP,
  RBAC_VERSION,
} from './names';
import { leaseRules, operatorRules } from './rights';
import type { Manifest } from './yaml';

const METADATA = { name: OPERATOR, labels: LABELS };

/** Who the operator is. The token is mounted by its Deployment alone. */
export const SERVICE_ACCOUNT: Manifest = {
  object: {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: { ...METADATA, namespace: OPERATOR_NAMESPACE },
    automountServiceAccountToken: false,
  },
};

/** What it may do where it is bound: a ClusterRole only so that all namespaces share one list. */
export const ROLE: Manifest = {
  object: {
    apiVersion: RBAC_VERSION,
    kind: 'ClusterRole',
    metadata: METADATA,
    rules: operatorRules(),
  },
  remarks: { '- secrets': 'Only whether a Secret that a component refers to, and its key, exist.' },
};

/** The rights in one managed namespace. */
export const ROLE_BINDING: Manifest = {
  object: {
    apiVersion: RBAC_VERSION,
    kind: 'RoleBinding',
    metadata: { ...METADATA, namespace: MANAGED_NAMESPACE },
    subjects: [OPERATOR_ACCOUNT],
    roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: OPERATOR },
  },
  remarks: { [`namespace: ${MANAGED_NAMESPACE}`]: 'EDIT: a namespace of --namespaces.' },
};

/** Of several replicas one acts: the one that holds the Lease. */
export const LEADER_ELECTION: readonly Manifest[] = [
  {
    object: {
      apiVersion: RBAC_VERSION,
      kind: 'Role',
      metadata: { name: `${OPERATOR}-leader-election`, namespace: OPERATOR_NAMESPACE, labels: LABELS },
      rules: leaseRules(OPERATOR),
    },
    remarks: { 'resourceNames:': 'The name of --lease-name.' },
  },
  {
    object: {
      apiVersion: RBAC_VERSION,
      kind: 'RoleBinding',
      metadata: { name: `${OPERATOR}-leader-election`, namespace: OPERATOR_NAMESPACE, labels: LABELS },
      subjects: [OPERATOR_ACCOUNT],
      roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name: `${OPERATOR}-leader-election` },
    },
  },
];
