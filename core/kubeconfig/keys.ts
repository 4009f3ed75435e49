import type { YamlNode } from './document';
import { KubeconfigError, type Place } from './errors';
import type { DocsSection, RuleName } from './rules';
import { sectionForPlugin } from './sections';

/** A mapping of the document. */
export type Mapping = YamlNode & { readonly kind: 'mapping' };

/** Why a key is refused wherever it stands. */
const REASONS = {
  'exec-plugin': 'it names a program to run',
  'auth-provider': 'it needs a program, or a refresh that is not done here',
  'file-reference': 'it names a file of another machine',
  proxy: 'it leads through another server',
  impersonation: 'it acts as somebody else',
  'skip-tls-verify': 'only the boolean false is accepted',
  'basic-auth': 'Kubernetes does not accept passwords',
  'tls-server-name': 'it changes which server is trusted',
} as const satisfies Partial<Record<RuleName, string>>;

/** What to do with a key: read it, drop it, refuse it, or a check of its own. */
type KeyRule = 'read' | 'drop' | keyof typeof REASONS | ((value: YamlNode, place: Place) => void);

/** The whitelist of a mapping: whatever is not in it is refused. */
export type KeyRules = Readonly<Record<string, KeyRule>>;

/** Keys of the file itself. */
export const ROOT_KEYS: KeyRules = {
  apiVersion: 'read',
  kind: 'read',
  clusters: 'read',
  users: 'read',
  contexts: 'read',
  'current-context': 'read',
  preferences: 'drop',
  extensions: 'drop',
};

/** Keys of a cluster. Field list: client-go tools/clientcmd/api/v1/types.go; `token-file` is read by @kubernetes/client-node. */
export const CLUSTER_KEYS: KeyRules = {
  server: 'read',
  'certificate-authority-data': 'read',
  'certificate-authority': 'file-reference',
  'insecure-skip-tls-verify': (value, place) => {
    if (value.kind !== 'scalar' || value.value !== false) throw refused('skip-tls-verify', place);
  },
  'proxy-url': (value, place) => {
    // Empty means no proxy to every client, so there is nothing to refuse.
    if (value.kind !== 'scalar' || (value.value !== '' && value.value !== null)) throw refused('proxy', place);
  },
  'tls-server-name': 'tls-server-name',
  'disable-compression': (value, place) => {
    if (value.kind !== 'scalar' || typeof value.value !== 'boolean') throw wrongType('is not true or false', place);
  },
  extensions: 'drop',
};

/** Keys of a user. */
export const USER_KEYS: KeyRules = {
  'client-certificate-data': 'read',
  'client-key-data': 'read',
  token: 'read',
  'client-certificate': 'file-reference',
  'client-key': 'file-reference',
  tokenFile: 'file-reference',
  'token-file': 'file-reference',
  as: 'impersonation',
  'as-uid': 'impersonation',
  'as-groups': 'impersonation',
  'as-user-extra': 'impersonation',
  username: 'basic-auth',
  password: 'basic-auth',
  'auth-provider': (value, place) => {
    throw refused('auth-provider', place, sectionForPlugin(value));
  },
  exec: (value, place) => {
    throw refused('exec-plugin', place, sectionForPlugin(value));
  },
  extensions: 'drop',
};

/** Keys of a context. */
export const CONTEXT_KEYS: KeyRules = {
  cluster: 'read',
  user: 'read',
  namespace: 'read',
  extensions: 'drop',
};

/**
 * Checks the keys of a mapping against its whitelist.
 * @throws KubeconfigError `unknown-key`, or the rule of a key that is refused
 */
export function checkKeys(mapping: Mapping, keys: KeyRules, path: string): void {
  for (const [key, value] of mapping.entries) {
    const rule = Object.hasOwn(keys, key) ? keys[key] : undefined;
    if (rule === undefined)
      throw unknownKey(key, keys, { path: path === '' ? 'The kubeconfig' : path, line: value.line });
    const place = { path: path === '' ? key : `${path}.${key}`, line: value.line };
    if (typeof rule === 'function') rule(value, place);
    else if (rule !== 'read' && rule !== 'drop') throw refused(rule, place);
  }
}

/** The error for a value of the wrong type. */
export function wrongType(what: string, place: Place): KubeconfigError {
  return new KubeconfigError('wrong-type', what, { place });
}

/** Keys are case-sensitive; one that differs in case or hyphens only is named as it should be. */
function unknownKey(key: string, keys: KeyRules, place: Place): KubeconfigError {
  const plain = (text: string): string => text.toLowerCase().replace(/[-_]/g, '');
  const meant = Object.keys(keys).find((known) => plain(known) === plain(key));
  const what =
    meant === undefined ? 'has a key that is not known' : `has a key that is not known: it is written ${meant}`;
  return new KubeconfigError('unknown-key', what, { place });
}

function refused(rule: keyof typeof REASONS, place: Place, docs?: DocsSection): KubeconfigError {
  return new KubeconfigError(rule, `is refused: ${REASONS[rule]}`, { place, docs });
}
