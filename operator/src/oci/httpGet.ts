import type { IncomingMessage } from 'node:http';
import { request, type Agent } from 'node:https';

/** What is asked for. */
export interface GetRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly agent: Agent;
  /** The most bytes of the answer; more ends it. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/** An answer, read to its end. */
export interface GetAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/** An answer that is larger than it may be. */
export class TooLargeError extends Error {}

/** One GET: no redirects, no decoding, no retries. */
export function get({ url, headers, agent, maxBytes, signal }: GetRequest): Promise<GetAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, signal, headers: { 'Accept-Encoding': 'identity', ...headers } }, (answer) => {
      readBody(answer, maxBytes).then((body) => {
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body });
      }, reject);
    });
    sent.on('error', reject);
    sent.end();
  });
}

async function readBody(answer: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBytes) throw new TooLargeError(`The answer has more than ${maxBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces, length);
}
