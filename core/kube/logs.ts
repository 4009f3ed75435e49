import type { ByteStream } from './byteStream';
import { KubeConnectionError, parameterError } from './errors';
import { GrowingBytes } from './growingBytes';
import { checkInteger, objectPath, queryOf } from './paths';
import { RESOURCES } from './apiResource';
import type { ApiRequest, Requester } from './requester';
import { NavinError } from '../errors';
import { describeSubject } from './subject';

/** A Pod. */
export interface PodRef {
  readonly namespace: string;
  readonly name: string;
}

/** Which part of a log. */
export interface LogOptions {
  /** Absent: the default container of the Pod. */
  readonly container?: string | undefined;
  /** The log of the run before the last restart. */
  readonly previous?: boolean | undefined;
  /** Not together with `sinceTime`. */
  readonly sinceSeconds?: number | undefined;
  /** RFC 3339; the API server reads it by the second. */
  readonly sinceTime?: string | undefined;
  /** The last lines only. */
  readonly tailLines?: number | undefined;
  /** Each line begins with its time (RFC 3339 with nanoseconds). */
  readonly timestamps?: boolean | undefined;
  /** At most so many bytes from the beginning of the selected part. Default: 16 MiB; maximum: 64 MiB. */
  readonly limitBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A log, or the beginning of it. */
export interface LogText {
  readonly text: string;
  /** There is more than `limitBytes`. */
  readonly truncated: boolean;
}

/** A log as it was written: it may be no text. */
export interface LogBytes {
  readonly bytes: Buffer;
  /** There is more than `limitBytes`. */
  readonly truncated: boolean;
  /** Gives their memory back at once. Nothing may use the bytes afterwards. */
  readonly release: () => void;
}

/** The most one log has where nothing is said. */
export const DEFAULT_LOG_BYTES = 16 * 1024 * 1024;
/** The most one log may have. */
export const MAX_LOG_BYTES = 64 * 1024 * 1024;

/** The query of a request for logs, as the API server names its parameters. */
export interface LogQuery {
  readonly container?: string | undefined;
  readonly previous?: boolean | undefined;
  readonly sinceSeconds?: number | undefined;
  readonly sinceTime?: string | undefined;
  readonly tailLines?: number | undefined;
  readonly timestamps?: boolean | undefined;
  readonly limitBytes?: number | undefined;
  readonly follow?: boolean | undefined;
}

/** @throws NavinError `k8s_parameter_invalid` */
export function checkLogOptions(options: LogOptions): void {
  const { sinceSeconds, sinceTime, tailLines, limitBytes } = options;
  if (sinceSeconds !== undefined) checkInteger('sinceSeconds', sinceSeconds, 1, 2 ** 31 - 1);
  if (tailLines !== undefined) checkInteger('tailLines', tailLines, 0, 2 ** 31 - 1);
  if (limitBytes !== undefined) checkInteger('limitBytes', limitBytes, 1, MAX_LOG_BYTES);
  if (sinceTime === undefined) return;
  if (sinceSeconds !== undefined) throw parameterError('sinceTime', 'Give either sinceSeconds or sinceTime.');
  if (
    !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/.test(sinceTime) ||
    Number.isNaN(Date.parse(sinceTime))
  ) {
    throw parameterError('sinceTime', 'The sinceTime must be a time as in 2026-01-31T12:00:00Z.');
  }
}

/** The request for a log. */
export function logRequest(ref: PodRef, query: LogQuery, signal: AbortSignal | undefined): ApiRequest {
  return {
    method: 'GET',
    path: objectPath(RESOURCES.pods, { ...ref, subresource: 'log' }),
    query: queryOf({ ...query }),
    // A Status where it fails, text where it succeeds.
    accept: 'application/json, */*',
    subject: { verb: 'get', group: '', resource: 'pods', subresource: 'log', kind: 'Pod', ...ref },
    write: false,
    signal,
  };
}

/**
 * Opens a log.
 *
 * @throws KubeApiError with `details.log`: `waiting`, `no-previous`, `gone`, `choose-container`, `unknown-container`
 */
export async function openLog(requester: Requester, request: ApiRequest): Promise<ByteStream> {
  const stream = await requester.stream(request, isLogType);
  if (stream.status !== 204) return stream;
  // The API server has no log to ask for as long as the Pod is on no node.
  stream.close();
  const pod = request.subject ? describeSubject({ ...request.subject, subresource: undefined }) : 'The Pod';
  throw new NavinError('k8s_not_found', `${pod} is not on a node yet: there is no log.`, {
    hint: 'Wait until it is scheduled; following the log waits by itself.',
    details: { log: 'waiting', waitingReason: 'Unschedulable' },
  });
}

function isLogType(mediaType: string): boolean {
  return mediaType === 'text/plain' || mediaType === 'application/octet-stream' || mediaType === '';
}

/** What reading a log needs from outside. */
export interface LogMeans {
  readonly requester: Requester;
  readonly idleMs: number;
  readonly maxRetries: number;
}

/**
 * Reads a log of one container up to the limit. The container must be known or be the only one. A log that breaks off is
 * read anew from its beginning, as every answer is.
 */
export async function readLog(means: LogMeans, ref: PodRef, options: LogOptions): Promise<LogBytes> {
  checkLogOptions(options);
  for (let retries = 0; ; retries += 1) {
    try {
      return await readOnce(means, ref, options);
    } catch (error) {
      // What failed before the log began was repeated already.
      const brokeOff = error instanceof KubeConnectionError && error.phase === 'answered' && error.retryable;
      if (!brokeOff || error.code !== 'k8s_unreachable' || retries >= means.maxRetries) throw error;
    }
  }
}

async function readOnce(
  { requester, idleMs }: Pick<LogMeans, 'requester' | 'idleMs'>,
  ref: PodRef,
  options: LogOptions,
): Promise<LogBytes> {
  const { signal, limitBytes = DEFAULT_LOG_BYTES, ...query } = options;
  // One byte more than wanted tells whether there is more. The limit is kept here too: the server's is approximate.
  const stream = await openLog(requester, logRequest(ref, { ...query, limitBytes: limitBytes + 1 }, signal));
  const log = new GrowingBytes();
  try {
    while (log.length <= limitBytes) {
      const chunk = await stream.read(idleMs);
      if (chunk === undefined) break;
      log.push(chunk);
    }
  } finally {
    stream.close();
  }
  const truncated = log.length > limitBytes;
  const bytes = truncated ? cutAtCharacter(log.bytes(), limitBytes) : log.bytes();
  return { bytes, truncated, release: log.release.bind(log) };
}

/** A log as text, in place of its bytes. */
export function logText({ bytes, truncated, release }: LogBytes): LogText {
  const text = bytes.toString('utf8');
  release();
  return { text, truncated };
}

/** At most `length` bytes, without a character that is cut in the middle (UTF-8). */
export function cutAtCharacter(bytes: Buffer, length: number): Buffer {
  let end = Math.min(length, bytes.length);
  // Continuation bytes are 10xxxxxx; a character has at most three.
  for (let back = 0; back < 3 && end > 0 && end < bytes.length && ((bytes[end] ?? 0) & 0xc0) === 0x80; back += 1)
    end -= 1;
  return bytes.subarray(0, end);
}
