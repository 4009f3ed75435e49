import { once } from 'node:events';
import {
  createServer as createHttpsServer,
  request as httpsRequest,
  type Agent,
  type RequestOptions,
} from 'node:https';
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { KeyPair } from '../../../test/certificates';

/** A server on loopback that remembers what reached it. */
export interface TestServer {
  readonly port: number;
  /** TCP connections so far. */
  readonly connections: number;
  /** Connections open now. */
  readonly open: number;
  /** Bytes that clients sent on TCP (a TCP server), so TLS records too. */
  readonly received: number;
  /** Host and Authorization of each request (an https server). */
  readonly requests: readonly { host: string; authorization: string; url: string }[];
  /** Waits until no connection is open. */
  readonly allClosed: () => Promise<void>;
  readonly close: () => Promise<void>;
}

interface Counters {
  connections: number;
  received: number;
  readonly sockets: Set<Socket>;
  readonly requests: { host: string; authorization: string; url: string }[];
}

/** Starts an https server; each request is answered with the number of requests so far. */
export async function startHttpsServer(
  { certificate: cert, key }: KeyPair,
  options: { host?: string; port?: number; answer?: RequestListener } = {},
): Promise<TestServer> {
  const counters = newCounters();
  const server = createHttpsServer({ cert, key }, (request, response) => {
    const { host = '', authorization = '' } = request.headers;
    counters.requests.push({ host, authorization, url: request.url ?? '' });
    if (options.answer === undefined) response.end(String(counters.requests.length));
    else options.answer(request, response);
  });
  return listening(server, counters, options.host ?? '127.0.0.1', options.port ?? 0);
}

/** Starts a TCP server; without `answer` it accepts and says nothing. */
export async function startTcpServer(answer?: (socket: Socket) => void): Promise<TestServer> {
  const counters = newCounters();
  const server = createTcpServer((socket) => {
    socket.on('data', (data) => {
      counters.received += data.length;
    });
    answer?.(socket);
  });
  return listening(server, counters, '127.0.0.1', 0);
}

function newCounters(): Counters {
  return { connections: 0, received: 0, sockets: new Set(), requests: [] };
}

async function listening(server: Server, counters: Counters, host: string, port: number): Promise<TestServer> {
  const { sockets, requests } = counters;
  server.on('connection', (socket) => {
    counters.connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(port, host);
  await once(server, 'listening');
  const bound = server.address() as AddressInfo;
  return {
    port: bound.port,
    requests,
    get connections() {
      return counters.connections;
    },
    get open() {
      return sockets.size;
    },
    get received() {
      return counters.received;
    },
    allClosed: async () => {
      await Promise.all([...sockets].map((socket) => once(socket, 'close')));
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Sends a GET through an agent and reads the body. Rejects with the error of the request. */
export async function get(agent: Agent, url: string, options: RequestOptions = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = httpsRequest(url, { ...options, agent }, (response) => {
      response.setEncoding('utf8');
      let body = '';
      response.on('data', (chunk: string) => {
        body += chunk;
      });
      response.on('end', () => {
        resolve(body);
      });
      response.on('error', reject);
    });
    request.on('error', reject);
    request.end();
  });
}

/** A port of loopback on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = await startTcpServer();
  await server.close();
  return server.port;
}
