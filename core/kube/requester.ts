import { setImmediate as turn } from 'node:timers/promises';
import type { Destination } from '../egress';
import { isNavinError, type NavinError } from '../errors';
import { answerError } from './answerError';
import { type Body, readAll, unpack, unpackHead, unpackStream } from './body';
import { ByteStream } from './byteStream';
import { Deadline } from './deadline';
import { KubeApiError, KubeConnectionError } from './errors';
import { abortedError, networkError, timeoutError } from './networkError';
import { outcomeUnknown } from './outcome';
import { encodeBody, isHtml, isJson, JSON_TYPE, notJson, parseJson, tryJson } from './json';
import { retryDelay } from './retry';
import { concealedValues, type Disclosure } from './serverText';
import { parseStatus } from './status';
import type { RequestSubject } from './subject';
import type { HttpAnswer, HttpRequest, Progress, Transport } from './transport';
import { warningsOf } from './warnings';

/** A request to the API server. */
export interface ApiRequest {
  readonly method: HttpRequest['method'];
  /** From the root of the API, encoded: `/api/v1/pods`. */
  readonly path: string;
  readonly query?: URLSearchParams | undefined;
  readonly accept?: string | undefined;
  readonly body?: { readonly contentType: string; readonly value: unknown } | undefined;
  /** What it is about, for errors; absent for the version and discovery. */
  readonly subject?: RequestSubject | undefined;
  /** It concerns Secrets: nothing the server says is shown. */
  readonly secret?: boolean | undefined;
  /** It may change something: it is not repeated unless it is certain that nothing was done. */
  readonly write: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Takes what is not wanted out of the JSON of a good answer before it is parsed. */
  readonly reduce?: ((json: Buffer) => Buffer) | undefined;
  /** Statuses beyond 2xx whose answers are no errors. */
  readonly alsoGood?: readonly number[] | undefined;
  /** The answer goes on. */
  readonly streaming?: boolean | undefined;
  /** Gets the first piece of a good answer as soon as it is there. */
  readonly onHead?: ((head: Buffer) => void) | undefined;
}

/** Bounds and means of a {@link Requester}. */
export interface RequesterOptions {
  readonly server: string;
  readonly destination: Destination;
  readonly transport: Transport;
  /** For every request: User-Agent and, for tokens, Authorization. A function, so that printing a client shows no token. */
  readonly headers: () => Readonly<Record<string, string>>;
  /** Values that no error may show. */
  readonly credentials: () => readonly string[];
  /** Gets what the API server warns of, beside a good answer. */
  readonly onWarning: (text: string) => void;
  /** Looks for a newer credential when this one is not accepted any more. */
  readonly renew: () => Promise<void>;
  /** Of one try, up to the end of its answer; for streams up to its head. In ms. */
  readonly requestTimeoutMs: number;
  /** All tries of a request and the pauses between, in ms. */
  readonly totalTimeoutMs: number;
  /** The longest silence within an answer, in ms. */
  readonly idleTimeoutMs: number;
  readonly maxResponseBytes: number;
  readonly maxRetries: number;
  readonly compress: boolean;
  readonly signals: readonly (AbortSignal | undefined)[];
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly random: () => number;
  readonly now: () => number;
}

/** JSON that is not parsed yet. */
export interface PackedJson {
  readonly json: Buffer;
  /** Gives its memory back at once; nothing may use it afterwards. */
  readonly release: () => void;
}

/** Bodies of error answers are small; what is larger is not looked at. */
const MAX_ERROR_BODY = 1024 * 1024;
/** The same of the few answers that are text. */
const MAX_TEXT_BODY = 1024 * 1024;
/** As many idle connections as an agent keeps may have been closed by the server at once. */
const MAX_STALE_SOCKETS = 16;

type Read<T> = (answer: HttpAnswer, deadline: Deadline, progress: Progress) => Promise<T>;

/** Sends requests, repeats them where that is safe, reads the answers within bounds, and makes errors of all the rest. */
export class Requester {
  constructor(private readonly options: RequesterOptions) {}

  /** The JSON of the answer. @throws NavinError */
  async json(request: ApiRequest): Promise<unknown> {
    return this.run(request, async (answer) => {
      const { json, release } = await this.readJson(answer, request);
      const text = json.toString('utf8');
      release();
      return parseJson(text);
    });
  }

