import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { CertificateAuthority } from '../certificates';
import { faultyCertificate, type CertificateFault } from './certificates';

/** A request as it came. */
export interface ReceivedRequest {
  readonly method: string;
  /** Path with its query. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  /** Number of the connection it came on, from 1. */
  readonly connection: number;
}

/** What a behaviour may use. */
export interface Exchange {
  readonly request: ReceivedRequest;
  readonly response: ServerResponse;
  /** The plain socket below TLS. */
  readonly socket: Socket;
  /** Resets the connection. */
  readonly reset: () => void;
}

interface Connection {
  readonly socket: Socket;
  readonly number: number;
  secure: TLSSocket | undefined;
}

/** Answers one request, well or badly. */
export type Behaviour = (exchange: Exchange) => void | Promise<void>;

/** How a server presents itself. */
export interface FaultServerOptions {
  /** Default `good`. `none`: TLS without a certificate, so no handshake succeeds. `plain`: no TLS at all. */
  readonly certificate?: CertificateFault | 'none' | 'plain';
  /** Demand a client certificate of this CA (PEM). */
  readonly clientCa?: string;
  /** Default: a fresh one. */
  readonly authority?: CertificateAuthority;
}

/**
 * A real TLS server on a free loopback port that answers as told. Each request takes the next behaviour that was queued
 * by `next`, and, once the queue is empty, the one given by `always`; without either the answer is 501.
 */
export class FaultServer {
  /** Every request that arrived whole, in order. */
  readonly requests: ReceivedRequest[] = [];
  private readonly queue: Behaviour[] = [];
  private fallback: Behaviour | undefined;
  /** The plain sockets below TLS, by the port of the client: only they can be reset. */
  private readonly sockets = new Map<number, Connection>();
  private connections = 0;

  private constructor(
    private readonly server: Server,
    readonly authority: CertificateAuthority,
    readonly port: number,
  ) {}

  static async start(options: FaultServerOptions = {}): Promise<FaultServer> {
    const authority = options.authority ?? (await CertificateAuthority.create());
    const server = await makeServer(authority, options);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const fault = new FaultServer(server, authority, (server.address() as AddressInfo).port);
    fault.listen();
    return fault;
  }

  /** `https://127.0.0.1:PORT` */
  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  /** The CA to trust, PEM. */
  get ca(): string {
    return this.authority.certificate;
  }

  /** Connections that are open. */
  get openConnections(): number {
    return this.sockets.size;
  }

  /** Connections that were ever made. */
  get allConnections(): number {
    return this.connections;
  }

  /** Queues behaviours, one a request. */
  next(...behaviours: readonly Behaviour[]): this {
    this.queue.push(...behaviours);
    return this;
  }

  /** Answers every request that finds the queue empty. */
  always(behaviour: Behaviour): this {
    this.fallback = behaviour;
    return this;
  }

  /** Forgets requests and behaviours, and closes all connections. */
  async reset(): Promise<void> {
    this.requests.length = 0;
    this.queue.length = 0;
    this.fallback = undefined;
    await this.closeConnections();
  }

  /** Resets all connections, as a server that is restarted does, and waits until they are closed. */
  async closeConnections(): Promise<void> {
    const closed = [...this.sockets.values()].map(({ socket }) => new Promise((done) => socket.once('close', done)));
    for (const connection of this.sockets.values()) resetConnection(connection);
    await Promise.all(closed);
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    await this.closeConnections();
    await closed;
  }

  private listen(): void {
    this.server.on('connection', (socket: Socket) => {
      this.connections += 1;
      const port = socket.remotePort ?? 0;
      this.sockets.set(port, { socket, number: this.connections, secure: undefined });
      socket.on('error', () => undefined);
      socket.once('close', () => this.sockets.delete(port));
    });
    this.server.on('secureConnection', (secure: TLSSocket) => {
      const connection = this.sockets.get(secure.remotePort ?? 0);
      if (connection) connection.secure = secure;
    });
    this.server.on('tlsClientError', () => undefined);
    this.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      request.on('error', () => undefined);
      response.on('error', () => undefined);
      void this.answer(request, response);
    });
  }

  private async answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
    } catch {
      return;
    }
    const connection = this.sockets.get(incoming.socket.remotePort ?? 0);
    const request: ReceivedRequest = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      body: Buffer.concat(chunks).toString('utf8'),
      connection: connection?.number ?? 0,
    };
    this.requests.push(request);
    const behaviour = this.queue.shift() ?? this.fallback;
    const socket = connection?.socket ?? incoming.socket;
    const reset = (): void => {
      resetConnection(connection ?? { socket, secure: undefined });
    };
    if (behaviour) await behaviour({ request, response, socket, reset });
    else response.writeHead(501).end();
  }
}

/** One that is being closed already can no longer be reset: Node would fail, and never close it. */
function resetConnection({ socket, secure }: Pick<Connection, 'socket' | 'secure'>): void {
  const ending = secure ?? socket;
  if (ending.writableEnded) ending.destroy();
  else socket.resetAndDestroy();
}

async function makeServer(authority: CertificateAuthority, options: FaultServerOptions): Promise<Server> {
  const { certificate = 'good', clientCa } = options;
  if (certificate === 'plain') return createPlainServer() as unknown as Server;
  const pair = certificate === 'none' ? undefined : await authority.issue(faultyCertificate(certificate));
  return createServer({
    ...(pair && { cert: pair.certificate, key: pair.key }),
    ...(clientCa === undefined ? {} : { requestCert: true, rejectUnauthorized: true, ca: clientCa }),
    keepAliveTimeout: 60_000,
  });
}
