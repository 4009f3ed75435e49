import { join } from 'node:path';
import { startCluster } from '../test/cluster';
import type { Figure } from './budgets';
import { timeProcess } from './measure';
import { programEnv } from './programEnv';

const NAMESPACE = 'bench-apply';
const KUBECTL_BUDGET = 0.06;
const PATCH_BUDGET = 1.3;

/** Medians, in milliseconds. */
interface Times {
  readonly node: number;
  readonly patches: number;
  readonly kubectl: number;
}

/** What applying two hundred objects takes beside the requests alone, and beside kubectl. */
export async function applyFigures(folder: string): Promise<Figure[]> {
  const cluster = await startCluster({ nodes: 1 });
  try {
    await cluster.namespace(NAMESPACE);
    const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'create', 'patch'] }];
    const env = await programEnv(cluster, folder, NAMESPACE, rules);
    const args = [join(__dirname, 'apply.program.js')];
    const run = await timeProcess({ command: process.execPath, args, env });
    return figuresOf(JSON.parse(run.lastLine) as Times);
  } finally {
    await cluster.stop();
  }
}

function figuresOf({ node, patches, kubectl }: Times): Figure[] {
  const beside = (ours: number, peer: number): string => `${seconds(ours)} beside ${seconds(peer)}`;
  return [
    {
      what: 'applying 200 objects, beside bare PATCH requests eight at a time',
      measured: node / patches,
      budget: PATCH_BUDGET,
      unit: '×',
      from: `${beside(node, patches)}, in turn over connections of the same kind, medians of 41`,
    },
    {
      what: 'applying 200 objects, beside `kubectl apply --server-side`',
      measured: node / kubectl,
      budget: KUBECTL_BUDGET,
      unit: '×',
      from: `${beside(node, kubectl)}, in turn, median of 14; kubectl sends one request after another, unthrottled; the bare requests eight at a time take ${(patches / kubectl).toFixed(2)} ×`,
    },
  ];
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
