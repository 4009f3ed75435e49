import { isNavinError, NavinError, type ErrorCode } from '../errors';
import type { Destination } from './destination';
import { hostAndPort, hostText } from './host';

/** What went wrong, before host and port are put in. `details.reason` is for programs. */
interface Fault {
  readonly code: ErrorCode;
  readonly reason: string;
  /** Goes on from "The API server host:port". */
  readonly says: string;
  readonly hint: string;
}

const ADD_CA =
  "Add the cluster's CA to the credential (certificate-authority-data of the kubeconfig, or the field CA certificate).";

const FAULTS = {
  dns: {
    code: 'k8s_dns_failed',
    reason: 'dns',
    says: 'has a name that does not resolve',
    hint: 'Check the host name of the API server, and that the n8n host can resolve it.',
  },
  refused: {
    code: 'k8s_unreachable',
    reason: 'refused',
    says: 'refuses the connection: nothing listens on this port',
    hint: 'Check address and port, and that the API server is up.',
  },
  noRoute: {
    code: 'k8s_unreachable',
    reason: 'no-route',
    says: 'cannot be reached from the n8n host: there is no route to it, or a firewall is in between',
    hint: 'Check address, routes and firewalls between the n8n host and the API server.',
  },
  reset: {
    code: 'k8s_unreachable',
    reason: 'reset',
    says: 'closed the connection before it answered',
    hint: 'Check that the port is the one of the API server, and look for a proxy or firewall in between.',
  },
  timeout: {
    code: 'k8s_timeout',
    reason: 'connect',
    says: 'did not answer in time',
    hint: 'Check address and port, firewalls, and the load of the API server.',
  },
  untrusted: {
    code: 'k8s_tls_untrusted',
    reason: 'not-trusted',
    says: 'has a certificate that is not signed by a trusted CA',
    hint: ADD_CA,
  },
  expired: {
    code: 'k8s_tls_untrusted',
    reason: 'expired',
    says: 'has a certificate that has expired',
    hint: 'Renew the certificate of the API server, and check the clock of the n8n host.',
  },
  notYetValid: {
    code: 'k8s_tls_untrusted',
    reason: 'not-yet-valid',
    says: 'has a certificate that is not valid yet',
    hint: 'Check the clocks of the API server and of the n8n host.',
  },
  otherName: {
    code: 'k8s_tls_untrusted',
    reason: 'name-mismatch',
    says: 'has a certificate that does not name this host',
    hint: 'Use a host name or address the certificate names, or add this one to it (kubeadm: apiServer.certSANs, k3s: --tls-san).',
  },
  unusable: {
    code: 'k8s_tls_untrusted',
    reason: 'unusable',
    says: 'has a certificate that is revoked or may not be used for a server',
    hint: 'Give the API server a certificate for server authentication.',
  },
  handshake: {
    code: 'k8s_unreachable',
    reason: 'tls-handshake',
    says: 'could not agree on a TLS connection with n8n (version or cipher)',
    hint: 'The API server must speak TLS 1.2 or later. Look for a proxy in between.',
  },
  clientCertificate: {
    code: 'k8s_unauthorized',
    reason: 'client-certificate',
    says: 'does not accept the client certificate of the credential',
    hint: 'Make a new client certificate, or use a token, and put it into the credential.',
  },
  noTls: {
    code: 'k8s_not_kubernetes',
    reason: 'no-tls',
    says: 'does not speak TLS on this port',
    hint: 'Check the port: a Kubernetes API server speaks https, usually on 6443 or 443.',
  },
} as const satisfies Record<string, Fault>;

type FaultName = keyof typeof FAULTS;
type TlsFaultName = 'handshake' | 'noTls' | 'clientCertificate';

/** Codes of Node (libuv, c-ares, OpenSSL) by fault. */
const CODES: Readonly<Record<Exclude<FaultName, 'dns' | TlsFaultName>, readonly string[]>> = {
  refused: ['ECONNREFUSED'],
  noRoute: ['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL', 'EACCES', 'EPERM'],
  reset: ['ECONNRESET', 'EPIPE', 'ERR_SOCKET_CLOSED', 'ERR_STREAM_PREMATURE_CLOSE'],
  timeout: ['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ERR_SOCKET_CONNECTION_TIMEOUT', 'ERR_TLS_HANDSHAKE_TIMEOUT'],
  untrusted: [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_SIGNATURE_FAILURE',
    'CERT_UNTRUSTED',
    'CERT_CHAIN_TOO_LONG',
    'INVALID_CA',
  ],
  expired: ['CERT_HAS_EXPIRED'],
  notYetValid: ['CERT_NOT_YET_VALID'],
  otherName: ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
  unusable: ['CERT_REVOKED', 'CERT_REJECTED', 'INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED'],
};