  /** The JSON of the answer, not parsed. @throws NavinError */
  async packedJson(request: ApiRequest): Promise<PackedJson> {
    return this.run(request, (answer) => this.readJson(answer, request));
  }

  /** The answer as text, whatever its media type says. @throws NavinError */
  async text(request: ApiRequest): Promise<{ readonly status: number; readonly text: string }> {
    return this.run(request, async (answer) => {
      const { bytes } = await this.readBody(answer, MAX_TEXT_BODY);
      return { status: answer.status, text: bytes.toString('utf8') };
    });
  }

  /**
   * The answer as a stream. The time limit of a request ends with its head: {@link ByteStream.read} has its own.
   *
   * @param accepts media types of a good answer
   */
  async stream(request: ApiRequest, accepts: (mediaType: string) => boolean): Promise<ByteStream> {
    return this.run({ ...request, streaming: true }, (answer, deadline, progress) => {
      if (!accepts(answer.mediaType)) {
        answer.body.destroy();
        throw notJson(answer.mediaType);
      }
      deadline.unlimit();
      return Promise.resolve(
        new ByteStream(answer.status, unpackStream(answer.body, answer.encoding), deadline, (error) =>
          this.translate(error, request, deadline, progress, 0),
        ),
      );
    });
  }

  private async run<T>(request: ApiRequest, read: Read<T>): Promise<T> {
    const { options } = this;
    let http = this.httpRequest(request);
    const started = options.now();
    let retries = 0;
    let stale = 0;
    let renewed = false;
    for (;;) {
      const elapsedMs = options.now() - started;
      const limitMs = Math.max(1, Math.min(options.requestTimeoutMs, options.totalTimeoutMs - elapsedMs));
      try {
        return await this.attempt(request, http, limitMs, read);
      } catch (error) {
        if (!request.write && stale < MAX_STALE_SOCKETS && isStaleSocket(error)) {
          stale += 1;
          continue;
        }
        if (!renewed && isUnauthorized(error)) {
          renewed = true;
          await options.renew();
          const again = this.httpRequest(request);
          // Who is not known changes nothing: what was refused so may be sent once more.
          if (again.headers.Authorization !== http.headers.Authorization) {
            http = again;
            continue;
          }
        }
        const failed = { error, retries, elapsedMs: options.now() - started, write: request.write };
        const delay = retryDelay(failed, {
          maxRetries: options.maxRetries,
          totalMs: options.totalTimeoutMs,
          random: options.random,
        });
        if (delay === undefined) throw error;
        retries += 1;
        await this.pause(delay, request);
      }
    }
  }

  private async attempt<T>(request: ApiRequest, http: HttpRequest, limitMs: number, read: Read<T>): Promise<T> {
    const deadline = new Deadline([...this.options.signals, request.signal], limitMs);
    const progress: Progress = { phase: 'connecting', reusedSocket: false };
    let streaming = false;
    try {
      // One turn of the event loop, so that idle connections which the server has closed are thrown away before a change
      // is sent on one of them: it would be lost, and could not be repeated.
      if (request.write) await turn();
      if (deadline.reason !== undefined) throw abortedError({ ...progress, write: request.write });
      const answer = await this.options.transport.send(http, deadline.signal, progress);
      if (!isGood(answer.status, request)) throw await this.readError(answer, request);
      for (const text of warningsOf(answer.warning, this.disclosure(request))) this.options.onWarning(text);
      const result = await read(answer, deadline, progress);
      streaming = result instanceof ByteStream;
      return result;
    } catch (error) {
      throw this.translate(error, request, deadline, progress, limitMs);
    } finally {
      if (!streaming) deadline.dispose();
    }
  }

  /** What a failed try means: a stop or a time limit comes first, then what was raised. */
  private translate(
    error: unknown,
    request: ApiRequest,
    deadline: Deadline,
    progress: Progress,
    limitMs: number,
  ): NavinError {
    const { write } = request;
    if (deadline.reason === 'aborted') return abortedError({ ...progress, write });
    let known: NavinError;
    if (deadline.reason === 'timeout') {
      const what =
        progress.phase === 'connecting' ? 'No connection to the API server stood' : 'The API server did not answer';
      known = timeoutError(progress, what, limitMs);
    } else {
      known = isNavinError(error) ? error : networkError(error, { ...progress }, this.options.destination);
    }
    return write ? outcomeUnknown(known, progress.phase, request.subject) : known;
  }

