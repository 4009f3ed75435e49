import 'reflect-metadata';
import { createPrivateKey, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto);

/** The time the guard is told in tests. */
export const NOW = new Date('2026-11-29T12:00:00Z');

const DAY = 86_400_000;
const ALGORITHMS = {
  p256: { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' },
  rsa: {
    name: 'RSASSA-PKCS1-v1_5',
    hash: 'SHA-256',
    publicExponent: new Uint8Array([1, 0, 1]),
    modulusLength: 2048,
  },
  ed25519: { name: 'Ed25519' },
} as const;

/** Kinds of keys that clusters hand out. */
export type KeyKind = keyof typeof ALGORITHMS;

/** A certificate and its key, as kubeconfigs hold them before base64. */
export interface Pair {
  readonly certificate: string;
  /** PKCS #8 PEM. */
  readonly key: string;
}

/** A CA that issues client certificates. */
export interface TestCa extends Pair {
  issue(options?: IssueOptions): Promise<Pair>;
}

export interface IssueOptions {
  readonly kind?: KeyKind;
  /** Seconds from {@link NOW}. */
  readonly from?: number;
  /** Seconds from {@link NOW}. */
  readonly to?: number;
  readonly usage?: x509.ExtendedKeyUsage;
}

/** Makes a CA; `from` and `to` in seconds from {@link NOW}. */
export async function makeCa(
  name: string,
  options: { kind?: KeyKind; from?: number; to?: number; ca?: boolean } = {},
): Promise<TestCa> {
  const { kind = 'p256', from = -DAY / 1000, to = (3650 * DAY) / 1000, ca = true } = options;
  const keys = await generate(kind);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: `CN=${name}`,
    notBefore: at(from),
    notAfter: at(to),
    keys,
    signingAlgorithm: ALGORITHMS[kind],
    extensions: [new x509.BasicConstraintsExtension(ca, undefined, true)],
  });
  return {
    certificate: pem(certificate),
    key: await exportKey(keys),
    issue: async ({ kind: leafKind = 'p256', from: start = -DAY / 1000, to: end = (365 * DAY) / 1000, usage } = {}) => {
      const leafKeys = await generate(leafKind);
      const leaf = await x509.X509CertificateGenerator.create({
        serialNumber: '02',
        subject: 'CN=navin,O=navin:readers',
        issuer: certificate.subject,
        notBefore: at(start),
        notAfter: at(end),
        publicKey: leafKeys.publicKey,
        signingKey: keys.privateKey,
        signingAlgorithm: ALGORITHMS[kind],
        extensions: [new x509.ExtendedKeyUsageExtension([usage ?? x509.ExtendedKeyUsage.clientAuth])],
      });
      return { certificate: pem(leaf), key: await exportKey(leafKeys) };
    },
  };
}

/** The same key in the PEM form that older tools write (`RSA PRIVATE KEY`, `EC PRIVATE KEY`), or encrypted. */
export function rewriteKey(key: string, form: 'pkcs1' | 'sec1' | 'encrypted' | 'encrypted-traditional'): string {
  const parsed = createPrivateKey(key);
  switch (form) {
    case 'encrypted':
      return parsed.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' }).toString();
    case 'encrypted-traditional':
      return parsed.export({ type: 'pkcs1', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' }).toString();
    case 'pkcs1':
    case 'sec1':
      return parsed.export({ type: form, format: 'pem' }).toString();
  }
}

async function generate(kind: KeyKind): Promise<webcrypto.CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(ALGORITHMS[kind], true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
}

async function exportKey(keys: webcrypto.CryptoKeyPair): Promise<string> {
  return x509.PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY') + '\n';
}

function pem(certificate: x509.X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

function at(seconds: number): Date {
  return new Date(NOW.getTime() + seconds * 1000);
}
