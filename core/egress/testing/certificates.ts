import 'reflect-metadata';
import {
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509';
import { webcrypto } from 'node:crypto';

/** A certificate and its private key, PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

/** What a certificate says; what is left out is right for a server. */
export interface CertificateOptions {
  readonly names?: readonly string[];
  readonly addresses?: readonly string[];
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly usage?: 'server' | 'client';
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const USAGES = { server: ExtendedKeyUsage.serverAuth, client: ExtendedKeyUsage.clientAuth };
const HOUR_MS = 3_600_000;

/** A CA in memory that issues certificates with chosen faults. */
export class TestAuthority {
  private constructor(
    private readonly certificate: X509Certificate,
    private readonly keys: webcrypto.CryptoKeyPair,
  ) {}

  static async create(): Promise<TestAuthority> {
    const keys = await generateKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned(
      {
        name: 'CN=egress-test',
        notBefore: new Date(Date.now() - HOUR_MS),
        notAfter: new Date(Date.now() + HOUR_MS),
        keys,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new BasicConstraintsExtension(true, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
        ],
      },
      webcrypto,
    );
    return new TestAuthority(certificate, keys);
  }

  get ca(): string {
    return this.certificate.toString('pem');
  }

  async issue(options: CertificateOptions): Promise<KeyPair> {
    const keys = await generateKeys();
    const alternatives = [
      ...(options.names ?? []).map((value) => ({ type: 'dns' as const, value })),
      ...(options.addresses ?? []).map((value) => ({ type: 'ip' as const, value })),
    ];
    const certificate = await X509CertificateGenerator.create(
      {
        subject: 'CN=test-server',
        issuer: this.certificate.subject,
        notBefore: options.notBefore ?? new Date(Date.now() - HOUR_MS),
        notAfter: options.notAfter ?? new Date(Date.now() + HOUR_MS),
        publicKey: keys.publicKey,
        signingKey: this.keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new ExtendedKeyUsageExtension([USAGES[options.usage ?? 'server']]),
          new SubjectAlternativeNameExtension(alternatives),
        ],
      },
      webcrypto,
    );
    const key = await webcrypto.subtle.exportKey('pkcs8', keys.privateKey);
    return { cert: certificate.toString('pem'), key: PemConverter.encode(key, 'PRIVATE KEY') };
  }
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
