import type { IncomingMessage } from 'node:http';
import type { WebSocket } from 'ws';
import type { Destination } from '../egress';
import { isNavinError, NavinError } from '../errors';
import type { AgentLease } from './agents';
import { answerError } from './answerError';
import { encodingOf, readAll, unpack } from './body';
import type { Deadline } from './deadline';
import { KubeApiError, KubeConnectionError, responseError } from './errors';
import { isHtml, isJson, tryJson } from './json';
import { abortedError, networkError, timeoutError } from './networkError';
import { parseRetryAfter } from './retry';
import { parseStatus } from './status';
import type { RequestSubject } from './subject';
import { observe, type Progress } from './transport';

/** How a client reaches its cluster by connections that are upgraded to WebSocket: the same as all others. */
export interface UpgradeMeans {
  readonly server: string;
  readonly destination: Destination;
  readonly lease: () => AgentLease;
  readonly headers: () => Readonly<Record<string, string>>;
  /** Values that no error may show. */
  readonly credentials: () => readonly string[];
  /** For the handshake, in ms. */
  readonly requestTimeoutMs: number;
  readonly signals: readonly (AbortSignal | undefined)[];
}

/** What to ask for. */
export interface UpgradeRequest {
  /** From the root of the API, encoded, with its query. */
  readonly path: string;
  /** In the order of preference. */
  readonly protocols: readonly string[];
  readonly subject: RequestSubject;
  /** Values that were sent and that no error may show. */
  readonly concealed: readonly string[];
}

/** The largest message that is taken: servers send 32 KiB at most. */
const MAX_MESSAGE_BYTES = 1024 * 1024;
const MAX_ERROR_BODY = 64 * 1024;

/**
 * Upgrades a connection of the pinned agent to WebSocket. The time limit of the deadline is that of the handshake
 * meanwhile, and is taken off at the end. Nothing is repeated: what is asked for may have begun.
 *
 * @throws KubeApiError what the API server answered instead; NavinError of the connection, `k8s_outcome_unknown` when the
 * request was sent and no certain answer came
 */
export async function upgrade(
  means: UpgradeMeans,
  { path, protocols, subject, concealed }: UpgradeRequest,
  deadline: Deadline,
): Promise<WebSocket> {
  const { WebSocket } = await import('ws');
  const progress: Progress = { phase: 'connecting', reusedSocket: false };
  if (deadline.reason !== undefined) throw abortedError({ ...progress, write: true });
  const lease = means.lease();
  const socket = new WebSocket(`${means.server}${path}`, protocols, {
    agent: lease.agent,
    headers: means.headers(),
    perMessageDeflate: false,
    followRedirects: false,
    maxPayload: MAX_MESSAGE_BYTES,
    finishRequest: (request) => {
      observe(request, progress);
      request.end();
    },
  });
  socket.once('close', () => {
    lease.release();
  });
  // What breaks once it is open is seen by its closing.
  socket.on('error', () => undefined);
  deadline.limit(means.requestTimeoutMs);
  try {
    await opened(socket, deadline.signal, async (response) => {
      progress.phase = 'answered';
      return refusal(response, subject, () => [...means.credentials(), ...concealed]);
    });
    return socket;
  } catch (error) {
    socket.terminate();
    throw translated(error, progress, deadline, means);
  } finally {
    deadline.unlimit();
  }
}

/** Waits for the end of the handshake. @param refused the error for an answer that is no upgrade */
function opened(
  socket: WebSocket,
  signal: AbortSignal,
  refused: (response: IncomingMessage) => Promise<Error>,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let upgraded = false;
    const stop = (): void => {
      reject(new Error('stopped'));
    };
    signal.addEventListener('abort', stop, { once: true });
    socket.once('upgrade', () => {
      upgraded = true;
    });
    socket.once('open', () => {
      signal.removeEventListener('abort', stop);
      resolve();
    });
    socket.once('error', (error) => {
      signal.removeEventListener('abort', stop);
      reject(upgraded ? responseError('The API server does not speak the protocol that was asked for.') : error);
    });
    socket.once('unexpected-response', (_request, response) => {
      void refused(response).then(reject, reject);
    });
  });
}

/** The error for an answer that is no upgrade, by its Status. */
async function refusal(
  response: IncomingMessage,
  subject: RequestSubject,
  concealed: () => readonly string[],
): Promise<Error> {
  const { headers, statusCode = 0 } = response;
  const mediaType = (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  const body = await readAll(response, { maxBytes: MAX_ERROR_BODY, idleMs: 5_000, onIdle: () => new Error('idle') })
    .then((packed) => unpack(packed, encodingOf(headers['content-encoding']), MAX_ERROR_BODY))
    .then(({ bytes }) => bytes)
    .catch(() => Buffer.alloc(0));
  if (statusCode >= 200 && statusCode < 300) {
    return responseError('The API server does not upgrade the connection; a proxy in between may not let it through.');
  }
  return answerError({
    httpStatus: statusCode,
    status: isJson(mediaType) ? parseStatus(tryJson(body)) : undefined,
    html: isHtml(mediaType, body),
    retryAfterSeconds: parseRetryAfter(headers['retry-after'], headers.date, Date.now()),
    subject,
    disclosure: { silent: false, concealed },
  });
}

function translated(error: unknown, progress: Progress, deadline: Deadline, means: UpgradeMeans): NavinError {
  if (deadline.reason === 'aborted') return abortedError({ ...progress, write: true });
  const known =
    deadline.reason === 'timeout'
      ? timeoutError(progress, 'The API server did not answer', means.requestTimeoutMs)
      : isNavinError(error)
        ? error
        : networkError(error, { ...progress }, means.destination);
  if (!mayHaveBegun(known, progress.phase)) return known;
  return new NavinError('k8s_outcome_unknown', 'The command was sent, but no certain answer came: it may have run.', {
    hint: 'Find out in the container whether it ran before you repeat it.',
    details: { ...known.details, cause: known.code },
    cause: known,
  });
}

/** A gateway that gave up waiting, and a connection that broke, do not know what the kubelet did meanwhile. */
function mayHaveBegun(error: NavinError, phase: Progress['phase']): boolean {
  if (error instanceof KubeApiError) return error.details.outcome === 'unknown';
  if (error.code === 'k8s_unauthorized' || error.code === 'k8s_tls_untrusted') return false;
  return phase === 'sent' || (phase === 'answered' && error instanceof KubeConnectionError);
}
