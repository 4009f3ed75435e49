import { PemConverter } from '@peculiar/x509';
import { webcrypto } from 'node:crypto';

/** A certificate and its private key, PEM with a line break at the end. */
export interface KeyPair {
  readonly certificate: string;
  /** PKCS #8. */
  readonly key: string;
}

/** How keys of a kind are made, and what they sign by. */
export const ALGORITHMS = {
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

/** A fresh pair. */
export async function generateKeys(kind: KeyKind = 'p256'): Promise<webcrypto.CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(ALGORITHMS[kind], true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
}

/** PKCS #8 PEM. */
export async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return `${PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;
}

/** SPKI PEM. */
export async function publicPem(key: webcrypto.CryptoKey): Promise<string> {
  return `${PemConverter.encode(await webcrypto.subtle.exportKey('spki', key), 'PUBLIC KEY')}\n`;
}
