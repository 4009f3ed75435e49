import { base64, config, type Fields, SERVER, withUnused, yaml } from '../kubeconfig';
import { type Case, fields, parts, text } from './case';

const EXEC: Fields = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: 'aws',
  args: ['eks', 'get-token', '--cluster-name', 'prod'],
  interactiveMode: 'Never',
};

const user = (n: number, what: string, change: Fields, expected: Case['expected']): Case =>
  parts(n, what, { user: change }, expected);

const unused = (
  n: number,
  what: string,
  extra: { cluster?: Fields; user?: Fields },
  expected: Case['expected'],
): Case => ({
  n,
  what: `${what}, in an entry that is not used`,
  input: ({ ca }) => fields(withUnused(config(ca.certificate), extra)),
  expected,
});

const unusedCluster = (change: Fields): { cluster: Fields } => ({
  cluster: { server: 'https://unused.example', ...change },
});

const skipVerify = (value: string): Case => ({
  n: 40,
  what: `insecure-skip-tls-verify: ${value}`,
  input: ({ ca }) =>
    text(yaml(config(ca.certificate)).replace('cluster:\n', `cluster:\n      insecure-skip-tls-verify: ${value}\n`)),
  expected: value.startsWith('!') ? 'yaml-features' : 'skip-tls-verify',
});

