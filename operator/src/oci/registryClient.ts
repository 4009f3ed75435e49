import { rootCertificates } from 'node:tls';
import { connectionError, destinationOf } from '../../../core/egress';
import type { ErrorCode } from '../../../core/errors';
import { isRecord } from '../../../core/kube';
import { chartOfArchive, ChartError, MAX_ARCHIVE_BYTES, renderFailed, sha256, type Chart } from '../charts';
import { registryHost } from './dockerHub';
import { RegistrySession } from './registrySession';
import { reachOf, type Reach } from './reach';
import { parseReference, type OciReference } from './reference';
import type { RegistryCredential } from './registryConfig';

/** Which registries may be asked, and how. */
export interface RegistryOptions {
  /** Hosts, with their ports where they have one. */
  readonly registries: readonly string[];
  /** By host. */
  readonly credentials?: ReadonlyMap<string, RegistryCredential>;
  /** PEM of CAs that count beside the public ones, for listed hosts. */
  readonly ca?: string;
  /** Default: what `registries` says. */
  readonly reach?: Reach;
  /** The longest time for one chart, in ms. Default a minute. */
  readonly timeoutMs?: number;
}

const MANIFEST = 'application/vnd.oci.image.manifest.v1+json';
const CONFIG = 'application/vnd.cncf.helm.config.v1+json';
const CONTENT = 'application/vnd.cncf.helm.chart.content.v1.tar+gzip';
const MAX_MANIFEST_BYTES = 256 * 1024;
const MAX_LAYERS = 16;
const TIMEOUT_MS = 60_000;

/** Fetches charts of OCI registries. A chart is what its digest names, whoever serves it and on whatever way. */
export class RegistryClient {
  private readonly reach: Reach;

  constructor(private readonly options: RegistryOptions) {
    this.reach = options.reach ?? reachOf(options.registries);
  }

  /** @throws ChartError */
  async fetch(text: string, signal?: AbortSignal): Promise<Chart> {
    const reference = parseReference(text);
    const { host, digest } = reference;
    const origin = new URL(`https://${registryHost(host)}`);
    if (!this.reach.isListed(origin)) {
      throw renderFailed(`${host} is not one of the registries of the operator: see --oci-registries.`);
    }
    const limit = AbortSignal.timeout(this.options.timeoutMs ?? TIMEOUT_MS);
    const session = new RegistrySession({
      origin,
      reach: this.reach,
      credential: this.options.credentials?.get(origin.host),
      ca: this.options.ca === undefined ? undefined : [...rootCertificates, this.options.ca].join('\n'),
      signal: signal === undefined ? limit : AbortSignal.any([signal, limit]),
    });
    try {
      return await chartOfArchive(await archiveOf(reference, session), digest);
    } catch (error) {
      throw translated(error, host, limit);
    } finally {
      session.close();
    }
  }
}

async function archiveOf({ host, repository, digest }: OciReference, session: RegistrySession): Promise<Buffer> {
  const manifest = await session.get(`/v2/${repository}/manifests/${digest}`, MANIFEST, MAX_MANIFEST_BYTES);
  if (`sha256:${sha256(manifest)}` !== digest) {
    throw new ChartError('DigestMismatch', `${host} answers with another manifest than the one the digest names.`);
  }
  const layer = chartLayer(manifest);
  const blob = await session.get(`/v2/${repository}/blobs/${layer.digest}`, CONTENT, layer.size);
  if (blob.length !== layer.size || `sha256:${sha256(blob)}` !== layer.digest) {
    throw new ChartError('DigestMismatch', `${host} answers with another archive than the one the manifest names.`);
  }
  return blob;
}

interface Layer {
  readonly digest: string;
  readonly size: number;
}

function chartLayer(bytes: Buffer): Layer {
  const manifest = parse(bytes);
  const { mediaType = MANIFEST, schemaVersion, config, layers } = isRecord(manifest) ? manifest : {};
  const isChart = schemaVersion === 2 && mediaType === MANIFEST && isRecord(config) && config.mediaType === CONFIG;
  if (!isChart || !Array.isArray(layers) || layers.length > MAX_LAYERS) {
    throw renderFailed('The digest does not name a chart, but something else in the registry.');
  }
  const contents = layers.filter(isRecord).filter((layer) => layer.mediaType === CONTENT);
  const [{ digest, size } = {}] = contents;
  if (contents.length !== 1 || typeof digest !== 'string' || !/^sha256:[0-9a-f]{64}$/.test(digest)) {
    throw renderFailed('The manifest of the chart does not name one archive.');
  }
  if (typeof size !== 'number' || !Number.isInteger(size) || size < 1) {
    throw renderFailed('The manifest of the chart does not name the size of its archive.');
  }
  if (size > MAX_ARCHIVE_BYTES) {
    throw renderFailed(`The archive of the chart is larger than ${MAX_ARCHIVE_BYTES / 1024 / 1024} MiB.`);
  }
  return { digest, size };
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** What became of a connection, in our words: those of a registry are not repeated. */
function translated(error: unknown, host: string, limit: AbortSignal): unknown {
  if (error instanceof ChartError) return error;
  if (limit.aborted) return renderFailed(`${host} did not send the chart in time.`, { cause: error });
  const code = connectionError(error, destinationOf(new URL(`https://${host}`)))?.code;
  if (code === undefined) return error;
  const problem = PROBLEMS.get(code) ?? 'cannot be reached';
  return renderFailed(`The registry ${host} ${problem}.`, { cause: error });
}

const PROBLEMS: ReadonlyMap<ErrorCode, string> = new Map([
  ['k8s_egress_refused', 'has, or sends to, an address that is not allowed'],
  ['k8s_dns_failed', 'has a name that does not resolve'],
  ['k8s_tls_untrusted', 'has a certificate that is not trusted: see --registry-ca'],
]);
