import { base64, config, type Fields, TOKEN } from '../kubeconfig';
import type { Pair } from '../pki';
import { type Case, fields, type Kit, parts, rewriteKey } from './case';

const withCa = (n: number, what: string, ca: (kit: Kit) => string, expected: Case['expected']): Case => ({
  n,
  what,
  input: (kit) => fields(config('', { cluster: { 'certificate-authority-data': base64(ca(kit)) } })),
  expected,
});

const pinned = (
  n: number,
  what: string,
  found: (kit: Kit) => string | undefined,
  pin: (kit: Kit) => string,
  expected: Case['expected'],
): Case => ({
  n,
  what,
  input: (kit) => {
    const data = found(kit);
    const cluster = { 'certificate-authority-data': data === undefined ? undefined : base64(data) };
    return fields(config('', { cluster }), { ca: pin(kit) });
  },
  expected,
});

const withUser = (n: number, what: string, user: (kit: Kit) => Fields, expected: Case['expected']): Case => ({
  n,
  what,
  input: (kit) => fields(config(kit.ca.certificate, { user: { token: undefined, ...user(kit) } })),
  expected,
});

const withPair = (n: number, what: string, pair: (kit: Kit) => Pair, expected: Case['expected']): Case =>
  withUser(
    n,
    what,
    (kit) => {
      const { certificate, key } = pair(kit);
      return { 'client-certificate-data': base64(certificate), 'client-key-data': base64(key) };
    },
    expected,
  );

const token = (value: string, expected: Case['expected']): Case =>
  parts(28, `the token ${JSON.stringify(value)}`, { user: { token: value } }, expected);

