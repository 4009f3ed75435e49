import { Agent, request, type IncomingMessage } from 'node:http';

/** An answer to a request. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** A request with JSON in it. */
export interface HttpRequest {
  readonly method: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const TIMEOUT_MS = 60_000;
/** n8n closes idle connections after five seconds, which a request on a kept one would run into. */
const AGENT = new Agent({ keepAlive: false });

/** One request on a connection of its own; any status is an answer. */
export async function send(url: string, { method, headers, body }: HttpRequest): Promise<HttpAnswer> {
  const payload = body === undefined ? undefined : JSON.stringify(body);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(url, {
      method,
      agent: AGENT,
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...(payload === undefined
          ? {}
          : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }),
        ...headers,
      },
    })
      .once('response', resolve)
      .once('error', reject)
      .end(payload);
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode ?? 0, headers: response.headers, text: Buffer.concat(chunks).toString('utf8') };
}
