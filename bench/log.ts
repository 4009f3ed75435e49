import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startCluster } from '../test/cluster';
import type { Figure } from './budgets';
import { timeProcess } from './measure';
import { programEnv } from './programEnv';

const NAMESPACE = 'bench-log';
const POD = 'talker';
const LINES = 500_000;
/** With its line break. */
const LINE_BYTES = 100;

interface Times {
  readonly node: number;
  readonly kubectl: number;
  readonly overMiB: number;
  readonly rounds: number;
}

/** What a log of 50 MB takes beside `kubectl logs`. */
export async function logFigures(folder: string): Promise<Figure[]> {
  if (!existsSync('/proc/self/clear_refs')) {
    console.log('Logs are measured on Linux only: /proc says what a process took at most.');
    return [];
  }
  const cluster = await startCluster({ nodes: 1 });
  try {
    await cluster.namespace(NAMESPACE);
    const pods = `/api/v1/namespaces/${NAMESPACE}/pods`;
    await cluster.api.create(pods, {
      metadata: { name: POD },
      spec: { containers: [{ name: 'app', image: 'registry.example/shop/web:1.27.3' }] },
    });
    await cluster.api.until(`${pods}/${POD}`, isRunning);
    const time = new Date();
    const lines = Array.from({ length: LINES }, (_, index) => ({ time, text: line(index) }));
    await cluster.logs.set({ namespace: NAMESPACE, pod: POD }, { lines });
    const rules = [{ apiGroups: [''], resources: ['pods', 'pods/log'], verbs: ['get'] }];
    const env = { ...(await programEnv(cluster, folder, NAMESPACE, rules)), BENCH_POD: POD };
    const args = [join(__dirname, 'log.program.js')];
    const run = await timeProcess({ command: process.execPath, args, env });
    return figuresOf(JSON.parse(run.lastLine) as Times);
  } finally {
    await cluster.stop();
  }
}

function figuresOf({ node, kubectl, overMiB, rounds }: Times): Figure[] {
  const megabytes = (LINES * LINE_BYTES) / 1e6;
  const what = `a log of ${megabytes.toFixed(0)} MB by the node into a file`;
  return [
    {
      what: `${what}, beside \`kubectl logs\``,
      measured: node / kubectl,
      budget: 1,
      unit: '×',
      from: `${(node / 1000).toFixed(2)} s beside ${(kubectl / 1000).toFixed(2)} s, in turn, medians of ${rounds}; the same bytes`,
    },
    {
      what: `memory of ${what}`,
      measured: overMiB,
      unit: 'MiB',
      from: `peak over the process before, most of ${rounds}; the log itself, and what came of the connection meanwhile`,
    },
  ];
}

function line(index: number): string {
  return `GET /items/${index} 200 `.padEnd(LINE_BYTES - 1, 'x');
}

function isRunning(object: unknown): boolean {
  return (object as { status?: { phase?: string } } | undefined)?.status?.phase === 'Running';
}
