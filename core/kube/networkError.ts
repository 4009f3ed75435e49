import { connectionError, type Destination } from '../egress';
import type { ErrorCode, NavinError } from '../errors';
import { isRecord } from './kubeObject';
import { KubeConnectionError, type KubeConnectionErrorOptions, type RequestPhase } from './errors';

/** What is known about a request that failed without a whole answer. */
export interface FailedRequest {
  readonly phase: RequestPhase;
  /** The connection was idle before: the server may have closed it at the same moment. */
  readonly reusedSocket: boolean;
}

/** What `connectionError` makes; errors of ours with other codes were made elsewhere and come through as they are. */
const CONNECTION_CODES = new Set<ErrorCode>([
  'k8s_dns_failed',
  'k8s_unreachable',
  'k8s_timeout',
  'k8s_tls_untrusted',
  'k8s_unauthorized',
  'k8s_not_kubernetes',
]);

/** Reasons (`details.reason` of egress) after which the same connection may succeed a little later. */
const PASSING = new Set(['refused', 'no-route', 'reset', 'connect']);

/**
 * The error for a request without a whole answer. What `core/egress` says about it is kept; a refusal of the egress guard
 * comes through as it is. No text of the original error is shown: it may quote addresses and certificates.
 */
export function networkError(raised: unknown, request: FailedRequest, destination: Destination): NavinError {
  const error = withoutRequest(raised);
  const known = connectionError(error, destination);
  if (known) {
    if (known instanceof KubeConnectionError || !CONNECTION_CODES.has(known.code)) return known;
    const { reason } = known.details;
    return connectionFailure(known, request, {
      retryable: typeof reason === 'string' && (PASSING.has(reason) || (reason === 'dns' && isTemporaryDns(error))),
    });
  }
  const code = codeOf(error);
  if (code?.startsWith('HPE_')) {
    return new KubeConnectionError('k8s_not_kubernetes', 'The server at this address sends no valid HTTP.', {
      ...request,
      details: { reason: 'no-http' },
      hint: 'Check the address and port of the API server.',
      cause: error,
    });
  }
  return new KubeConnectionError('k8s_unreachable', 'The connection to the API server failed.', {
    ...request,
    retryable: true,
    details: { reason: code ?? 'unknown' },
    cause: error,
  });
}

/**
 * What lies below an error of axios. The error itself holds the whole request, the token in its headers included, and
 * whoever prints an error prints its causes.
 */
function withoutRequest(error: unknown): unknown {
  let at = error;
  for (let depth = 0; isRecord(at) && (at.isAxiosError === true || 'config' in at) && depth < 8; depth += 1) {
    const { cause, code } = at;
    at = cause instanceof Error || isRecord(cause) ? cause : Object.assign(new Error('The request failed'), { code });
  }
  return at;
}

function connectionFailure(
  known: NavinError,
  request: FailedRequest,
  options: Pick<KubeConnectionErrorOptions, 'retryable'>,
): KubeConnectionError {
  return new KubeConnectionError(known.code, known.message, {
    ...request,
    ...options,
    details: known.details,
    cause: known,
    ...(known.hint === undefined ? {} : { hint: known.hint }),
  });
}

function isTemporaryDns(error: unknown): boolean {
  return codeOf(error) === 'EAI_AGAIN';
}

/** The first code in a chain of causes that is not one of axios' own. */
function codeOf(error: unknown): string | undefined {
  for (let at: unknown = error, depth = 0; isRecord(at) && depth < 8; at = at.cause, depth += 1) {
    const { code } = at;
    if (typeof code === 'string' && /^(?!ERR_(?:NETWORK|BAD_RE|CANCELED|FR_))[A-Z0-9_]{2,64}$/.test(code)) return code;
  }
  return undefined;
}

/** The request was stopped by its signal. */
export function abortedError(request: FailedRequest & { readonly write: boolean }): KubeConnectionError {
  const unknown = request.write && request.phase !== 'connecting';
  const message = unknown
    ? 'Stopped while a change was under way: whether it was made is not known.'
    : 'Stopped before the answer came.';
  return new KubeConnectionError('k8s_aborted', message, {
    phase: request.phase,
    reusedSocket: request.reusedSocket,
    details: unknown ? { outcome: 'unknown' } : {},
  });
}

/** The time limit of a request passed. `what` reads "The API server did not answer". */
export function timeoutError(request: FailedRequest, what: string, milliseconds: number): KubeConnectionError {
  return new KubeConnectionError('k8s_timeout', `${what} within ${inSeconds(milliseconds)}.`, {
    phase: request.phase,
    reusedSocket: request.reusedSocket,
    retryable: true,
    details: { limitMs: milliseconds },
    hint: 'Try again; look at the load of the API server and the network in between.',
  });
}

function inSeconds(milliseconds: number): string {
  return milliseconds < 1000 ? `${milliseconds} ms` : `${Math.round(milliseconds / 100) / 10} s`;
}
