import { Agent, type RequestOptions } from 'node:https';
import type { LookupFunction, TcpNetConnectOpts } from 'node:net';
import {
  checkServerIdentity,
  connect,
  createSecureContext,
  type ConnectionOptions,
  type SecureContext,
  type TLSSocket,
} from 'node:tls';
import { NavinError } from '../errors';
import { resolveDestination, type CheckedAddress } from './check';
import { classifyAddress } from './classify';
import { connectionFault } from './connectionError';
import type { Destination } from './destination';
import { EgressRefusedError } from './errors';
import { hostAndPort, parseHost, withoutDot } from './host';
import type { EgressPolicy } from './policy';
import { applyExternalFilter, type ExternalFilter, type Resolver } from './resolver';

/** How a pinned agent connects. One agent for one cluster target: it holds the identity of the credential. */
export interface ClusterAgentOptions {
  readonly policy: EgressPolicy;
  /** The id of the n8n credential, for grants to certain credentials. */
  readonly credentialId?: string;
  /** PEM. Without `ca` the public CAs of Node count. The certificate of the server is always verified. */
  readonly tls: { readonly ca?: string; readonly cert?: string; readonly key?: string };
  /** The most sockets at once, all hosts together. Default 16; further requests wait. */
  readonly maxSockets?: number;
  /** An unused socket is closed after this many milliseconds. Default 30 000. */
  readonly idleTimeoutMs?: number;
  /** The longest time for DNS, TCP and TLS together, in milliseconds. Default 10 000. */
  readonly connectTimeoutMs?: number;
  /** Default: the resolver of the operating system. See `lookupResolver` for n8n's own filter. */
  readonly resolver?: Resolver;
  /** Called for each connection that NAVIN_DEV_API_SERVER admits. */
  readonly onDevAddress?: () => void;
  /** Asked before each connection, beside our own check: n8n's `validateUrl`. */
  readonly externalFilter?: ExternalFilter;
}

const MAX_SOCKETS = 16;
const IDLE_TIMEOUT_MS = 30_000;
const CONNECT_TIMEOUT_MS = 10_000;
const HTTPS_PORT = 443;

/** After so much silence TCP asks whether the peer is still there: a watch may be silent for long. */
const TCP_KEEP_ALIVE_MS = 30_000;

/** So many addresses of a name are tried, in order; each but the last gets this part of the connect timeout. */
const MAX_TRIED_ADDRESSES = 8;

/**
 * The host Node is told, so that it calls our lookup for addresses too, which it does only for names. RFC 6761 keeps
 * `.invalid` from ever resolving: should Node not call the lookup, there is no connection.
 */
const PINNED_HOST = 'pinned.invalid';

/**
 * Makes an https agent that connects only to checked addresses: every connection resolves the name again, checks all
 * answers, connects to one of them, and compares the remote address before TLS begins, so before a byte is sent.
 * Keep-alive, bounded sockets. What a request says about lookup, TLS, sockets or proxies is ignored, and so are the
 * proxy variables and NODE_TLS_REJECT_UNAUTHORIZED of the environment.
 *
 * A refusal reaches the caller as the error of the request: EgressRefusedError, NavinError `k8s_dns_failed` or
 * `k8s_timeout` (`phase`: dns, tcp or tls), else the error of Node; `connectionError` translates them all.
 *
 * @throws NavinError `k8s_parameter_invalid` when TLS cannot use the CA, certificate or key.
 */
export function createPinnedAgent(options: ClusterAgentOptions): Agent {
  return new PinnedAgent(options);
}

/** `tls.connect` hands what it does not know on to `net.connect`; the types of Node leave that out. */
type TlsOverTcpOptions = ConnectionOptions &
  Pick<
    TcpNetConnectOpts,
    'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout' | 'noDelay' | 'keepAlive' | 'keepAliveInitialDelay'
  >;

/** What is known of a connection while it is made. */
interface Attempt {
  readonly destination: Destination;
  phase: 'dns' | 'tcp' | 'tls';
  pinned: readonly CheckedAddress[];
}

class PinnedAgent extends Agent {
  readonly #settings: ClusterAgentOptions;
  readonly #connectTimeoutMs: number;
  readonly #context: SecureContext;

  constructor(settings: ClusterAgentOptions) {
    const maxSockets = settings.maxSockets ?? MAX_SOCKETS;
    super({
      keepAlive: true,
      maxSockets,
      maxTotalSockets: maxSockets,
      maxFreeSockets: maxSockets,
      timeout: settings.idleTimeoutMs ?? IDLE_TIMEOUT_MS,
    });
    this.#settings = settings;
    this.#connectTimeoutMs = settings.connectTimeoutMs ?? CONNECT_TIMEOUT_MS;
    this.#context = secureContext(settings.tls);
  }

