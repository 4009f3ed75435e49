/** The part of the WebSocket library `ws` that is used here and by the tests: it brings no types of its own. */
declare module 'ws' {
  import type { EventEmitter } from 'node:events';
  import type { ClientRequest, IncomingMessage } from 'node:http';
  import type { Agent, Server } from 'node:https';

  interface ClientOptions {
    readonly agent: Agent;
    readonly headers: Readonly<Record<string, string>>;
    readonly perMessageDeflate: boolean;
    readonly followRedirects: boolean;
    /** Of one message, in bytes. */
    readonly maxPayload: number;
    /** Has to end the request. */
    readonly finishRequest: (request: ClientRequest) => void;
  }

  interface Events {
    open: [];
    upgrade: [response: IncomingMessage];
    message: [data: Buffer, isBinary: boolean];
    close: [code: number, reason: Buffer];
    error: [error: Error];
    ping: [];
    pong: [];
    'unexpected-response': [request: ClientRequest, response: IncomingMessage];
  }

  class WebSocket extends EventEmitter<Events> {
    constructor(url: string, protocols: readonly string[], options: ClientOptions);
    readonly protocol: string;
    send(data: Buffer, done?: (error?: Error) => void): void;
    ping(): void;
    close(code?: number): void;
    terminate(): void;
  }

  interface ServerOptions {
    readonly server: Server;
    readonly handleProtocols?: (offered: Set<string>) => string | false;
  }

  class WebSocketServer extends EventEmitter<{ connection: [socket: WebSocket, request: IncomingMessage] }> {
    constructor(options: ServerOptions);
  }
}
