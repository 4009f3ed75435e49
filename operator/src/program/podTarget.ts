import { isIP } from 'node:net';
import { join } from 'node:path';
import type { Clock } from '../../../core/clock';
import { classifyAddress, GRANTABLE_RANGES, grantFor, loadEgressPolicy, type EgressPolicy } from '../../../core/egress';
import { targetFromToken, withRotatingToken } from '../../../core/kubeconfig';
import { readBoundedFile } from './boundedFile';
import type { ClusterAccess } from './clusterAccess';
import { SERVICE_ACCOUNT_DIR } from './place';
import { TokenFile } from './tokenFile';
import { UsageError } from './usageError';

/** What a Pod finds around it. */
export interface PodMeans {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Default: where Kubernetes mounts it. */
  readonly serviceAccountDir?: string | undefined;
  /** The token can no longer be read; the last one is used on. */
  readonly onTokenFault: (error: unknown) => void;
}

const MAX_CA_BYTES = 256 * 1024;
const MAX_NAME_BYTES = 1024;

/**
 * The cluster that the Pod runs in, by its ServiceAccount. Its API server may have a private address: that of the Service
 * and no other.
 *
 * @throws UsageError, NavinError of the guard
 */
export async function podTarget(means: PodMeans): Promise<ClusterAccess> {
  const { env, clock, serviceAccountDir: directory = SERVICE_ACCOUNT_DIR, onTokenFault } = means;
  const { host, port } = apiService(env);
  const tokens = new TokenFile(join(directory, 'token'), clock);
  const read = (name: string, maxBytes: number): Promise<string> =>
    readBoundedFile(`The ServiceAccount of the Pod (${name})`, join(directory, name), maxBytes);
  const { devApiServer } = loadEgressPolicy({ NAVIN_DEV_API_SERVER: env.NAVIN_DEV_API_SERVER });
  const { target } = targetFromToken({
    server: `https://${isIP(host) === 6 ? `[${host}]` : host}:${port}`,
    ca: await read('ca.crt', MAX_CA_BYTES),
    token: tokens.first(),
    namespace: (await read('namespace', MAX_NAME_BYTES)).trim(),
    devApiServer,
  });
  const rotating = withRotatingToken(target, { read: () => tokens.read(), onFault: onTokenFault });
  const egress = { grants: grantsOf(host, port), ...(devApiServer === undefined ? {} : { devApiServer }) };
  // Its token and CA end soon by design: Kubernetes renews them.
  return { target: rotating, egress, warnings: [] };
}

/** Where Kubernetes says that the API server is: an address, on some clouds a name. */
function apiService(env: PodMeans['env']): { readonly host: string; readonly port: number } {
  const host = env.KUBERNETES_SERVICE_HOST ?? '';
  const port = env.KUBERNETES_SERVICE_PORT ?? '';
  if (!/^[\w.:-]{1,253}$/.test(host) || !/^[1-9]\d{0,4}$/.test(port) || Number(port) > 65_535) {
    throw new UsageError('KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be the address of the API server.');
  }
  return { host, port: Number(port) };
}

/**
 * An address is granted by itself. A name may resolve to any private address, at that port: the client connects to no
 * other host, and the certificate of the host is checked against the CA of the cluster.
 */
function grantsOf(host: string, port: number): EgressPolicy['grants'] {
  if (isIP(host) === 0) return GRANTABLE_RANGES.map((cidr) => ({ cidr, ports: [port] }));
  const { verdict, address, embedded = address } = classifyAddress(host);
  return verdict === 'grantable' ? [grantFor({ address: embedded, port })] : [];
}
