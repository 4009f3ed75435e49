import { eventually } from '../test/cluster';

const HOST = '127.0.0.1';

/** Environment of a Node process that opens its inspector at this port when it is asked to. */
export function inspectable(port: number): Readonly<Record<string, string>> {
  return { NODE_OPTIONS: `--inspect-port=${HOST}:${port}` };
}

/**
 * The heap that a Node process still uses after a full collection of its garbage, in MiB.
 *
 * @param port the one that `inspectable` was given
 */
export async function liveHeapMiB(pid: number, port: number): Promise<number> {
  // Opens the inspector.
  process.kill(pid, 'SIGUSR1');
  let address = '';
  const open = async (): Promise<boolean> => {
    const answer = await fetch(`http://${HOST}:${port}/json/list`);
    const [target] = (await answer.json()) as { webSocketDebuggerUrl: string }[];
    address = target?.webSocketDebuggerUrl ?? '';
    return address !== '';
  };
  await eventually(open, 'the inspector');
  const socket = new WebSocket(address);
  try {
    await once(socket, 'open');
    await call(socket, 'HeapProfiler.collectGarbage');
    const { usedSize } = (await call(socket, 'Runtime.getHeapUsage')) as { usedSize: number };
    return usedSize / 2 ** 20;
  } finally {
    socket.close();
  }
}

/** One call at a time: the next message with a result is its answer. */
async function call(socket: WebSocket, method: string): Promise<unknown> {
  socket.send(JSON.stringify({ id: 1, method }));
  for (;;) {
    const event = await once(socket, 'message');
    const message = JSON.parse(String((event as MessageEvent).data)) as { id?: number; result?: unknown };
    if (message.id === 1) return message.result;
  }
}

async function once(socket: WebSocket, name: 'open' | 'message'): Promise<Event> {
  return new Promise((resolve, reject) => {
    socket.addEventListener(name, resolve, { once: true });
    socket.addEventListener(
      'error',
      () => {
        reject(new Error(`the inspector ended before "${name}"`));
      },
      { once: true },
    );
  });
}
