import { createServer, type Server } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { CertificateAuthority } from '../../../test/certificates';

/** A command as a kubelet would see it. */
export interface Session {
  /** From the request. */
  readonly query: URLSearchParams;
  readonly authorization: string | undefined;
  /** What the client offered. */
  readonly offered: readonly string[];
  /** What came on channel 0. */
  stdin: Buffer;
  stdinEnded: boolean;
  readonly send: (channel: number, text: string | Buffer) => void;
  /** The Status, then the end. */
  readonly end: (status: object) => void;
  readonly socket: WebSocket;
}

/** What the server does with a command; called again whenever stdin brings something. */
export type Script = (session: Session) => void;

/** The Statuses of kubelets. */
export const SUCCESS = { metadata: {}, status: 'Success' };

/** The Status of a command that ended with another code than 0. */
export function exited(code: number): object {
  return {
    metadata: {},
    status: 'Failure',
    message: `command terminated with non-zero exit code: exit status ${code}`,
    reason: 'NonZeroExitCode',
    details: { causes: [{ reason: 'ExitCode', message: String(code) }] },
  };
}

/** An API server for commands only, in the versions of the protocol it is told to speak. */
export class CommandServer {
  readonly sessions: Session[] = [];
  script: Script = ({ end }) => {
    end(SUCCESS);
  };
  protocols: readonly string[] = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
  /** Instead of an upgrade. */
  refusal: { readonly status: number; readonly body: object } | undefined;

  private constructor(
    private readonly server: Server,
    readonly ca: string,
  ) {}

  static async start(): Promise<CommandServer> {
    const authority = await CertificateAuthority.create();
    const { certificate, key } = await authority.issue({ names: ['localhost'], addresses: ['127.0.0.1'] });
    const server = createServer({ cert: certificate, key });
    const commands = new CommandServer(server, authority.certificate);
    commands.listen();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return commands;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get url(): string {
    return `https://127.0.0.1:${this.port}`;
  }

  async stop(): Promise<void> {
    for (const { socket } of this.sessions) socket.terminate();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private listen(): void {
    this.server.on('request', (request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(podNamed((request.url ?? '').split('/').at(-1) ?? '')));
    });
    this.server.on('upgrade', (_request: IncomingMessage, socket) => {
      if (this.refusal === undefined) return;
      const body = JSON.stringify(this.refusal.body);
      socket.end(
        `HTTP/1.1 ${this.refusal.status} No\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`,
      );
    });
    const sockets = new WebSocketServer({
      server: this.server,
      handleProtocols: (offered) => [...offered].find((protocol) => this.protocols.includes(protocol)) ?? false,
    });
    sockets.on('connection', (socket, request) => {
      this.begin(socket, request);
    });
  }

  private begin(socket: WebSocket, request: IncomingMessage): void {
    const send = (channel: number, text: string | Buffer): void => {
      socket.send(Buffer.concat([Buffer.from([channel]), Buffer.from(text)]));
    };
    const session: Session = {
      query: new URL(request.url ?? '/', 'https://host.example').searchParams,
      authorization: request.headers.authorization,
      offered: (request.headers['sec-websocket-protocol'] ?? '').split(','),
      stdin: Buffer.alloc(0),
      stdinEnded: false,
      socket,
      send,
      end: (status) => {
        send(3, JSON.stringify(status));
        socket.close(1000);
      },
    };
    this.sessions.push(session);
    for (const channel of [1, 2, 3]) send(channel, '');
    socket.on('message', (message) => {
      if (message[0] === 0) session.stdin = Buffer.concat([session.stdin, message.subarray(1)]);
      if (message[0] === 255 && message[1] === 0) session.stdinEnded = true;
      this.script(session);
    });
    this.script(session);
  }
}

/** The Pod every request is about: it has one container. */
function podNamed(name: string): object {
  return {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: { name, namespace: 'shop' },
    spec: { containers: [{ name: 'app' }] },
    status: { phase: 'Running' },
  };
}
