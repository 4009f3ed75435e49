import { holdsSecrets, type ApiResource } from './apiResource';
import { parameterError, responseError } from './errors';
import { isKubeObject, isRecord, type KubeObject } from './kubeObject';
import { LineSplitter } from './lines';
import { listedNamespace } from './lists';
import { checkInteger, collectionPath, queryOf } from './paths';
import type { ApiRequest, Requester } from './requester';

/** A window of a watch. */
export interface WatchOptions {
  /** Absent or `*`: all namespaces. */
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  /**
   * The cursor: events after this version. Required, because without one (or with `0`) the API server begins with made-up
   * ADDED events of everything that exists.
   */
  readonly resourceVersion: string;
  /** The API server ends the window after so long, in s. 1 to 3,600. */
  readonly timeoutSeconds: number;
  /** Bookmarks move the cursor. Default true. They may not come. */
  readonly allowWatchBookmarks?: boolean | undefined;
  /** Events carry only `metadata` (PartialObjectMetadata). */
  readonly metadataOnly?: boolean | undefined;
  /** A larger event is an error. Default 8 MiB: twice the largest object etcd takes, with room for its fields' owners. */
  readonly maxLineBytes?: number | undefined;
  /** The longest silence, in ms. Default: to the end of the window and 10 s. */
  readonly stallTimeoutMs?: number | undefined;
  /** After so many bytes the window ends early, between two events. Default 64 MiB. */
  readonly maxBytes?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** An event. Objects of bookmarks have `metadata.resourceVersion` only. */
export interface WatchEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED' | 'BOOKMARK';
  readonly object: KubeObject;
}

const EVENT_TYPES: ReadonlySet<unknown> = new Set(['ADDED', 'MODIFIED', 'DELETED', 'BOOKMARK']);
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const MAX_WINDOW_BYTES = 64 * 1024 * 1024;
/** How much later than asked the API server may end the window. */
const GRACE_MS = 10_000;

const PARTIAL = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json';

/** The request of a window. @throws NavinError `k8s_parameter_invalid` */
export function watchRequest(resource: ApiResource, options: WatchOptions): ApiRequest {
  const namespace = listedNamespace(resource, options.namespace);
  if (!/^[\w.-]{1,128}$/.test(options.resourceVersion) || options.resourceVersion === '0') {
    throw parameterError('resourceVersion', 'A watch needs the resourceVersion it goes on from.');
  }
  return {
    method: 'GET',
    path: collectionPath(resource, namespace),
    query: queryOf({
      watch: 1,
      resourceVersion: options.resourceVersion,
      timeoutSeconds: checkInteger('timeoutSeconds', options.timeoutSeconds, 1, 3600),
      allowWatchBookmarks: options.allowWatchBookmarks ?? true,
      labelSelector: options.labelSelector,
      fieldSelector: options.fieldSelector,
    }),
    accept: options.metadataOnly ? PARTIAL : undefined,
    subject: { verb: 'watch', group: resource.group, resource: resource.plural, kind: resource.kind, namespace },
    secret: holdsSecrets(resource),
    write: false,
    signal: options.signal,
  };
}

/**
 * One window of a watch, event by event, in order. It ends when the API server ends it (or after `maxBytes`, or when data
 * still comes after its time): every event handed out is whole, and the next window goes on from the last of them.
 *
 * @throws KubeApiError for an ERROR event, `k8s_expired` when the cursor is too old (HTTP 410 or ERROR event alike);
 * NavinError `k8s_response_invalid` for a line that is no event, is cut or too long: it is never skipped;
 * `k8s_timeout` when nothing comes any more and the window does not end; `k8s_unreachable` when the connection breaks
 */
export async function* readWatch(
  requester: Requester,
  resource: ApiResource,
  options: WatchOptions,
  now: () => number,
): AsyncGenerator<WatchEvent, void, undefined> {
  const request = watchRequest(resource, options);
  const maxLineBytes = options.maxLineBytes ?? MAX_LINE_BYTES;
  const maxBytes = options.maxBytes ?? MAX_WINDOW_BYTES;
  const windowMs = options.timeoutSeconds * 1000 + GRACE_MS;
  const stream = await requester.stream(request, isWatchType);
  const end = now() + windowMs;
  const lines = new LineSplitter(maxLineBytes);
  let bytes = 0;
  try {
    for (;;) {
      const left = end - now();
      if (left <= 0 || bytes > maxBytes) return;
      const chunk = await stream.read(Math.min(left, options.stallTimeoutMs ?? left));
      if (chunk === undefined) break;
      bytes += chunk.length;
      for (const line of lines.push(chunk)) {
        if (line.length > maxLineBytes) throw lineTooLong(maxLineBytes);
        yield parseEvent(line, requester, request);
      }
      if (lines.tooLong) throw lineTooLong(maxLineBytes);
    }
    if (lines.rest().length > 0) throw responseError('The watch ended in the middle of an event.', { reason: 'cut' });
  } finally {
    stream.close();
  }
}

function isWatchType(mediaType: string): boolean {
  return mediaType === 'application/json';
}

function parseEvent(line: Buffer, requester: Requester, request: ApiRequest): WatchEvent {
  const event = tryParse(line);
  if (isRecord(event)) {
    const { type, object } = event;
    if (type === 'ERROR') throw requester.statusError(object, request);
    if (EVENT_TYPES.has(type) && isKubeObject(object)) return { type: type as WatchEvent['type'], object };
  }
  throw responseError('The watch sent a line that is no event.', { reason: 'broken' });
}

function tryParse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'));
  } catch {
    return undefined;
  }
}

function lineTooLong(maxBytes: number): Error {
  return responseError(`An event of the watch is larger than ${maxBytes} bytes.`, { reason: 'too-long', maxBytes });
}
