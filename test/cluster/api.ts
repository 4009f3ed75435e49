import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import { deferred } from './deferred';
import { ClusterError } from './errors';

/** A Kubernetes object as the server sent it. */
export type ServerObject = Record<string, unknown> & {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly generation?: number;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
    readonly [key: string]: unknown;
  };
};

/** What the server answered. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The parsed body where it is JSON, else undefined. */
  readonly body: unknown;
}

/** Details of a request. */
export interface ApiRequestOptions {
  /** Sent as JSON unless it is a string. */
  readonly body?: unknown;
  /** Default `application/json`. */
  readonly contentType?: string;
  /** Bearer token to use in place of the administrator's client certificate. */
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** Where the API server is and who speaks. */
export interface ApiIdentity {
  readonly server: string;
  readonly caPem: string;
  readonly certificate: string;
  readonly key: string;
}

/** Longest that one witness request may take, in milliseconds. */
const REQUEST_TIMEOUT_MS = 60_000;
/** Pause between two looks of `until`, in milliseconds. */
const LOOK_INTERVAL_MS = 50;

/**
 * The witness: a bare HTTPS client with the administrator's rights. It shares no code with core/, so that what core/
 * says can be held against what the server says.
 */
export class Api {
  private readonly asAdmin: Agent;
  private readonly asAnyone: Agent;

  constructor(private readonly identity: ApiIdentity) {
    const { caPem: ca, certificate: cert, key } = identity;
    this.asAdmin = new Agent({ keepAlive: true, ca, cert, key });
    this.asAnyone = new Agent({ keepAlive: true, ca });
  }

  /** One request; any status is an answer. */
  async request(method: string, path: string, options: ApiRequestOptions = {}): Promise<ApiAnswer> {
    const response = await this.open(method, path, options, REQUEST_TIMEOUT_MS);
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    const json = response.headers['content-type']?.includes('json') === true && !text.includes('}\n{');
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text,
      body: json && text !== '' ? (JSON.parse(text) as unknown) : undefined,
    };
  }

  /** GET of an object or list. @throws ClusterError request_failed on any status but 200 */
  async get<T = ServerObject>(path: string): Promise<T> {
    return this.expect<T>('GET', path);
  }

  /** The items of a list. */
  async items(path: string): Promise<readonly ServerObject[]> {
    const { items } = await this.get<{ items: readonly ServerObject[] }>(path);
    return items;
  }

  /** Creates an object. @throws ClusterError request_failed */
  async create<T = ServerObject>(path: string, body: unknown): Promise<T> {
    return this.expect<T>('POST', path, { body });
  }

  /** Merge-patches an object. @throws ClusterError request_failed */
  async patch<T = ServerObject>(path: string, body: unknown, contentType = 'application/merge-patch+json'): Promise<T> {
    return this.expect<T>('PATCH', path, { body, contentType });
  }

  /** Deletes an object; one that is not there is fine. @throws ClusterError request_failed */
  async delete(path: string, body?: unknown): Promise<void> {
    const answer = await this.request('DELETE', path, body === undefined ? {} : { body });
    if (answer.status >= 300 && answer.status !== 404) throw failed('DELETE', path, answer);
  }

  /** A request that must succeed. @throws ClusterError request_failed */
  async expect<T>(method: string, path: string, options: ApiRequestOptions = {}): Promise<T> {
    const answer = await this.request(method, path, options);
    if (answer.status < 200 || answer.status > 299) throw failed(method, path, answer);
    return answer.body as T;
  }

  /** The lines of a streamed answer (watch, followed logs), until it ends or the signal aborts it. */
  async *lines(path: string, signal?: AbortSignal): AsyncGenerator<string> {
    const response = await this.open('GET', path, signal === undefined ? {} : { signal }, 0);
    yield* createInterface({ input: response });
  }

  /**
   * Looks at an object until it is as wanted.
   *
   * @param wanted gets undefined while the object is not there
   * @returns the object as it then was
   * @throws ClusterError timeout, with the last state seen
   */
  async until<T = ServerObject>(
    path: string,
    wanted: (object: T | undefined) => boolean,
    timeoutMs = 60_000,
  ): Promise<T | undefined> {
    let last: T | undefined;
    await eventually(
      async () => {
        const answer = await this.request('GET', path);
        last = answer.status === 200 ? (answer.body as T) : undefined;
        return wanted(last);
      },
      `${path} to be as wanted`,
      timeoutMs,
      () => `Last seen: ${JSON.stringify((last as { status?: unknown } | undefined)?.status ?? last ?? 'nothing')}`,
    );
    return last;
  }

  /** Closes idle connections. */
  close(): void {
    this.asAdmin.destroy();
    this.asAnyone.destroy();
  }

  private async open(
    method: string,
    path: string,
    options: ApiRequestOptions,
    timeout: number,
  ): Promise<IncomingMessage> {
    const { body, contentType = 'application/json', token, headers, signal } = options;
    const payload = body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const response = deferred<IncomingMessage>();
    const request = httpsRequest(new URL(path, this.identity.server), {
      method,
      agent: token === undefined ? this.asAdmin : this.asAnyone,
      timeout,
      ...(signal === undefined ? {} : { signal }),
      headers: {
        accept: 'application/json',
        ...(payload === undefined
          ? {}
          : { 'content-type': contentType, 'content-length': String(Buffer.byteLength(payload)) }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...headers,
      },
    });
    request.once('response', response.resolve);
    request.once('error', response.reject);
    request.once('timeout', () => {
      request.destroy(new ClusterError('timeout', `${method} ${path} had no answer in ${timeout / 1000} s.`));
    });
    request.end(payload);
    return response.promise;
  }
}

function failed(method: string, path: string, { status, text }: ApiAnswer): ClusterError {
  return new ClusterError('request_failed', `${method} ${path}: ${status} ${text.slice(0, 2_000)}`);
}

/**
 * Looks again and again until something holds. Errors of a look count as "not yet". The last look begins after the
 * time is over: one slow answer is not taken for a cluster that did not act.
 *
 * @param what completes "waited in vain for …"
 * @param detail what to add to the message, asked at the end
 * @throws ClusterError timeout
 */
export async function eventually(
  look: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 30_000,
  detail: () => string = () => '',
): Promise<void> {
  const end = performance.now() + timeoutMs;
  let problem: unknown;
  for (;;) {
    const last = performance.now() > end;
    try {
      if (await look()) return;
      problem = undefined;
    } catch (error) {
      problem = error;
    }
    if (last) {
      const reason = problem instanceof Error ? problem.message : detail();
      throw new ClusterError('timeout', `Waited ${timeoutMs / 1000} s in vain for ${what}. ${reason}`, {
        cause: problem,
      });
    }
    await pause(LOOK_INTERVAL_MS);
  }
}

/** A pause. */
export async function pause(milliseconds: number): Promise<void> {
  const over = deferred<undefined>();
  setTimeout(over.resolve, milliseconds, undefined);
  await over.promise;
}
