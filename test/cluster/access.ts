import { dump } from 'js-yaml';
import type { Api } from './api';
import type { KeyPair } from '../certificates';

/** A rule of a Role or ClusterRole. */
export interface PolicyRule {
  readonly apiGroups?: readonly string[];
  readonly resources?: readonly string[];
  readonly resourceNames?: readonly string[];
  readonly verbs: readonly string[];
  readonly nonResourceURLs?: readonly string[];
}

/** A ServiceAccount to make, and what it may do. */
export interface ServiceAccountOptions {
  /** Created when missing. */
  readonly namespace: string;
  /** Default: a name that is not used yet. */
  readonly name?: string;
  /** Rules within the namespace. */
  readonly rules?: readonly PolicyRule[];
  /** Rules for the whole cluster. */
  readonly clusterRules?: readonly PolicyRule[];
  /** How long the token is valid, in seconds; the server demands 600 at least. Default a day. */
  readonly tokenSeconds?: number;
}

/** A ServiceAccount that can speak for itself. */
export interface ServiceAccountAccess {
  readonly namespace: string;
  readonly name: string;
  readonly token: string;
  /** Self-contained kubeconfig with the token and the CA inside. */
  readonly kubeconfig: string;
}

const RBAC = '/apis/rbac.authorization.k8s.io/v1';
const DAY_SECONDS = 86_400;
let counter = 0;

/**
 * Makes a ServiceAccount with exactly the given rights, and a token for it.
 *
 * @throws ClusterError request_failed
 */
export async function createServiceAccount(
  api: Api,
  cluster: { server: string; caPem: string },
  options: ServiceAccountOptions,
): Promise<ServiceAccountAccess> {
  const { namespace, rules, clusterRules, tokenSeconds = DAY_SECONDS } = options;
  const name = options.name ?? `account-${process.pid}-${++counter}`;
  await ensureNamespace(api, namespace);
  await api.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, { metadata: { name } });
  const subjects = [{ kind: 'ServiceAccount', name, namespace }];
  if (rules !== undefined) {
    const scope = `${RBAC}/namespaces/${namespace}`;
    await api.create(`${scope}/roles`, { metadata: { name }, rules });
    await api.create(`${scope}/rolebindings`, { metadata: { name }, subjects, roleRef: roleRef('Role', name) });
  }
  if (clusterRules !== undefined) {
    const unique = `${namespace}-${name}`;
    await api.create(`${RBAC}/clusterroles`, { metadata: { name: unique }, rules: clusterRules });
    await api.create(`${RBAC}/clusterrolebindings`, {
      metadata: { name: unique },
      subjects,
      roleRef: roleRef('ClusterRole', unique),
    });
  }
  const token = await requestToken(api, namespace, name, tokenSeconds);
  return { namespace, name, token, kubeconfig: kubeconfigOf(cluster, { token }, namespace) };
}

/** A fresh token of a ServiceAccount. */
export async function requestToken(
  api: Api,
  namespace: string,
  name: string,
  expirationSeconds = DAY_SECONDS,
): Promise<string> {
  const { status } = await api.create<{ status: { token: string } }>(
    `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`,
    { spec: { expirationSeconds } },
  );
  return status.token;
}

/** Creates a namespace unless it is there, and waits for its default ServiceAccount. */
export async function ensureNamespace(api: Api, name: string): Promise<void> {
  const answer = await api.request('POST', '/api/v1/namespaces', { body: { metadata: { name } } });
  if (answer.status !== 201 && answer.status !== 409) await api.get(`/api/v1/namespaces/${name}`);
  // Pods are refused before it exists.
  await api.until(`/api/v1/namespaces/${name}/serviceaccounts/default`, (account) => account !== undefined);
}

/** A self-contained kubeconfig. */
export function kubeconfigOf(
  cluster: { server: string; caPem: string },
  identity: { token: string } | KeyPair,
  namespace = 'default',
): string {
  const user =
    'token' in identity
      ? { token: identity.token }
      : { 'client-certificate-data': base64(identity.certificate), 'client-key-data': base64(identity.key) };
  return dump({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'navin-test',
        cluster: { server: cluster.server, 'certificate-authority-data': base64(cluster.caPem) },
      },
    ],
    users: [{ name: 'user', user }],
    contexts: [{ name: 'navin-test', context: { cluster: 'navin-test', user: 'user', namespace } }],
    'current-context': 'navin-test',
  });
}

function roleRef(kind: 'Role' | 'ClusterRole', name: string): object {
  return { apiGroup: 'rbac.authorization.k8s.io', kind, name };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
