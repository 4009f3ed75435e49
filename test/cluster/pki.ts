import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CertificateAuthority, generateKeys, type KeyPair, privatePem, publicPem } from '../certificates';

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
  readonly admin: KeyPair;
  readonly controllerManager: KeyPair;
  readonly scheduler: KeyPair;
  readonly kwok: KeyPair;
}

/**
 * Makes the whole PKI of a cluster.
 *
 * @param directory folder that gets the files, readable by the owner only
 */
export async function createClusterPki(directory: string): Promise<ClusterPki> {
  const authority = await CertificateAuthority.create({ name: 'navin-test-cluster' });
  const server = (subject: string, names: readonly string[], addresses: readonly string[]): Promise<KeyPair> =>
    authority.issue({ subject, names, addresses });
  // The common name is the user, the organisation the group.
  const client = (subject: string): Promise<KeyPair> => authority.issue({ subject, usage: 'client' });
  const write = (name: string, text: string): string => {
    const file = join(directory, name);
    writeFileSync(file, text, { mode: 0o600 });
    return file;
  };
  const writePair = (name: string, pair: KeyPair): KeyFiles => ({
    certificate: write(`${name}.crt`, pair.certificate),
    key: write(`${name}.key`, pair.key),
  });
  const serviceAccount = await generateKeys();
  const [apiServer, kubeletClient, kubelet, admin, controllerManager, scheduler, kwok] = await Promise.all([
    server('CN=kube-apiserver', API_SERVER_NAMES, [...LOOPBACK, KUBERNETES_SERVICE_IP]),
    client('O=system:masters,CN=kube-apiserver-kubelet-client'),
    server('CN=kubelet', ['localhost'], LOOPBACK),
    client('O=system:masters,CN=admin'),
    client('CN=system:kube-controller-manager'),
    client('CN=system:kube-scheduler'),
    client('O=system:masters,CN=kwok'),
  ]);
  return {
    caPem: authority.certificate,
    files: {
      ca: write('ca.crt', authority.certificate),
      caKey: write('ca.key', authority.key),
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
