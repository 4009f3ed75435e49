import { connect, createServer, type Server, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

/**
 * The bytes between a client and a real API server, on a loopback port of their own. TLS goes through from end to end; what
 * can fail is what fails on the way: connections are cut in the middle, and for a while none can be made.
 */
export class Wire {
  private readonly pairs = new Set<readonly [Socket, Socket]>();
  private down = false;

  private constructor(
    private readonly server: Server,
    private readonly upstream: number,
  ) {}

  /** @param upstream the port of the API server, on loopback */
  static async start(upstream: number): Promise<Wire> {
    const server = createServer();
    const wire = new Wire(server, upstream);
    server.on('connection', (client) => {
      wire.join(client);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return wire;
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  /** Resets every connection. New ones can be made. */
  cut(): void {
    for (const pair of this.pairs) for (const socket of pair) socket.resetAndDestroy();
    this.pairs.clear();
  }

  /** Resets every connection, and those that are made until {@link up}. */
  goDown(): void {
    this.down = true;
    this.cut();
  }

  /** Connections can be made again. */
  goUp(): void {
    this.down = false;
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private join(client: Socket): void {
    client.on('error', () => undefined);
    if (this.down) {
      client.resetAndDestroy();
      return;
    }
    const server = connect(this.upstream, '127.0.0.1');
    const pair = [client, server] as const;
    this.pairs.add(pair);
    server.on('error', () => undefined);
    for (const [from, to] of [pair, [server, client] as const]) {
      from.pipe(to);
      from.once('close', () => {
        this.pairs.delete(pair);
        to.destroy();
      });
    }
  }
}
