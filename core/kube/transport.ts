import { request as httpsRequest, type RequestOptions } from 'node:https';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import type { AxiosInstance, AxiosResponse } from 'axios';
import type { Destination } from '../egress';
import type { AgentLease } from './agents';
import { encodingOf, prematureClose, type Encoding } from './body';
import type { RequestPhase } from './errors';
import { networkError } from './networkError';
import { parseRetryAfter } from './retry';

/** One HTTP request, ready to send. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Absolute, encoded. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  /** The answer goes on: it gets a connection that no request waits for. */
  readonly streaming?: boolean;
}

/** The head of an answer; its body is still to be read. */
export interface HttpAnswer {
  readonly status: number;
  /** Lower case, without parameters; '' when there is none. */
  readonly mediaType: string;
  /** The whole Content-Type. */
  readonly contentType: string;
  readonly retryAfterSeconds: number | undefined;
  /** The header `Warning`; several are joined by commas. */
  readonly warning: string | undefined;
  /** As it comes, encoded. Reading it to the end or destroying it gives the connection back. */
  readonly body: Readable;
  readonly encoding: Encoding;
  readonly reusedSocket: boolean;
}

/** How far a request came: filled while it runs, read when it fails. */
export interface Progress {
  phase: RequestPhase;
  reusedSocket: boolean;
}

/** Where requests go, and by whose connections. */
export interface TransportOptions {
  readonly destination: Destination;
  readonly lease: (streaming: boolean) => AgentLease;
}

let loading: Promise<AxiosInstance> | undefined;

/**
 * axios, loaded on first use: a package that n8n loads in every process must cost nothing until it is used. An instance
 * of its own, so that defaults and interceptors which others set on theirs do not count here.
 */
function loadAxios(): Promise<AxiosInstance> {
  loading ??= import('axios').then(({ default: axios, AxiosHeaders }) => {
    const instance = axios.create({
      adapter: 'http',
      proxy: false,
      maxRedirects: 0,
      responseType: 'stream',
      decompress: false,
      timeout: 0,
      validateStatus: () => true,
      transformRequest: [],
      transformResponse: [],
    });
    // We name all headers that are sent; those of axios would be merged anew for each request.
    const none = new AxiosHeaders();
    instance.defaults.headers = {
      common: none,
      delete: none,
      get: none,
      head: none,
      post: none,
      put: none,
      patch: none,
    };
    return instance;
  });
  return loading;
}

/** Sends one request and waits for the head of its answer. No retries, no redirects, no time limit but the signal. */
export class Transport {
  constructor(private readonly options: TransportOptions) {}

  /**
   * @throws NavinError of `networkError` when no answer comes; whatever the signal says is for the caller to find out.
   */
  async send(request: HttpRequest, signal: AbortSignal, progress: Progress): Promise<HttpAnswer> {
    const axios = await loadAxios();
    const lease = this.options.lease(request.streaming ?? false);
    try {
      const response = await axios.request<IncomingMessage>({
        method: request.method,
        url: request.url,
        headers: { ...request.headers },
        data: request.body,
        httpsAgent: lease.agent,
        transport: new ObservedTransport(progress),
        signal,
      });
      progress.phase = 'answered';
      const { data } = response;
      // An error of a body that nobody reads any more is no news.
      data.on('error', () => undefined);
      const stop = (): void => {
        data.destroy(prematureClose());
      };
      signal.addEventListener('abort', stop, { once: true });
      data.once('close', () => {
        signal.removeEventListener('abort', stop);
        lease.release();
      });
      return answerOf(response, progress.reusedSocket);
    } catch (error) {
      lease.release();
      throw networkError(error, { ...progress }, this.options.destination);
    }
  }
}

/** `https.request` that notes how far it came. A class, because axios copies plain objects for each request. */
class ObservedTransport {
  constructor(private readonly progress: Progress) {}

  request(options: RequestOptions, onAnswer: (answer: IncomingMessage) => void): ClientRequest {
    const request = httpsRequest(options, onAnswer);
    observe(request, this.progress);
    return request;
  }
}

/** Notes when the first byte of a request can have left, and whether its connection was used before. */
export function observe(request: ClientRequest, progress: Progress): void {
  request.once('socket', (socket) => {
    const tls = socket as TLSSocket & { readonly secureConnecting?: boolean };
    const sent = (): void => {
      progress.phase = 'sent';
      progress.reusedSocket = request.reusedSocket;
    };
    if (tls.connecting || tls.secureConnecting) tls.once('secureConnect', sent);
    else sent();
  });
}

function answerOf(response: AxiosResponse<IncomingMessage>, reusedSocket: boolean): HttpAnswer {
  const { headers } = response.data;
  const contentType = headers['content-type'] ?? '';
  return {
    status: response.status,
    mediaType: contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '',
    contentType,
    retryAfterSeconds: parseRetryAfter(headers['retry-after'], headers.date, Date.now()),
    warning: headers.warning,
    body: response.data,
    encoding: encodingOf(headers['content-encoding']),
    reusedSocket,
  };
}
