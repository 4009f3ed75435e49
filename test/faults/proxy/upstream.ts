import { Agent, request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import type { Exchange } from '../faultServer';

/** Headers that are between two ends of one connection. */
const HOP_BY_HOP: ReadonlySet<string> = new Set(['host', 'connection', 'keep-alive', 'transfer-encoding', 'upgrade']);

/** The real API server, behind one pool of connections. Who asks is said by the requests themselves. */
export class Upstream {
  private readonly agent: Agent;

  constructor(
    private readonly server: string,
    ca: string,
  ) {
    this.agent = new Agent({ keepAlive: true, ca, maxFreeSockets: 64 });
  }

  /**
   * Sends a request on as it came.
   *
   * @param url path and query, if they are to be others than those that came
   * @param signal gives the request up
   */
  send({ request }: Exchange, url: string, plain: boolean, signal: AbortSignal): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const upstream = httpsRequest(
        new URL(url, this.server),
        { method: request.method, agent: this.agent, headers: headersOf(request.headers, plain), signal },
        resolve,
      );
      upstream.once('error', reject);
      upstream.end(request.body);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

/** Headers to hand on. @param plain without compression: what is in it is looked at */
export function headersOf(headers: IncomingMessage['headers'], plain = false): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      if (value === undefined || HOP_BY_HOP.has(name) || (plain && name === 'accept-encoding')) return [];
      return [[name, value]];
    }),
  );
}
