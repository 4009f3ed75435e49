import operator from '../../package.json';

/** Every object of the operator has this name, which no component and no chart may have (ReservedName). */
export const OPERATOR = 'navin-operator';
/** The operator's own namespace: never one of those it manages. */
export const OPERATOR_NAMESPACE = 'navin-system';
/** The namespace the manifests manage; an administrator puts theirs in its place. */
export const MANAGED_NAMESPACE = 'navin-platform';
/** The user whose kubeconfig the manager, or n8n, is given. */
export const MANAGER = 'navin-manager';
/** Invalid on purpose: an administrator names the registry that has the image. */
export const IMAGE = `registry.example/navin/platform-operator:${operator.version}`;

/** What a binding gives its role to. */
export const OPERATOR_ACCOUNT = { kind: 'ServiceAccount', name: OPERATOR, namespace: OPERATOR_NAMESPACE };

/** Labels of everything here. */
export const PLATFORM_LABELS = { 'app.kubernetes.io/part-of': 'navin-platform' };
/** Labels of every object of the operator. */
export const LABELS = { 'app.kubernetes.io/name': OPERATOR, ...PLATFORM_LABELS };

/** The first lines of objects about rights. */
export const RBAC_GROUP = 'rbac.authorization.k8s.io';
export const RBAC_VERSION = `${RBAC_GROUP}/v1`;
