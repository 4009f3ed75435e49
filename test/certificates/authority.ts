import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  SubjectAlternativeNameExtension,
  X509CertificateGenerator,
  type X509Certificate,
} from '@peculiar/x509';
import { webcrypto } from 'node:crypto';
import { ALGORITHMS, generateKeys, type KeyKind, type KeyPair, privatePem } from './keys';

/** When a certificate is valid. Default: from five minutes ago, for a clock that is set, for thirty days. */
interface Validity {
  readonly notBefore?: Date;
  readonly notAfter?: Date;
}

/** What an authority is made with. */
export interface AuthorityOptions extends Validity {
  readonly name?: string;
  readonly kind?: KeyKind;
  /** False makes a certificate that may not sign others. */
  readonly ca?: boolean;
}

/** What a certificate says; what is left out is right for a server. */
export interface CertificateOptions extends Validity {
  readonly subject?: string;
  readonly usage?: 'server' | 'client';
  readonly kind?: KeyKind;
  /** DNS names it is valid for. */
  readonly names?: readonly string[];
  /** IP addresses it is valid for. */
  readonly addresses?: readonly string[];
}

const USAGES = { server: ExtendedKeyUsage.serverAuth, client: ExtendedKeyUsage.clientAuth };
const BACK_MS = 5 * 60_000;
const AHEAD_MS = 30 * 86_400_000;

/** A certificate authority in memory. */
export class CertificateAuthority {
  private constructor(
    private readonly own: X509Certificate,
    private readonly keys: webcrypto.CryptoKeyPair,
    private readonly kind: KeyKind,
    /** Its private key, PEM. */
    readonly key: string,
  ) {}

  static async create(options: AuthorityOptions = {}): Promise<CertificateAuthority> {
    const { name = 'test-authority', kind = 'p256', ca = true } = options;
    const keys = await generateKeys(kind);
    const own = await X509CertificateGenerator.createSelfSigned(
      {
        name: `CN=${name}`,
        ...validity(options),
        keys,
        signingAlgorithm: ALGORITHMS[kind],
        extensions: [
          new BasicConstraintsExtension(ca, undefined, true),
          new KeyUsagesExtension(
            KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign | KeyUsageFlags.digitalSignature,
            true,
          ),
        ],
      },
      webcrypto,
    );
    return new CertificateAuthority(own, keys, kind, await privatePem(keys.privateKey));
  }

  /** Its certificate, PEM. */
  get certificate(): string {
    return `${this.own.toString('pem')}\n`;
  }

  /** A certificate signed by it. */
  async issue(options: CertificateOptions): Promise<KeyPair> {
    const { subject = 'CN=test', usage = 'server', kind = 'p256', names = [], addresses = [] } = options;
    const keys = await generateKeys(kind);
    const alternatives = [
      ...names.map((value) => ({ type: 'dns' as const, value })),
      ...addresses.map((value) => ({ type: 'ip' as const, value })),
    ];
    const certificate = await X509CertificateGenerator.create(
      {
        subject,
        issuer: this.own.subject,
        ...validity(options),
        publicKey: keys.publicKey,
        signingKey: this.keys.privateKey,
        signingAlgorithm: ALGORITHMS[this.kind],
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          new ExtendedKeyUsageExtension([USAGES[usage]]),
          await AuthorityKeyIdentifierExtension.create(this.own.publicKey, false, webcrypto),
          ...(alternatives.length === 0 ? [] : [new SubjectAlternativeNameExtension(alternatives)]),
        ],
      },
      webcrypto,
    );
    return { certificate: `${certificate.toString('pem')}\n`, key: await privatePem(keys.privateKey) };
  }
}

function validity({ notBefore, notAfter }: Validity): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  return { notBefore: notBefore ?? new Date(now - BACK_MS), notAfter: notAfter ?? new Date(now + AHEAD_MS) };
}
