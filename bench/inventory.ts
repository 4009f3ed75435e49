import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { mixedNodes } from '../core/inventory/testing/clusterNodes';
import { inParallel } from '../nodes/shared/parallel';
import { startCluster, type Cluster } from '../test/cluster';
import type { Figure } from './budgets';
import { median, timeProcess, type Run } from './measure';

const NODES = 500;
const ROUNDS = 5;
const NAMESPACE = 'bench';

/** What it costs to discover a cluster of five hundred nodes, simulated, with what nodes of eight distributions show. */
export async function inventoryFigures(folder: string): Promise<Figure[]> {
  const cluster = await startCluster({ nodes: 1, auditLog: true });
  try {
    console.log(`cluster ready in ${cluster.facts.startSeconds.toFixed(1)} s; creating ${NODES} nodes …`);
    await inParallel(mixedNodes(NODES - 1), 16, async (node) => await cluster.api.create('/api/v1/nodes', node));
    const reader = await readerOf(cluster, folder);
    const program = { command: process.execPath, args: [join(__dirname, 'inventory.program.js')], env: reader.env };
    const runs: Run[] = [];
    for (let round = 0; round < ROUNDS; round += 1) runs.push(await timeProcess(program));
    const outputs = runs.map((run) => JSON.parse(run.lastLine) as { nodes: number; peakMiB: number });
    if (outputs.some(({ nodes }) => nodes !== NODES)) throw new Error(`not all of ${NODES} nodes were found`);
    const calls = cluster.auditEvents().filter(({ user }) => user.username === reader.user).length;
    const peak = Math.max(...outputs.map(({ peakMiB }) => peakMiB));
    return [
      {
        what: `discovering ${NODES} nodes`,
        measured: median(runs.map(({ milliseconds }) => milliseconds)) / 1_000,
        budget: 2,
        unit: 's',
        from: `a whole process with nothing loaded or connected, median of ${ROUNDS}; peak ${peak.toFixed(0)} MiB`,
      },
      {
        what: `calls of the API for discovering ${NODES} nodes`,
        measured: calls / ROUNDS,
        budget: 20,
        unit: 'calls',
        from: `the audit log of the API server, ${ROUNDS} runs`,
      },
    ];
  } finally {
    await cluster.stop();
  }
}

/** An account that may discover, as files and environment for the program. */
async function readerOf(
  cluster: Cluster,
  folder: string,
): Promise<{ readonly user: string; readonly env: NodeJS.ProcessEnv }> {
  await cluster.namespace(NAMESPACE);
  const list = (group: string, resource: string) => ({ apiGroups: [group], resources: [resource], verbs: ['list'] });
  const account = await cluster.serviceAccount({
    namespace: NAMESPACE,
    clusterRules: [
      list('', 'nodes'),
      list('storage.k8s.io', 'storageclasses'),
      list('networking.k8s.io', 'ingressclasses'),
      { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'] },
    ],
  });
  const kubeconfig = join(folder, 'discoverer.kubeconfig');
  writeFileSync(kubeconfig, account.kubeconfig, { mode: 0o600 });
  const env = { ...cluster.egressEnv, BENCH_KUBECONFIG: kubeconfig, BENCH_SERVER: cluster.server };
  return { user: `system:serviceaccount:${NAMESPACE}:${account.name}`, env };
}
