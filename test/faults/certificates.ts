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

/** A certificate and its key, PEM. */
export interface KeyPairPem {
  readonly cert: string;
  readonly key: string;
}

/** What is wrong with a serving certificate; `good` is right for 127.0.0.1 and localhost. */
export type CertificateFault = 'good' | 'expired' | 'not-yet-valid' | 'wrong-name' | 'wrong-usage';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const HOUR_MS = 3_600_000;

/** A certificate authority in memory that issues certificates with chosen faults. */
export class FaultAuthority {
  private constructor(
    private readonly certificate: X509Certificate,
    private readonly keys: webcrypto.CryptoKeyPair,
  ) {}

  static async create(name = 'fault-authority'): Promise<FaultAuthority> {
    const keys = await generateKeys();
    const certificate = await X509CertificateGenerator.createSelfSigned(
      {
        name: `CN=${name}`,
        ...validity('good'),
        keys,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new BasicConstraintsExtension(true, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.keyCertSign, true),
        ],
      },
      webcrypto,
    );
    return new FaultAuthority(certificate, keys);
  }

  /** PEM. */
  get ca(): string {
    return `${this.certificate.toString('pem')}\n`;
  }

  /** A serving certificate. */
  server(fault: CertificateFault = 'good'): Promise<KeyPairPem> {
    const names =
      fault === 'wrong-name'
        ? [{ type: 'dns' as const, value: 'another.example' }]
        : [
            { type: 'ip' as const, value: '127.0.0.1' },
            { type: 'dns' as const, value: 'localhost' },
          ];
    const usage = fault === 'wrong-usage' ? ExtendedKeyUsage.clientAuth : ExtendedKeyUsage.serverAuth;
    return this.issue('fault-server', fault, usage, [new SubjectAlternativeNameExtension(names)]);
  }

  /** A client certificate. */
  client(user: string): Promise<KeyPairPem> {
    return this.issue(user, 'good', ExtendedKeyUsage.clientAuth, []);
  }

  private async issue(
    name: string,
    fault: CertificateFault,
    usage: ExtendedKeyUsage,
    extensions: readonly SubjectAlternativeNameExtension[],
  ): Promise<KeyPairPem> {
    const keys = await generateKeys();
    const certificate = await X509CertificateGenerator.create(
      {
        subject: `CN=${name}`,
        issuer: this.certificate.subject,
        ...validity(fault),
        publicKey: keys.publicKey,
        signingKey: this.keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new ExtendedKeyUsageExtension([usage]),
          ...extensions,
        ],
      },
      webcrypto,
    );
    const key = PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey), 'PRIVATE KEY');
    return { cert: `${certificate.toString('pem')}\n`, key: `${key}\n` };
  }
}

function validity(fault: CertificateFault): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  const at = (hours: number): Date => new Date(now + hours * HOUR_MS);
  if (fault === 'expired') return { notBefore: at(-48), notAfter: at(-24) };
  if (fault === 'not-yet-valid') return { notBefore: at(24), notAfter: at(48) };
  return { notBefore: at(-1), notAfter: at(24) };
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}