  private async readError(answer: HttpAnswer, request: ApiRequest): Promise<KubeApiError> {
    const body = await this.readBody(answer, MAX_ERROR_BODY).then(
      ({ bytes }) => bytes,
      () => Buffer.alloc(0),
    );
    return answerError({
      httpStatus: answer.status,
      status: isJson(answer.mediaType) ? parseStatus(tryJson(body)) : undefined,
      html: isHtml(answer.mediaType, body),
      retryAfterSeconds: answer.retryAfterSeconds,
      subject: request.subject,
      disclosure: this.disclosure(request),
    });
  }

  /** The error for a Status that came inside a stream (an ERROR event of a watch). */
  statusError(value: unknown, request: ApiRequest): KubeApiError {
    const status = parseStatus(value);
    return answerError({
      httpStatus: status?.code ?? 500,
      status,
      html: false,
      retryAfterSeconds: undefined,
      subject: request.subject,
      disclosure: this.disclosure(request),
    });
  }

  private disclosure(request: ApiRequest): Disclosure {
    return {
      silent: request.secret ?? false,
      concealed: () => [...this.options.credentials(), ...concealedValues(request.body?.value)],
    };
  }

  private async readJson(answer: HttpAnswer, request: ApiRequest): Promise<PackedJson> {
    if (!isJson(answer.mediaType)) {
      answer.body.destroy();
      throw notJson(answer.mediaType);
    }
    const { bytes, release } = await this.readBody(answer, this.options.maxResponseBytes, request.onHead);
    return { json: request.reduce ? request.reduce(bytes) : bytes, release };
  }

  private async readBody(answer: HttpAnswer, maxBytes: number, onHead?: (head: Buffer) => void): Promise<Body> {
    const { idleTimeoutMs } = this.options;
    const packed = await readAll(answer.body, {
      maxBytes,
      idleMs: idleTimeoutMs,
      onHead:
        onHead &&
        ((piece) => {
          onHead(unpackHead(piece, answer.encoding));
        }),
      onIdle: () =>
        timeoutError(
          { phase: 'answered', reusedSocket: false },
          'The answer stood still: not one byte came',
          idleTimeoutMs,
        ),
    });
    return unpack(packed, answer.encoding, maxBytes);
  }

  private httpRequest(request: ApiRequest): HttpRequest {
    const query = request.query?.toString() ?? '';
    const body = request.body === undefined ? undefined : encodeBody(request.body.value);
    return {
      method: request.method,
      url: `${this.options.server}${request.path}${query === '' ? '' : `?${query}`}`,
      headers: {
        ...this.options.headers(),
        Accept: request.accept ?? JSON_TYPE,
        'Accept-Encoding': this.options.compress ? 'gzip' : 'identity',
        ...(request.body === undefined ? {} : { 'Content-Type': request.body.contentType }),
      },
      body,
      streaming: request.streaming ?? false,
    };
  }

  private async pause(milliseconds: number, request: ApiRequest): Promise<void> {
    await this.options.sleep(milliseconds, request.signal);
    if ([...this.options.signals, request.signal].some((signal) => signal?.aborted)) {
      throw abortedError({ phase: 'connecting', reusedSocket: false, write: request.write });
    }
  }
}

function isGood(status: number, { alsoGood = [] }: ApiRequest): boolean {
  return (status >= 200 && status < 300) || alsoGood.includes(status);
}

/** The server closed an idle connection at the moment it was used again: the request was not looked at. */
function isStaleSocket(error: unknown): boolean {
  return (
    error instanceof KubeConnectionError &&
    error.code === 'k8s_unreachable' &&
    error.reusedSocket &&
    error.phase === 'sent'
  );
}

/** 401 of the API server itself. */
function isUnauthorized(error: unknown): boolean {
  return error instanceof KubeApiError && error.code === 'k8s_unauthorized';
}
