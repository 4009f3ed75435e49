// Runs a trigger over a flood of pods and hands them to an n8n that starts one execution after another. Prints what was
// told, the longest time the event loop was held, and the most live heap above that of the start.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { KubeClient, RESOURCES } from '../core/kube';
import { targetFromToken } from '../core/kubeconfig';
import {
  checkSettings,
  kubeClusterPort,
  MAX_TRACKED,
  TriggerEngine,
  type HandoverPort,
  type Outcome,
} from '../core/trigger';
import { LoopBlocks } from './loopBlocks';

const COUNT = Number(process.argv[2]);
const way = process.argv[3] ?? 'watch';
/** Faster than n8n by far (13 a second), so that more work falls on the same time. */
const EXECUTION_MS = 1;
/** The live heap is looked at every so many events. */
const HEAP_EVERY = 500;

interface Address {
  readonly url: string;
  readonly port: number;
  readonly ca: string;
}

async function startServer(): Promise<{ readonly address: Address; readonly stop: () => void }> {
  const args = ['--import', 'tsx', join(__dirname, 'flood.server.ts'), String(COUNT), way];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { address: JSON.parse(line) as Address, stop: () => child.stdin.end() };
}

function clientOf({ url, port, ca }: Address): KubeClient {
  const devApiServer = { address: '127.0.0.1', port };
  const { target } = targetFromToken({ server: url, ca, token: 'bench', namespace: 'default', devApiServer });
  return new KubeClient({ target, egress: { grants: [], devApiServer } });
}

async function main(): Promise<void> {
  const { address, stop } = await startServer();
  const client = clientOf(address);
  const settings = checkSettings({
    resource: RESOURCES.pods,
    namespaces: [],
    watch: { kind: 'changes', types: ['added', 'modified', 'deleted'], modifiedWhen: 'any' },
    tracked: MAX_TRACKED,
  });
  const blocks = new LoopBlocks();
  const started: ((outcome: Outcome) => void)[] = [];
  const identities = new Set<string>();
  let told = 0;
  let savedBytes = 0;
  let startHeap = 0;
  let mostHeap = 0;
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => (finish = resolve));
  const look = (): void => {
    global.gc?.();
    mostHeap = Math.max(mostHeap, process.memoryUsage().heapUsed - startHeap);
    blocks.reset();
  };
  const handover: HandoverPort = {
    keyed: true,
    keep: () => undefined,
    emit: (_, events, state) => {
      for (const { identity } of events) identities.add(identity);
      // As n8n does when it saves.
      if (state) savedBytes = JSON.stringify(state).length;
      return new Promise((resolve) => started.push(resolve));
    },
  };
  const execution = setInterval(() => {
    const settle = started.shift();
    if (!settle) return;
    settle('created');
    told += 1;
    if (told % HEAP_EVERY === 0) look();
    if (told >= COUNT) finish();
  }, EXECUTION_MS);
  const engine = new TriggerEngine({
    owner: { workflowId: 'bench', nodeId: 'bench' },
    settings,
    cluster: kubeClusterPort(client, settings),
    handover,
    stored: undefined,
    intervalMs: 15_000,
    windowSeconds: 3,
    random: () => 0,
  });
  global.gc?.();
  startHeap = process.memoryUsage().heapUsed;
  await engine.start();
  blocks.start();
  await finished;
  blocks.stop();
  clearInterval(execution);
  await engine.stop();
  client.close();
  stop();
  const { longestMs, longestWallMs } = blocks;
  console.log(
    JSON.stringify({
      told,
      different: identities.size,
      longestMs,
      longestWallMs,
      heapMiB: mostHeap / 2 ** 20,
      savedBytes,
    }),
  );
}

void main();
