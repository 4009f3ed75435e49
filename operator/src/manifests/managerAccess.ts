import { COMPONENT_GROUP } from '../../../core/components';
import { MANAGED_NAMESPACE, MANAGER, PLATFORM_LABELS, RBAC_GROUP, RBAC_VERSION } from './names';
import type { Manifest } from './yaml';

const SUBJECTS = [{ apiGroup: RBAC_GROUP, kind: 'User', name: MANAGER }];
const DISCOVERY = `${MANAGER}-discovery`;
/** Where DNS runs, in every distribution that has the Deployment. */
const DNS_NAMESPACE = 'kube-system';
const DNS = `${MANAGER}-dns`;

/** What has no namespace: who the cluster is, what it can do, and its size. */
const DISCOVERY_MANIFESTS: readonly Manifest[] = [
  {
    object: {
      apiVersion: RBAC_VERSION,
      kind: 'ClusterRole',
      metadata: { name: DISCOVERY, labels: PLATFORM_LABELS },
      rules: [
        { apiGroups: [''], resources: ['nodes'], verbs: ['get', 'list'] },
        { apiGroups: ['storage.k8s.io'], resources: ['storageclasses'], verbs: ['get', 'list'] },
        { apiGroups: ['networking.k8s.io'], resources: ['ingressclasses'], verbs: ['get', 'list'] },
        { nonResourceURLs: ['/version', '/api', '/api/*', '/apis', '/apis/*'], verbs: ['get'] },
      ],
    },
    remarks: {
      '- nonResourceURLs:': 'Version and API groups. Kubernetes gives this to everybody unless it was taken away.',
    },
  },
  {
    object: {
      apiVersion: RBAC_VERSION,
      kind: 'ClusterRoleBinding',
      metadata: { name: DISCOVERY, labels: PLATFORM_LABELS },
      subjects: SUBJECTS,
      roleRef: { apiGroup: RBAC_GROUP, kind: 'ClusterRole', name: DISCOVERY },
    },
  },
];

const DNS_MANIFESTS: readonly Manifest[] = [
  {
    object: {
      apiVersion: RBAC_VERSION,
      kind: 'Role',
      metadata: { name: DNS, namespace: DNS_NAMESPACE, labels: PLATFORM_LABELS },
      rules: [
        {
          apiGroups: ['apps'],
          resources: ['deployments'],
          resourceNames: ['coredns', 'rke2-coredns-rke2-coredns'],
          verbs: ['get'],
        },
      ],
    },
    remarks: { 'resourceNames:': 'CoreDNS by the names that kubeadm, k3s, EKS and AKS (the first) and RKE2 give it.' },
  },
  {
    object: {
      apiVersion: RBAC_VERSION,
      kind: 'RoleBinding',
      metadata: { name: DNS, namespace: DNS_NAMESPACE, labels: PLATFORM_LABELS },
      subjects: SUBJECTS,
      roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name: DNS },
    },
  },
];

/** In the registered namespace: components, and their status with them. */
const COMPONENT_MANIFESTS: readonly Manifest[] = [
  {
    object: {
      apiVersion: RBAC_VERSION,
      kind: 'Role',
      metadata: { name: MANAGER, namespace: MANAGED_NAMESPACE, labels: PLATFORM_LABELS },
      rules: [
        {
          apiGroups: [COMPONENT_GROUP],
          resources: ['managedcomponents'],
          verbs: ['get', 'list', 'watch', 'create', 'patch', 'delete'],
        },
      ],
    },
    remarks: { [`namespace: ${MANAGED_NAMESPACE}`]: 'EDIT: the registered namespace.' },
  },
  {
    object: {
      apiVersion: RBAC_VERSION,
      kind: 'RoleBinding',
      metadata: { name: MANAGER, namespace: MANAGED_NAMESPACE, labels: PLATFORM_LABELS },
      subjects: SUBJECTS,
      roleRef: { apiGroup: RBAC_GROUP, kind: 'Role', name: MANAGER },
    },
    remarks: { [`namespace: ${MANAGED_NAMESPACE}`]: 'EDIT: the registered namespace.' },
  },
];

/** What the user of the registered kubeconfig may do. */
export const MANAGER_ACCESS: readonly Manifest[] = [...DISCOVERY_MANIFESTS, ...DNS_MANIFESTS, ...COMPONENT_MANIFESTS];