  /** Called by Node for each new socket. Nothing of `options` counts but host and port. */
  override createConnection(options: RequestOptions): TLSSocket {
    const { credentialId } = this.#settings;
    const destination = {
      host: options.host ?? '',
      port: Number(options.port ?? HTTPS_PORT),
      ...(credentialId === undefined ? {} : { credentialId }),
    };
    return this.#connect({ destination, phase: 'dns', pinned: [] });
  }

  /** What sockets are shared by: only what counts here, so that no key of a request gets into a name. */
  override getName(options?: RequestOptions): string {
    return `${options?.host ?? ''}:${String(options?.port ?? HTTPS_PORT)}`;
  }

  #connect(attempt: Attempt): TLSSocket {
    const { host, port } = attempt.destination;
    const name = tlsName(host);
    const how: TlsOverTcpOptions = {
      host: PINNED_HOST,
      port,
      lookup: this.#lookupFor(attempt),
      autoSelectFamily: true,
      autoSelectFamilyAttemptTimeout: Math.ceil(this.#connectTimeoutMs / MAX_TRIED_ADDRESSES),
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: TCP_KEEP_ALIVE_MS,
      ALPNProtocols: ['http/1.1'],
      secureContext: this.#context,
      rejectUnauthorized: true,
      servername: name.indication,
      checkServerIdentity: (_host, certificate) => checkServerIdentity(name.verified, certificate),
    };
    const socket = connect(how);
    // Node starts TLS in a listener of `connect`; this one stands before it.
    socket.prependOnceListener('connect', () => {
      attempt.phase = 'tls';
      const refusal = peerRefusal(socket, attempt);
      if (refusal !== undefined) socket.destroy(refusal);
    });
    this.#limitTime(socket, attempt);
    return socket;
  }

  #lookupFor(attempt: Attempt): LookupFunction {
    return (_hostname, _options, callback) => {
      this.#addressesFor(attempt.destination).then(
        (addresses) => {
          attempt.phase = 'tcp';
          attempt.pinned = addresses.slice(0, MAX_TRIED_ADDRESSES);
          // With autoSelectFamily Node asks for a list, and tries it in order.
          callback(
            null,
            attempt.pinned.map(({ address, family }) => ({ address, family })),
          );
        },
        (error: unknown) => {
          callback(error instanceof Error ? error : new Error('The lookup failed', { cause: error }), []);
        },
      );
    };
  }

  async #addressesFor(destination: Destination): Promise<readonly CheckedAddress[]> {
    const { policy, resolver, externalFilter, onDevAddress } = this.#settings;
    const addresses = await resolveDestination(policy, destination, resolver, this.#connectTimeoutMs);
    if (externalFilter !== undefined) await applyExternalFilter(externalFilter, destination);
    if (addresses.some(({ admittedBy }) => admittedBy === 'development')) onDevAddress?.();
    return addresses;
  }

  #limitTime(socket: TLSSocket, attempt: Attempt): void {
    const timer = setTimeout(() => {
      socket.destroy(connectionFault('timeout', attempt.destination, undefined, { phase: attempt.phase }));
    }, this.#connectTimeoutMs);
    const stop = (): void => {
      clearTimeout(timer);
    };
    socket.once('secureConnect', stop);
    socket.once('close', stop);
  }
}

/** An address is verified but not indicated to the server (RFC 6066); a name has no trailing dot in TLS. */
function tlsName(text: string): { verified: string; indication: string } {
  const host = parseHost(text);
  if (host === undefined) return { verified: '', indication: '' };
  if ('address' in host) return { verified: host.address.text, indication: '' };
  const name = withoutDot(host.name);
  return { verified: name, indication: name };
}

/** Compares the address a socket is connected to with those that were checked. */
function peerRefusal(socket: TLSSocket, { destination, pinned }: Attempt): Error | undefined {
  const peer = socket.remoteAddress;
  if (peer === undefined) return connectionFault('reset', destination);
  const found = classifyAddress(peer);
  if (pinned.some(({ address }) => address === found.address)) return undefined;
  const message = `${hostAndPort(destination.host, destination.port)} connected to an address that was not checked.`;
  return new EgressRefusedError('peer', message, { destination, found });
}

function secureContext(tls: ClusterAgentOptions['tls']): SecureContext {
  try {
    return createSecureContext({ ca: tls.ca, cert: tls.cert, key: tls.key, minVersion: 'TLSv1.2' });
  } catch {
    // The error of OpenSSL may quote what it read.
    throw new NavinError(
      'k8s_parameter_invalid',
      'TLS cannot use the CA, client certificate or key of the credential.',
    );
  }
}
