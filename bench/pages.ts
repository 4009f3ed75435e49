import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { startCluster, type Cluster } from '../test/cluster';
import type { Figure } from './budgets';
import { timeProcess } from './measure';
import { pod } from './pods';
import { programEnv } from './programEnv';

const PODS = 50_000;
const NAMESPACE = 'bench-pages';
const ROUNDS = 3;
const BUDGET_MIB = 60;

interface Pages {
  readonly objects: number;
  readonly pages: number;
  readonly seconds: number;
  readonly idleMiB: number;
  readonly overMiB: number;
}

/** What it takes to go through fifty thousand objects, a page at a time. */
export async function pagesFigures(folder: string): Promise<Figure[]> {
  if (!existsSync('/proc/self/clear_refs')) {
    console.log('The memory of pages is measured on Linux only: /proc says what a process took at most.');
    return [];
  }
  const cluster = await startCluster({ nodes: 1 });
  try {
    console.log(`creating ${PODS} pods …`);
    await createPods(cluster);
    const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['list'] }];
    const env = await programEnv(cluster, folder, NAMESPACE, rules);
    return [await figure('Any Resource, whole objects', 'any', env), await figure('Pod, simplified', 'pod', env)];
  } finally {
    await cluster.stop();
  }
}

async function createPods(cluster: Cluster): Promise<void> {
  await cluster.namespace(NAMESPACE);
  const indexes = Array.from({ length: PODS }, (_, index) => index).values();
  const worker = async (): Promise<void> => {
    for (const index of indexes) {
      await cluster.api.create(`/api/v1/namespaces/${NAMESPACE}/pods`, pod(`web-${String(index).padStart(5, '0')}`));
    }
  };
  await Promise.all(Array.from({ length: 16 }, worker));
}

/** The worst of some runs, each in a process of its own. */
async function figure(what: string, resource: string, env: NodeJS.ProcessEnv): Promise<Figure> {
  const runs: Pages[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const args = [join(__dirname, 'pages.program.js'), resource];
    const run = await timeProcess({ command: process.execPath, args, env });
    runs.push(JSON.parse(run.lastLine) as Pages);
  }
  const missed = runs.find(({ objects }) => objects !== PODS);
  if (missed !== undefined) throw new Error(`${PODS} pods expected, got ${missed.objects}`);
  const [worst] = runs.toSorted((a, b) => b.overMiB - a.overMiB);
  if (worst === undefined) throw new Error('nothing was run');
  return {
    what: `memory of ${PODS} pods with One Item per Page (${what})`,
    measured: worst.overMiB,
    budget: BUDGET_MIB,
    unit: 'MiB',
    from: `peak over ${worst.idleMiB.toFixed(0)} MiB of the process before; ${worst.pages} pages in ${worst.seconds.toFixed(1)} s, files on the disk as n8n keeps them; most of ${ROUNDS} runs`,
  };
}
