import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension,
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
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** A certificate and its private key, PEM. */
export interface KeyPairPem {
  readonly certificate: string;
  readonly key: string;
}

/** Who a client certificate speaks for: the common name is the user, the organisation the group. */
export interface ClientIdentity {
  readonly user: string;
  readonly group?: string;
}

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** Days that the certificates of a cluster are valid: longer than anybody leaves one running. */
const VALID_DAYS = 30;

/** Names and addresses that the API server is reached by, from outside and from pods. */
const API_SERVER_NAMES = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
];
const LOOPBACK = ['127.0.0.1', '::1'];
/** First address of the service range: the `kubernetes` Service. */
const KUBERNETES_SERVICE_IP = '10.96.0.1';

/** A fresh certificate authority that lives in memory. */
export class Pki {
  private constructor(
    private readonly ca: X509Certificate,
    private readonly keys: webcrypto.CryptoKeyPair,
  ) {}

  static async create(): Promise<Pki> {
    const keys = await generateKeys();
    const ca = await X509CertificateGenerator.createSelfSigned(
      {
        name: [{ CN: ['navin-test-cluster'] }],
        ...validity(),
        keys,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new BasicConstraintsExtension(true, undefined, true),
          new KeyUsagesExtension(
            KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign | KeyUsageFlags.digitalSignature,
            true,
          ),
        ],
      },
      webcrypto,
    );
    return new Pki(ca, keys);
  }

  /** The authority's certificate, PEM. */
  get caPem(): string {
    return `${this.ca.toString('pem')}\n`;
  }

  /** The authority's key, PEM: the controller manager signs certificate requests with it. */
  async caKeyPem(): Promise<string> {
    return privatePem(this.keys.privateKey);
  }

  /** A client certificate. */
  async client({ user, group }: ClientIdentity): Promise<KeyPairPem> {
    const subject = [...(group === undefined ? [] : [{ O: [group] }]), { CN: [user] }];
    return this.issue(subject, [ExtendedKeyUsage.clientAuth], []);
  }

  /** A serving certificate for the loopback addresses. */
  async server(
    user: string,
    names: readonly string[] = ['localhost'],
    addresses: readonly string[] = [],
  ): Promise<KeyPairPem> {
    const alternatives = [
      ...names.map((value) => ({ type: 'dns' as const, value })),
      ...[...LOOPBACK, ...addresses].map((value) => ({ type: 'ip' as const, value })),
    ];
    return this.issue(
      [{ CN: [user] }],
      [ExtendedKeyUsage.serverAuth],
      [new SubjectAlternativeNameExtension(alternatives)],
    );
  }

  private async issue(
    subject: readonly Record<string, string[]>[],
    usages: readonly ExtendedKeyUsage[],
    extensions: readonly SubjectAlternativeNameExtension[],
  ): Promise<KeyPairPem> {
    const keys = await generateKeys();
    const certificate = await X509CertificateGenerator.create(
      {
        subject: [...subject],
        issuer: this.ca.subject,
        ...validity(),
        publicKey: keys.publicKey,
        signingKey: this.keys.privateKey,
        signingAlgorithm: ALGORITHM,
        extensions: [
          new BasicConstraintsExtension(false, undefined, true),
          new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
          new ExtendedKeyUsageExtension([...usages]),
          await AuthorityKeyIdentifierExtension.create(this.ca.publicKey, false, webcrypto),
          ...extensions,
        ],
      },
      webcrypto,
    );
    return { certificate: `${certificate.toString('pem')}\n`, key: await privatePem(keys.privateKey) };
  }
}

/** Files of the PKI, by what they are for. */
export interface PkiFiles {
  readonly ca: string;
  readonly caKey: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  readonly apiServer: KeyFiles;
  readonly kubeletClient: KeyFiles;
  readonly kubelet: KeyFiles;
}

/** Paths of a certificate and its key. */
export interface KeyFiles {
  readonly certificate: string;
  readonly key: string;
}

/** What a cluster needs: files for the programs, and the client certificates of those who talk to the API server. */
export interface ClusterPki {
  readonly caPem: string;
  readonly files: PkiFiles;
  readonly admin: KeyPairPem;
  readonly controllerManager: KeyPairPem;
  readonly scheduler: KeyPairPem;
  readonly kwok: KeyPairPem;
}

/**
 * Makes the whole PKI of a cluster.
 *
 * @param directory folder that gets the files, readable by the owner only
 */
export async function createClusterPki(directory: string): Promise<ClusterPki> {
  const pki = await Pki.create();
  const write = (name: string, text: string): string => {
    const file = join(directory, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const writePair = (name: string, pair: KeyPairPem): KeyFiles => ({
    certificate: write(`${name}.crt`, pair.certificate),
    key: write(`${name}.key`, pair.key),
  });
  const serviceAccount = await generateKeys();
  const [apiServer, kubeletClient, kubelet, admin, controllerManager, scheduler, kwok] = await Promise.all([
    pki.server('kube-apiserver', API_SERVER_NAMES, [KUBERNETES_SERVICE_IP]),
    pki.client({ user: 'kube-apiserver-kubelet-client', group: 'system:masters' }),
    pki.server('kubelet'),
    pki.client({ user: 'admin', group: 'system:masters' }),
    pki.client({ user: 'system:kube-controller-manager' }),
    pki.client({ user: 'system:kube-scheduler' }),
    pki.client({ user: 'kwok', group: 'system:masters' }),
  ]);
  return {
    caPem: pki.caPem,
    files: {
      ca: write('ca.crt', pki.caPem),
      caKey: write('ca.key', await pki.caKeyPem()),
      serviceAccountKey: write('service-account.key', await privatePem(serviceAccount.privateKey)),
      serviceAccountPublicKey: write('service-account.pub', await publicPem(serviceAccount.publicKey)),
      apiServer: writePair('apiserver', apiServer),
      kubeletClient: writePair('kubelet-client', kubeletClient),
      kubelet: writePair('kubelet', kubelet),
    },
    admin,
    controllerManager,
    scheduler,
    kwok,
  };
}

async function generateKeys(): Promise<webcrypto.CryptoKeyPair> {
  return webcrypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
}

async function privatePem(key: webcrypto.CryptoKey): Promise<string> {
  return `${PemConverter.encode(await webcrypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`;
}

async function publicPem(key: webcrypto.CryptoKey): Promise<string> {
  return `${PemConverter.encode(await webcrypto.subtle.exportKey('spki', key), 'PUBLIC KEY')}\n`;
}

function validity(): { notBefore: Date; notAfter: Date } {
  const now = Date.now();
  // Five minutes back, for a clock that is set while the cluster runs.
  return { notBefore: new Date(now - 300_000), notAfter: new Date(now + VALID_DAYS * 86_400_000) };
}
