import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { EgressPolicy } from '../../core/egress';
import { NavinError } from '../../core/errors';
import { type GuardResult, targetFromKubeconfig, targetFromToken } from '../../core/kubeconfig';
import { isRightsGroup, type RightsGroup } from './rights';

/** The name of the credential type, which is global in n8n. */
export const CREDENTIAL_TYPE = 'navinKubernetesApi';

/** The fields of a credential, each of its type: expressions can put anything into one. */
export interface CredentialFields {
  readonly authentication: 'kubeconfig' | 'token';
  readonly apiServer: string;
  readonly kubeconfig: string;
  readonly token: string;
  readonly ca: string;
  readonly allowPublicCa: boolean;
  readonly namespace: string;
  readonly rightsToCheck: readonly RightsGroup[];
}

/**
 * Reads the fields of a decrypted credential.
 * @throws NavinError `k8s_parameter_invalid` that names the field and never repeats its value
 */
export function readCredential(data: ICredentialDataDecryptedObject): CredentialFields {
  const authentication = textOf(data, 'authentication', 'Authentication') || 'kubeconfig';
  if (authentication !== 'kubeconfig' && authentication !== 'token') {
    throw refused('authentication', 'Authentication', 'must be kubeconfig or token');
  }
  const groups = data.rightsToCheck ?? ['read'];
  if (!Array.isArray(groups) || !groups.every((group): group is RightsGroup => isGroup(group))) {
    throw refused('rightsToCheck', 'Rights to Check', 'holds a group that does not exist');
  }
  return {
    authentication,
    apiServer: textOf(data, 'apiServer', 'API Server'),
    kubeconfig: textOf(data, 'kubeconfig', 'Kubeconfig'),
    token: textOf(data, 'token', 'Token'),
    ca: textOf(data, 'ca', 'CA'),
    allowPublicCa: data.allowPublicCa === true,
    namespace: textOf(data, 'namespace', 'Namespace'),
    rightsToCheck: groups,
  };
}

/**
 * The cluster a credential stands for, checked by the guard. Nothing is connected to.
 * @throws KubeconfigError, ServerMismatchError
 */
export function targetOf(fields: CredentialFields, { devApiServer }: EgressPolicy): GuardResult {
  const { authentication, apiServer, kubeconfig, token, ca, allowPublicCa, namespace } = fields;
  const common = { server: apiServer, namespace, allowPublicCa, devApiServer };
  return authentication === 'kubeconfig'
    ? targetFromKubeconfig({ ...common, kubeconfig })
    : targetFromToken({ ...common, token, ca });
}

function isGroup(value: unknown): boolean {
  return typeof value === 'string' && isRightsGroup(value);
}

function textOf(data: ICredentialDataDecryptedObject, name: string, label: string): string {
  const value = data[name] ?? '';
  if (typeof value !== 'string') throw refused(name, label, 'must be a text');
  return value.trim();
}

function refused(name: string, label: string, what: string): NavinError {
  return new NavinError('k8s_parameter_invalid', `'${label}' of the credential ${what}`, {
    hint: 'Correct the credential',
    details: { parameter: name },
  });
}
