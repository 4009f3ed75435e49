import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Cluster, PolicyRule } from '../test/cluster';

/** A ServiceAccount with some rights in a namespace, as the files and the environment that the programs take. */
export async function programEnv(
  cluster: Cluster,
  folder: string,
  namespace: string,
  rules: readonly PolicyRule[],
): Promise<NodeJS.ProcessEnv> {
  const account = await cluster.serviceAccount({ namespace, rules });
  const kubeconfig = join(folder, `${namespace}.kubeconfig`);
  const ca = join(folder, 'ca.pem');
  writeFileSync(kubeconfig, account.kubeconfig, { mode: 0o600 });
  writeFileSync(ca, cluster.caPem);
  return {
    ...cluster.egressEnv,
    BENCH_KUBECONFIG: kubeconfig,
    BENCH_SERVER: cluster.server,
    BENCH_NAMESPACE: namespace,
    BENCH_TOKEN: account.token,
    BENCH_CA: ca,
    BENCH_KUBECTL: cluster.facts.kubectl,
    BENCH_FOLDER: folder,
    KUBECONFIG: kubeconfig,
  };
}
