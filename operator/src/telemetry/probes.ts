import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An answer to a probe or a scrape. */
export interface ProbeAnswer {
  readonly status: 200 | 500 | 503;
  readonly type?: string;
  readonly text: string;
}

/** What is served, by its path. */
export type Pages = Readonly<Record<string, () => ProbeAnswer | Promise<ProbeAnswer>>>;

export interface ProbesOptions {
  readonly listen: { readonly address: string; readonly port: number };
  readonly pages: Pages;
  /** A page that failed. */
  readonly onFault: (error: unknown) => void;
}

const MAX_HEADER_BYTES = 8 * 1024;
const MAX_CONNECTIONS = 64;
const HEADERS_MS = 5_000;
const REQUEST_MS = 10_000;
const IDLE_MS = 15_000;

/** Serves probes and metrics: reads only, bounded, and closed at once. */
export class Probes {
  private constructor(
    private readonly server: Server,
    /** Where it listens: with the port that was free, where none was chosen. */
    readonly address: { readonly address: string; readonly port: number },
  ) {}

  /** @throws the error of `listen` when the address cannot be had */
  static async start({ listen, pages, onFault }: ProbesOptions): Promise<Probes> {
    const server = createServer(
      {
        maxHeaderSize: MAX_HEADER_BYTES,
        headersTimeout: HEADERS_MS,
        requestTimeout: REQUEST_MS,
        keepAliveTimeout: IDLE_MS,
        connectionsCheckingInterval: HEADERS_MS,
      },
      (request, response) => {
        void answer(pages, request).then(
          (found) => {
            send(response, request.method, found);
          },
          (error: unknown) => {
            onFault(error);
            send(response, request.method, { status: 500, text: 'failed' });
          },
        );
      },
    );
    server.maxConnections = MAX_CONNECTIONS;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(listen.port, listen.address, resolve);
    });
    server.on('error', onFault);
    const { address, port } = server.address() as AddressInfo;
    return new Probes(server, { address, port });
  }

  /** Ends every connection. */
  async stop(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.close(() => {
        resolve();
      });
      this.server.closeAllConnections();
    });
  }
}

interface Found {
  readonly status: number;
  readonly type?: string;
  readonly text: string;
}

async function answer(pages: Pages, request: IncomingMessage): Promise<Found> {
  const [path = ''] = (request.url ?? '').split('?');
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  if (page === undefined) return { status: 404, text: 'not found' };
  if (request.method !== 'GET' && request.method !== 'HEAD') return { status: 405, text: 'GET and HEAD only' };
  return page();
}

function send(response: ServerResponse, method: string | undefined, { status, type, text }: Found): void {
  const body = type === undefined ? `${text}\n` : text;
  response.writeHead(status, {
    'Content-Type': type ?? 'text/plain; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    ...(status === 405 ? { Allow: 'GET, HEAD' } : {}),
    // Whoever sends more than a question does not get to send another on this connection.
    ...(status === 405 ? { Connection: 'close' } : {}),
  });
  response.end(method === 'HEAD' ? undefined : body);
}
