import { CORE_DNS } from './read';

/** The account that a cluster is imported by. */
export const IMPORT_ACCOUNT = 'navin-import';

const DISCOVERY = `${IMPORT_ACCOUNT}-discovery`;
const DNS = `${IMPORT_ACCOUNT}-dns`;
const LABELS = '{ app.kubernetes.io/part-of: navin-platform }';

/**
 * The least rights by which a cluster is imported, as YAML for its administrator: read what the cluster consists of, and
 * write resources of the platform in one namespace. No Secret, no workload but the Deployment of CoreDNS, no rights, no other
 * namespace. It may be applied again, and for several namespaces.
 *
 * @param namespace a checked name of a namespace: it is written as it is
 */
export function importAccessYaml(namespace: string): string {
  const name = JSON.stringify(namespace);
  const subject = `subjects: [{ kind: ServiceAccount, name: ${IMPORT_ACCOUNT}, namespace: ${name} }]`;
  const ofNamespace = (binding: string): string => JSON.stringify(`${binding}-${namespace}`);
  const roleRef = (kind: string, role: string): string =>
    `roleRef: { apiGroup: rbac.authorization.k8s.io, kind: ${kind}, name: ${role} }`;
  return [
    '# Who imports the cluster. Its token: kubectl create token',
    'apiVersion: v1',
    'kind: ServiceAccount',
    `metadata: { name: ${IMPORT_ACCOUNT}, namespace: ${name}, labels: ${LABELS} }`,
    'automountServiceAccountToken: false',
    '---',
    '# What the cluster consists of; nothing of it can be changed.',
    ...roleHead('ClusterRole', `{ name: ${DISCOVERY}, labels: ${LABELS} }`),
    ...rule('""', 'nodes, namespaces', 'get, list'),
    ...rule('apiextensions.k8s.io', 'customresourcedefinitions', 'get, list'),
    ...rule('storage.k8s.io', 'storageclasses', 'get, list'),
    ...rule('networking.k8s.io', 'ingressclasses', 'get, list'),
    '  - nonResourceURLs: [/version, /api, /api/*, /apis, /apis/*]',
    '    verbs: [get]',
    '---',
    ...roleHead('ClusterRoleBinding', `{ name: ${ofNamespace(DISCOVERY)}, labels: ${LABELS} }`),
    subject,
    roleRef('ClusterRole', DISCOVERY),
    '---',
    '# CoreDNS, by the names its Deployment has.',
    ...roleHead('Role', `{ name: ${DNS}, namespace: ${CORE_DNS.namespace}, labels: ${LABELS} }`),
    '  - apiGroups: [apps]',
    '    resources: [deployments]',
    `    resourceNames: [${CORE_DNS.names.join(', ')}]`,
    '    verbs: [get]',
    '---',
    ...roleHead('RoleBinding', `{ name: ${ofNamespace(DNS)}, namespace: ${CORE_DNS.namespace}, labels: ${LABELS} }`),
    subject,
    roleRef('Role', DNS),
    '---',
    '# Components and what else the platform declares, in this namespace alone.',
    ...roleHead('Role', `{ name: ${IMPORT_ACCOUNT}, namespace: ${name}, labels: ${LABELS} }`),
    ...rule('platform.navin.ai', 'managedcomponents', 'get, list, watch, create, update, patch, delete'),
    '---',
    ...roleHead('RoleBinding', `{ name: ${IMPORT_ACCOUNT}, namespace: ${name}, labels: ${LABELS} }`),
    subject,
    roleRef('Role', IMPORT_ACCOUNT),
    '',
  ].join('\n');
}

function roleHead(kind: string, metadata: string): readonly string[] {
  const head = ['apiVersion: rbac.authorization.k8s.io/v1', `kind: ${kind}`, `metadata: ${metadata}`];
  return kind.endsWith('Binding') ? head : [...head, 'rules:'];
}

function rule(group: string, resources: string, verbs: string): readonly string[] {
  return [`  - apiGroups: [${group}]`, `    resources: [${resources}]`, `    verbs: [${verbs}]`];
}