/** Cases 1, 2, 25 to 28, 49 and 51 to 55: CA, certificates, keys and tokens. */
export const CREDENTIAL_CASES: readonly Case[] = [
  parts(1, 'token and CA, exact server', {}, 'accept'),
  withPair(2, 'a P-256 client certificate', ({ p256 }) => p256, 'accept'),
  withPair(2, 'an RSA client certificate', ({ rsa }) => rsa, 'accept'),
  withPair(2, 'an Ed25519 client certificate', ({ ed25519 }) => ed25519, 'accept'),
  withPair(
    2,
    'an RSA key as older tools write it',
    ({ rsa }) => ({ ...rsa, key: rewriteKey(rsa.key, 'pkcs1') }),
    'accept',
  ),
  withPair(
    2,
    'an EC key as older tools write it',
    ({ p256 }) => ({ ...p256, key: rewriteKey(p256.key, 'sec1') }),
    'accept',
  ),
  withPair(
    2,
    'an EC key with its parameters before it (openssl ecparam)',
    ({ p256 }) => ({
      ...p256,
      key: `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${rewriteKey(p256.key, 'sec1')}`,
    }),
    'accept',
  ),
  withPair(
    2,
    'certificate and issuer (k3s)',
    ({ p256, ca }) => ({ ...p256, certificate: p256.certificate + ca.certificate }),
    'accept',
  ),
  parts(25, 'no CA', { cluster: { 'certificate-authority-data': undefined } }, 'ca-missing'),
  parts(25, 'an empty CA', { cluster: { 'certificate-authority-data': '' } }, 'ca-missing'),
  {
    n: 25,
    what: 'no CA where a public CA is registered',
    input: ({ ca }) =>
      fields(config(ca.certificate, { cluster: { 'certificate-authority-data': undefined } }), { allowPublicCa: true }),
    expected: 'accept',
  },
  withCa(26, 'CA data that is not PEM', () => 'kubernetes', 'ca-invalid'),
  withCa(
    26,
    'CA data that is DER',
    ({ ca }) => Buffer.from(ca.certificate.replace(/-----.*-----/g, ''), 'base64').toString('latin1'),
    'ca-invalid',
  ),
  withCa(
    26,
    'a CA certificate that is cut off',
    ({ ca }) => ca.certificate.replace(/^.*\n(?=-----END)/m, ''),
    'ca-invalid',
  ),
  withCa(26, 'a CA without its end line', ({ ca }) => ca.certificate.replace(/-----END.*/, ''), 'ca-invalid'),
  withCa(26, 'a key in the CA', ({ ca }) => ca.certificate + ca.key, 'ca-invalid'),
  withCa(26, 'PEM of something else', ({ ca }) => ca.certificate.replace(/CERTIFICATE/g, 'PUBLIC KEY'), 'ca-invalid'),
  withCa(26, 'PEM with junk inside', ({ ca }) => ca.certificate.replace('\nM', '\n!M'), 'ca-invalid'),
  withCa(26, 'several CA certificates', ({ ca, otherCa }) => ca.certificate + otherCa.certificate, 'accept'),
  withCa(
    26,
    'CA certificates with text between them',
    ({ ca, otherCa }) => `subject=CN=a\n${ca.certificate}\nsubject=CN=b\n${otherCa.certificate}`,
    'accept',
  ),
  withCa(26, 'more than 100 CA certificates', ({ ca }) => ca.certificate.repeat(101), 'ca-invalid'),
  withCa(26, 'a certificate that is not a CA', ({ notCa }) => notCa.certificate, 'ca-not-ca'),
  withCa(26, 'one of two is not a CA', ({ ca, p256 }) => ca.certificate + p256.certificate, 'ca-not-ca'),
  pinned(
    27,
    'the CA that is registered',
    ({ ca }) => ca.certificate,
    ({ ca }) => ca.certificate,
    'accept',
  ),
  pinned(
    27,
    'the CA that is registered, as base64 without line breaks',
    ({ ca }) => ca.certificate,
    ({ ca }) => base64(ca.certificate),
    'accept',
  ),
  pinned(
    27,
    'the CA that is registered, its line breaks lost in a form',
    ({ ca }) => ca.certificate,
    ({ ca }) => ca.certificate.replace(/\n/g, ' '),
    'accept',
  ),
  pinned(
    27,
    'the CAs that are registered in another order',
    ({ ca, otherCa }) => ca.certificate + otherCa.certificate,
    ({ ca, otherCa }) => otherCa.certificate + ca.certificate,
    'accept',
  ),
  pinned(
    27,
    'another CA than the registered one',
    ({ otherCa }) => otherCa.certificate,
    ({ ca }) => ca.certificate,
    'ca-mismatch',
  ),
  pinned(
    27,
    'one CA more than registered',
    ({ ca, otherCa }) => ca.certificate + otherCa.certificate,
    ({ ca }) => ca.certificate,
    'ca-mismatch',
  ),
  pinned(
    27,
    'one CA less than registered',
    ({ ca }) => ca.certificate,
    ({ ca, otherCa }) => ca.certificate + otherCa.certificate,
    'ca-mismatch',
  ),
  pinned(
    27,
    'no CA where one is registered',
    () => undefined,
    ({ ca }) => ca.certificate,
    'accept',
  ),
  pinned(
    27,
    'a registered CA that is not one',
    ({ ca }) => ca.certificate,
    () => 'x',
    'ca-invalid',
  ),
  token('a\nb', 'token-format'),
  token('a\r\nX-Remote-User: admin', 'token-format'),
  token('a b', 'token-format'),
  token('Bearer abc', 'token-format'),
  token('abc\n', 'token-format'),
  token(' abc', 'token-format'),
  token('a\tb', 'token-format'),
  token('tökén', 'token-format'),
  token('a'.repeat(16_385), 'token-format'),
  token('a'.repeat(16_384), 'accept'),
  token('sha256~Zm9v-_.~+/=', 'accept'),
  {
    n: 28,
    what: 'a token that is a number',
    input: ({ ca }) => fields(config(ca.certificate, { user: { token: 12345 } })),
    expected: 'wrong-type',
  },
  parts(49, 'no users', { root: { users: [] } }, 'dangling-reference'),
  parts(49, 'users: null', { root: { users: null } }, 'dangling-reference'),
  withUser(49, 'a user without credential', () => ({}), 'no-identity'),
  parts(49, 'a user with an empty token', { user: { token: '' } }, 'no-identity'),
  parts(49, 'a user that is null', { root: { users: [{ name: 'navin', user: null }] } }, 'no-identity'),
  withUser(
    51,
    'token and client certificate (AKS)',
    ({ p256 }) => ({
      token: TOKEN,
      'client-certificate-data': base64(p256.certificate),
      'client-key-data': base64(p256.key),
    }),
    'one-identity',
  ),
  withUser(
    51,
    'token and client key',
    ({ p256 }) => ({ token: TOKEN, 'client-key-data': base64(p256.key) }),
    'one-identity',
  ),
  withUser(
    52,
    'a certificate without key',
    ({ p256 }) => ({ 'client-certificate-data': base64(p256.certificate) }),
    'client-certificate-incomplete',
  ),
  withUser(
    52,
    'a key without certificate',
    ({ p256 }) => ({ 'client-key-data': base64(p256.key) }),
    'client-certificate-incomplete',
  ),
  withPair(
    52,
    'a certificate that is not PEM',
    ({ p256 }) => ({ ...p256, certificate: 'x' }),
    'client-certificate-invalid',
  ),
  withPair(
    52,
    'a key in place of the certificate',
    ({ p256 }) => ({ ...p256, certificate: p256.key }),
    'client-certificate-invalid',
  ),
  withPair(
    52,
    'a certificate in place of the key',
    ({ p256 }) => ({ ...p256, key: p256.certificate }),
    'client-key-invalid',
  ),
  withPair(52, 'two keys', ({ p256 }) => ({ ...p256, key: p256.key + p256.key }), 'client-key-invalid'),
  withPair(
    52,
    'a key that is cut off',
    ({ p256 }) => ({ ...p256, key: p256.key.replace(/^.*\n(?=-----END)/m, '') }),
    'client-key-invalid',
  ),
  withPair(53, 'the key of another certificate', ({ p256, rsa }) => ({ ...p256, key: rsa.key }), 'key-mismatch'),
  withPair(
    53,
    'another key of the same kind',
    ({ p256, expiring }) => ({ ...p256, key: expiring.key }),
    'key-mismatch',
  ),
  withPair(
    53,
    'the issuer before the certificate',
    ({ p256, ca }) => ({ ...p256, certificate: ca.certificate + p256.certificate }),
    'key-mismatch',
  ),
  withPair(54, 'an expired certificate', ({ expired }) => expired, 'certificate-validity'),
  withPair(54, 'a certificate that expired 30 seconds ago', ({ expiredWithinSkew }) => expiredWithinSkew, {
    warns: /^The client certificate expires now\.$/,
  }),
  withPair(54, 'a certificate that is valid from in two minutes', ({ future }) => future, 'certificate-validity'),
  withPair(54, 'a certificate that is valid from in 30 seconds', ({ futureWithinSkew }) => futureWithinSkew, 'accept'),
  withPair(54, 'a certificate that expires in three days', ({ expiring }) => expiring, {
    warns: /^The client certificate expires in 3 days\.$/,
  }),
  withPair(
    55,
    'an encrypted PKCS #8 key',
    ({ rsa }) => ({ ...rsa, key: rewriteKey(rsa.key, 'encrypted') }),
    'key-encrypted',
  ),
  withPair(
    55,
    'an encrypted key as older tools write it',
    ({ rsa }) => ({ ...rsa, key: rewriteKey(rsa.key, 'encrypted-traditional') }),
    'key-encrypted',
  ),
];
