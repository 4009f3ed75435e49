/** A section of docs/kubeconfig.md, by its anchor. */
export type DocsSection =
  | 'what-a-self-contained-kubeconfig-is'
  | 'recipe'
  | 'pasting'
  | 'the-address-of-the-api-server'
  | 'the-ca'
  | 'client-certificates'
  | 'tokens'
  | 'namespace'
  | 'eks'
  | 'gke'
  | 'aks'
  | 'openshift'
  | 'k3s'
  | 'kind'
  | 'k3d'
  | 'minikube';

interface Rule {
  /** What is refused, as a clause. */
  readonly refuses: string;
  /** What the person does instead, as one or two sentences. */
  readonly instead: string;
  /** The section of docs/kubeconfig.md that explains it. */
  readonly docs: DocsSection;
}

const SELF_CONTAINED = 'Write it with `kubectl config view --raw --minify --flatten`.';
const SERVICE_ACCOUNT = 'Make a kubeconfig of a ServiceAccount by the recipe.';

/**
 * The rules of the guard by name. Names are stable: they stand in `KubeconfigError.rule`, in tests and in
 * docs/kubeconfig.md, whose table is generated from here.
 */
export const KUBECONFIG_RULES = {
  'too-large': {
    refuses: 'more than 256 KiB of text, or a value longer than its limit',
    instead: `Keep only the context you need. ${SELF_CONTAINED}`,
    docs: 'pasting',
  },
  characters: {
    refuses: 'tabs, NUL, control characters, broken UTF-8 (lone surrogates, U+FFFD), lone carriage returns',
    instead: 'Indent with spaces and save the file as UTF-8, or paste it as JSON (`kubectl config view … -o json`).',
    docs: 'pasting',
  },
  'line-breaks-lost': {
    refuses: 'YAML whose line breaks were lost, as happens in single-line fields',
    instead: 'Paste the kubeconfig as JSON: `kubectl config view --raw --minify --flatten -o json`.',
    docs: 'pasting',
  },
  'yaml-syntax': {
    refuses: 'text that is neither YAML nor JSON',
    instead: 'Paste the whole file again, with its indentation, or paste it as JSON (`kubectl config view … -o json`).',
    docs: 'pasting',
  },
  'yaml-features': {
    refuses: 'YAML anchors, aliases, merge keys, tags, directives and keys that are not plain text',
    instead: `Write the values out. ${SELF_CONTAINED}`,
    docs: 'pasting',
  },
  'one-document': {
    refuses: 'several YAML documents in one text',
    instead: 'Paste one kubeconfig only, without a second `---`.',
    docs: 'pasting',
  },
  'duplicate-key': {
    refuses: 'the same key twice in one mapping',
    instead: `Remove one of the two. ${SELF_CONTAINED}`,
    docs: 'pasting',
  },
  'too-deep': {
    refuses: 'nesting deeper than 20 levels',
    instead: `Remove what does not belong to a kubeconfig. ${SELF_CONTAINED}`,
    docs: 'pasting',
  },
  'too-many': {
    refuses: 'more than 1,000 clusters, users or contexts, or more than 20,000 values',
    instead: `Keep only the context you need. ${SELF_CONTAINED}`,
    docs: 'pasting',
  },
  'not-a-kubeconfig': {
    refuses: 'something else than one object of `apiVersion: v1`, `kind: Config`',
    instead: `Paste the kubeconfig itself. ${SELF_CONTAINED}`,
    docs: 'what-a-self-contained-kubeconfig-is',
  },
  'unknown-key': {
    refuses: 'a key that a kubeconfig does not have, anywhere in the file',
    instead: `Correct or remove the key (keys are case-sensitive). ${SELF_CONTAINED}`,
    docs: 'what-a-self-contained-kubeconfig-is',
  },
  'wrong-type': {
    refuses: 'a value of the wrong type, for example a number or a list where text belongs, or a missing name',
    instead: 'Correct the value; put text that looks like a number in quotes.',
    docs: 'what-a-self-contained-kubeconfig-is',
  },
  'duplicate-name': {
    refuses: 'two clusters, two users or two contexts of the same name',
    instead: `Remove or rename one of the two. ${SELF_CONTAINED}`,
    docs: 'what-a-self-contained-kubeconfig-is',
  },
  'current-context': {
    refuses: 'a `current-context` that is missing, empty or not among the contexts',
    instead: 'Choose one with `kubectl config use-context NAME` and export the kubeconfig again.',
    docs: 'what-a-self-contained-kubeconfig-is',
  },
  'dangling-reference': {
    refuses: 'a context whose cluster or user is not in the file',
    instead: `Add what is missing or remove the context. ${SELF_CONTAINED}`,
    docs: 'what-a-self-contained-kubeconfig-is',
  },
  'exec-plugin': {
    refuses: '`exec`, also empty and also in a user that is not used: it names a program to run',
    instead: `No program is ever run here. ${SERVICE_ACCOUNT}`,
    docs: 'recipe',
  },
  'auth-provider': {
    refuses: '`auth-provider` (gcp, azure, oidc …): it needs a program or a refresh that is not done here',
    instead: SERVICE_ACCOUNT,
    docs: 'recipe',
  },
  'file-reference': {
    refuses:
      '`certificate-authority`, `client-certificate`, `client-key`, `tokenFile`, `token-file`: they name files of another machine',
    instead: 'Embed the files (`…-data`): `kubectl config view --raw --minify --flatten` does it.',
    docs: 'what-a-self-contained-kubeconfig-is',
  },
  proxy: {
    refuses: 'a `proxy-url` that is not empty',
    instead: 'Remove it, and register an API server that n8n reaches directly.',
    docs: 'the-address-of-the-api-server',
  },
  impersonation: {
    refuses: '`as`, `as-uid`, `as-groups`, `as-user-extra`',
    instead: `Use the identity itself. ${SERVICE_ACCOUNT}`,
    docs: 'recipe',
  },
  'skip-tls-verify': {
    refuses: '`insecure-skip-tls-verify` with any value but the boolean `false`',
    instead: "Remove it and give the cluster's CA in `certificate-authority-data`.",
    docs: 'the-ca',
  },
  'basic-auth': {
    refuses: '`username` and `password`: Kubernetes has not accepted them since 1.19',
    instead: SERVICE_ACCOUNT,
    docs: 'recipe',
  },
  'tls-server-name': {
    refuses: '`tls-server-name`: it changes which server is trusted',
    instead: "Use an address that stands in the API server's certificate.",
    docs: 'the-address-of-the-api-server',
  },
  'server-scheme': {
    refuses: 'an address that does not begin with `https://`',
    instead: 'Give the address as `https://HOST:PORT`.',
    docs: 'the-address-of-the-api-server',
  },
  'server-address': {
    refuses:
      'an address that is not written plainly as `https://HOST[:PORT][/PATH]` (user names, queries, `%`, `..`, odd spellings of IP addresses), and addresses that are never connected to (loopback, link-local, cloud metadata, multicast)',
    instead: 'Give the address of the API server as n8n reaches it, written plainly.',
    docs: 'the-address-of-the-api-server',
  },
  'ca-missing': {
    refuses: 'a cluster without CA, unless the credential says that its server has a certificate of a public CA',
    instead: 'Add `certificate-authority-data`, or state in the credential that a public CA signed the certificate.',
    docs: 'the-ca',
  },
  'ca-invalid': {
    refuses: 'a CA that is not PEM text with 1 to 100 X.509 certificates',
    instead: 'Copy the CA again from `-----BEGIN CERTIFICATE-----` to `-----END CERTIFICATE-----`.',
    docs: 'the-ca',
  },
  'ca-not-ca': {
    refuses: 'a certificate in the CA that is not a CA certificate',
    instead: "Give the CA that signed the API server's certificate, not the server's certificate itself.",
    docs: 'the-ca',
  },
  'ca-validity': {
    refuses: 'a CA of which no certificate is valid now',
    instead: 'Give the CA the cluster has now, and check the clock of the n8n host.',
    docs: 'the-ca',
  },
  'ca-mismatch': {
    refuses: 'a CA other than the one registered in the credential',
    instead:
      'Correct the one that is wrong, or leave the CA of the credential empty to trust the one in the kubeconfig.',
    docs: 'the-ca',
  },
  base64: {
    refuses: 'a `…-data` value that is not strict base64 (line breaks and spaces are fine)',
    instead: `Copy the value again, whole. ${SELF_CONTAINED}`,
    docs: 'pasting',
  },
  'no-identity': {
    refuses: 'a user without token and without client certificate',
    instead: SERVICE_ACCOUNT,
    docs: 'recipe',
  },
  'one-identity': {
    refuses: 'a user with both a token and a client certificate',
    instead: 'Keep one: `kubectl config unset users.NAME.token` removes the token.',
    docs: 'what-a-self-contained-kubeconfig-is',
  },
  'token-format': {
    refuses: 'a token that is not 1 to 16,384 printable ASCII characters without spaces and line breaks',
    instead: 'Copy the token again, without `Bearer`, quotes and line breaks.',
    docs: 'tokens',
  },
  'client-certificate-incomplete': {
    refuses: 'a client certificate without key, or a key without certificate',
    instead: 'Give both `client-certificate-data` and `client-key-data`.',
    docs: 'client-certificates',
  },
  'client-certificate-invalid': {
    refuses: 'a client certificate that is not PEM text with 1 to 10 X.509 certificates',
    instead: 'Copy the certificate again, the one of the identity first.',
    docs: 'client-certificates',
  },
  'client-key-invalid': {
    refuses: 'a client key that is not one PEM private key (RSA, EC, Ed25519 or Ed448)',
    instead: 'Copy the key again, whole.',
    docs: 'client-certificates',
  },
  'key-encrypted': {
    refuses: 'a client key that is encrypted with a passphrase',
    instead: 'Decrypt it first: `openssl pkey -in client.key -out client-plain.key`.',
    docs: 'client-certificates',
  },
  'key-mismatch': {
    refuses: 'a client key that does not belong to the (first) client certificate',
    instead: 'Take both from the same place, and put the certificate of the identity before those of its issuers.',
    docs: 'client-certificates',
  },
  'certificate-validity': {
    refuses: 'a client certificate that has expired or is not valid yet (by more than 60 seconds)',
    instead: 'Renew it, or use a ServiceAccount; check the clock of the n8n host.',
    docs: 'client-certificates',
  },
  namespace: {
    refuses: 'a namespace that is not a DNS label (lower-case letters, digits, `-`; at most 63 characters)',
    instead: 'Correct the namespace of the credential or of the context.',
    docs: 'namespace',
  },
} as const satisfies Record<string, Rule>;

/** The stable name of a rule of the guard, see {@link KUBECONFIG_RULES}. */
export type RuleName = keyof typeof KUBECONFIG_RULES;

/** The table of rules in docs/kubeconfig.md (between the markers `generated:rules`). */
export function kubeconfigRulesMarkdown(): string {
  const rows = Object.entries<Rule>(KUBECONFIG_RULES).map(
    ([name, { refuses, instead, docs }]) =>
      `| <a id="rule-${name}"></a>\`${name}\` | ${refuses} | ${instead} [More](#${docs}) |`,
  );
  return ['| rule | refuses | instead |', '|---|---|---|', ...rows].join('\n');
}