const FAULT_OF_CODE = new Map<string, FaultName>(
  (Object.keys(CODES) as (keyof typeof CODES)[]).flatMap((name) => CODES[name].map((code) => [code, name] as const)),
);

/** What OpenSSL says of a peer that speaks something else, http for example. */
const NOT_TLS = /wrong version number|packet length too long|http request/;

/** Alerts a server sends about the certificate of the client. */
const CLIENT_CERTIFICATE_ALERT =
  /alert (?:(?:bad|unsupported) certificate|certificate (?:required|expired|revoked|unknown)|unknown ca)/;

/** How many errors below one another, or beside one another, are looked at. */
const MAX_ERRORS = 32;

/**
 * Says what is behind the error of a connection, also where axios or an AggregateError wraps it.
 *
 * @returns the error of ours that is in it (a refusal is handed on as it is), or `k8s_dns_failed`, `k8s_unreachable`,
 * `k8s_timeout`, `k8s_tls_untrusted` (`details.reason`: `not-trusted`, `expired`, `not-yet-valid`, `name-mismatch`,
 * `unusable`), `k8s_unauthorized` (the client certificate), `k8s_not_kubernetes` (no TLS on this port); undefined when
 * it is none of these.
 */
export function connectionError(error: unknown, destination: Destination): NavinError | undefined {
  const errors = errorsIn(error);
  const own = errors.find(isNavinError);
  if (own !== undefined) return own;
  for (const candidate of errors) {
    const fault = faultOf(candidate);
    if (fault !== undefined) return connectionFault(fault, destination, error);
  }
  return undefined;
}

/** The error and what it wraps, from outside in: causes, and the members of an AggregateError. */
function errorsIn(error: unknown): unknown[] {
  const found: unknown[] = [error];
  for (let index = 0; index < found.length && found.length < MAX_ERRORS; index += 1) {
    const members = property(found[index], 'errors');
    const beside: readonly unknown[] = Array.isArray(members) ? members : [];
    const inner = [property(found[index], 'cause'), ...beside];
    found.push(...inner.filter((next) => next !== undefined && !found.includes(next)).slice(0, MAX_ERRORS));
  }
  return found;
}

/** A property of an error. By its form, because an error of another realm is no instance of our Error. */
function property(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}

function faultOf(error: unknown): FaultName | undefined {
  if (isDnsFailure(error)) return 'dns';
  const code = codeOf(error);
  if (code === undefined) return undefined;
  const known = FAULT_OF_CODE.get(code);
  if (known !== undefined) return known;
  if (code === 'ECONNABORTED') return isTimeoutOfAxios(error) ? 'timeout' : 'reset';
  return code.startsWith('ERR_SSL_') || code === 'EPROTO' ? tlsFaultOf(error, code) : undefined;
}

/** OpenSSL's reason is in the code, or, when it came up while writing (EPROTO), only in the message. */
function tlsFaultOf(error: unknown, code: string): TlsFaultName {
  const text = `${code} ${String(property(error, 'message'))}`.toLowerCase().replaceAll('_', ' ');
  if (NOT_TLS.test(text)) return 'noTls';
  return CLIENT_CERTIFICATE_ALERT.test(text) ? 'clientCertificate' : 'handshake';
}

/** axios reports its own timeout as ECONNABORTED, and says so only in the message. */
function isTimeoutOfAxios(error: unknown): boolean {
  return String(property(error, 'message')).startsWith('timeout');
}

/** Whether an error says that a name could not be resolved: by getaddrinfo, or by a query of the resolver. */
export function isDnsFailure(error: unknown): boolean {
  const code = codeOf(error);
  if (code === undefined) return false;
  if (code === 'ENOTFOUND' || code.startsWith('EAI_')) return true;
  const call = String(property(error, 'syscall'));
  return call === 'getaddrinfo' || call.startsWith('query');
}

/** The code of an error of Node, like ENOENT. */
export function codeOf(error: unknown): string | undefined {
  const code = property(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

/** Makes the error of a fault. `details` holds `reason`, `host`, `port`, and the `phase` of a timeout. */
export function connectionFault(
  name: FaultName,
  destination: Destination,
  cause?: unknown,
  details: Readonly<Record<string, string>> = {},
): NavinError {
  const { code, reason, says, hint } = FAULTS[name];
  const { host, port } = destination;
  return new NavinError(code, `The API server ${hostAndPort(host, port)} ${says}.`, {
    hint,
    details: { reason, host: hostText(host), port, ...details },
    cause,
  });
}
