import { createServer, type Server } from 'node:net';
import { deferred } from './deferred';
import { ClusterError } from './errors';

const HOST = '127.0.0.1';

/** Free loopback ports, all different. They are free now; whoever uses them must cope with losing the race. */
export async function freePorts(count: number): Promise<number[]> {
  // All are held at once, so that none is handed out twice.
  const servers = await Promise.all(Array.from({ length: count }, async () => listen(0)));
  const ports = servers.map(portOf);
  await Promise.all(servers.map(close));
  return ports;
}

/**
 * Checks that a loopback port can be listened on.
 *
 * @throws ClusterError port_taken
 */
export async function requireFreePort(port: number): Promise<void> {
  try {
    await close(await listen(port));
  } catch (cause) {
    const reason = (cause as NodeJS.ErrnoException).code;
    throw new ClusterError(
      'port_taken',
      reason === 'EACCES'
        ? `Port ${port} may not be opened by this user. Choose one above 1023, or leave it out for a free one.`
        : `Port ${port} on ${HOST} is taken by another program. End that program, choose another port, or leave it out for a free one.`,
      { cause },
    );
  }
}

async function listen(port: number): Promise<Server> {
  const server = createServer();
  const listening = deferred<Server>();
  server.once('error', listening.reject);
  server.listen(port, HOST, () => {
    listening.resolve(server);
  });
  return listening.promise;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a TCP server has a port');
  return address.port;
}

async function close(server: Server): Promise<void> {
  const closed = deferred<undefined>();
  server.close(() => {
    closed.resolve(undefined);
  });
  await closed.promise;
}