/** Cases 29 to 40 and 50: keys that are refused wherever they stand. */
export const ENTRY_CASES: readonly Case[] = [
  user(29, 'as', { as: 'system:admin' }, 'impersonation'),
  user(29, 'as-uid', { 'as-uid': '1' }, 'impersonation'),
  user(29, 'as-user-extra', { 'as-user-extra': { a: ['b'] } }, 'impersonation'),
  user(29, 'an empty as', { as: '' }, 'impersonation'),
  unused(29, 'as', { user: { token: 'x', as: 'admin' } }, 'impersonation'),
  user(30, 'as-groups without as', { 'as-groups': ['system:masters'] }, 'impersonation'),
  user(31, 'exec beside a token', { exec: EXEC }, 'exec-plugin'),
  user(31, 'exec alone', { token: undefined, exec: EXEC }, 'exec-plugin'),
  unused(32, 'exec', { user: { exec: EXEC } }, 'exec-plugin'),
  user(33, 'exec: null', { exec: null }, 'exec-plugin'),
  user(33, 'exec: {}', { exec: {} }, 'exec-plugin'),
  user(33, 'exec: []', { exec: [] }, 'exec-plugin'),
  user(33, 'exec: false', { exec: false }, 'exec-plugin'),
  user(
    34,
    'auth-provider gcp',
    { 'auth-provider': { name: 'gcp', config: { 'cmd-path': '/usr/bin/gcloud' } } },
    'auth-provider',
  ),
  user(34, 'auth-provider oidc', { 'auth-provider': { name: 'oidc' } }, 'auth-provider'),
  user(34, 'auth-provider azure', { 'auth-provider': { name: 'azure' } }, 'auth-provider'),
  user(34, 'auth-provider exec', { 'auth-provider': { name: 'exec' } }, 'auth-provider'),
  unused(34, 'auth-provider: null', { user: { 'auth-provider': null } }, 'auth-provider'),
  user(35, 'tokenFile', { tokenFile: '/var/run/secrets/token' }, 'file-reference'),
  user(35, 'token-file', { 'token-file': '/var/run/secrets/token' }, 'file-reference'),
  user(35, 'client-certificate', { 'client-certificate': '/root/client.crt' }, 'file-reference'),
  user(35, 'client-key', { 'client-key': '/root/client.key' }, 'file-reference'),
  parts(35, 'certificate-authority', { cluster: { 'certificate-authority': '/root/ca.crt' } }, 'file-reference'),
  unused(35, 'certificate-authority', unusedCluster({ 'certificate-authority': 'ca.crt' }), 'file-reference'),
  unused(35, 'an empty tokenFile', { user: { tokenFile: '' } }, 'file-reference'),
  parts(36, 'CA data and path', { cluster: { 'certificate-authority': '/root/ca.crt' } }, 'file-reference'),
  {
    n: 36,
    what: 'client certificate data and paths',
    input: ({ ca, p256 }) =>
      fields(
        config(ca.certificate, {
          user: {
            token: undefined,
            'client-certificate-data': base64(p256.certificate),
            'client-key-data': base64(p256.key),
            'client-key': '/root/client.key',
          },
        }),
      ),
    expected: 'file-reference',
  },
  ...['http://proxy.example:3128', 'https://proxy.example', 'socks5://proxy.example:1080', ' '].map((url) =>
    parts(37, `proxy-url ${url}`, { cluster: { 'proxy-url': url } }, 'proxy'),
  ),
  parts(37, 'a proxy-url that is no text', { cluster: { 'proxy-url': ['http://proxy.example'] } }, 'proxy'),
  unused(37, 'proxy-url', unusedCluster({ 'proxy-url': 'http://proxy.example' }), 'proxy'),
  parts(37, 'an empty proxy-url: no proxy', { cluster: { 'proxy-url': '' } }, 'accept'),
  parts(37, 'proxy-url: null: no proxy', { cluster: { 'proxy-url': null } }, 'accept'),
  parts(38, 'tls-server-name', { cluster: { 'tls-server-name': 'other.example' } }, 'tls-server-name'),
  parts(38, 'an empty tls-server-name', { cluster: { 'tls-server-name': '' } }, 'tls-server-name'),
  unused(38, 'tls-server-name', unusedCluster({ 'tls-server-name': 'other.example' }), 'tls-server-name'),
  parts(39, 'insecure-skip-tls-verify', { cluster: { 'insecure-skip-tls-verify': true } }, 'skip-tls-verify'),
  parts(
    39,
    'insecure-skip-tls-verify without CA',
    { cluster: { 'certificate-authority-data': undefined, 'insecure-skip-tls-verify': true } },
    'skip-tls-verify',
  ),
  unused(39, 'insecure-skip-tls-verify', unusedCluster({ 'insecure-skip-tls-verify': true }), 'skip-tls-verify'),
  parts(39, 'insecure-skip-tls-verify: false', { cluster: { 'insecure-skip-tls-verify': false } }, 'accept'),
  ...[
    '"true"',
    'yes',
    'True',
    'TRUE',
    'on',
    '1',
    '"false"',
    'no',
    'False',
    '0',
    'null',
    '',
    '[]',
    '!!str true',
    '!!bool true',
  ].map(skipVerify),
  user(50, 'username and password', { username: 'admin', password: 'x' }, 'basic-auth'),
  user(50, 'username alone', { username: 'admin' }, 'basic-auth'),
  user(50, 'an empty password', { password: '' }, 'basic-auth'),
  unused(50, 'username and password', { user: { username: 'admin', password: 'x' } }, 'basic-auth'),
  // The whitelist: whatever is not known is refused, also where it looks like something known.
  user(35, 'client-key-file, which nothing knows', { 'client-key-file': '/root/client.key' }, 'unknown-key'),
  user(31, 'Exec, which only case-insensitive readers know', { Exec: EXEC }, 'unknown-key'),
  parts(31, 'exec in a cluster', { cluster: { exec: EXEC } }, 'unknown-key'),
  parts(31, 'exec in a context', { context: { exec: EXEC } }, 'unknown-key'),
  parts(31, 'exec in the file itself', { root: { exec: EXEC } }, 'unknown-key'),
  parts(39, 'insecureSkipTLSVerify', { cluster: { insecureSkipTLSVerify: true } }, 'unknown-key'),
  unused(21, 'a plain http server', { cluster: { server: 'http://unused.example' } }, 'server-scheme'),
  unused(24, 'a loopback server, which is dropped', { cluster: { server: 'https://127.0.0.1:1' } }, 'accept'),
  unused(49, 'a user without credential, who is dropped', { user: {} }, 'accept'),
  unused(23, 'a cluster without server', { cluster: {} }, 'server-address'),
  parts(23, 'the server of another cluster in the context', { context: { server: SERVER } }, 'unknown-key'),
];
