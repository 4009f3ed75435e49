import { afterAll, beforeAll } from '@jest/globals';
import type { Cluster, PolicyRule } from '../../../test/cluster';
import { loadEgressPolicy } from '../../egress';
import { targetFromKubeconfig } from '../../kubeconfig';
import { KubeClient, type KubeClientOptions } from '../index';

/** A client for a ServiceAccount of the disposable cluster, through both guards, as a node has it. */
export async function clientFor(
  cluster: Cluster,
  account: {
    readonly namespace: string;
    readonly rules?: readonly PolicyRule[];
    readonly clusterRules?: readonly PolicyRule[];
  },
  options: Partial<KubeClientOptions> = {},
): Promise<KubeClient> {
  const { kubeconfig } = await cluster.serviceAccount(account);
  const egress = loadEgressPolicy(cluster.egressEnv);
  const { target } = targetFromKubeconfig({
    kubeconfig,
    server: cluster.server,
    namespace: account.namespace,
    devApiServer: egress.devApiServer,
  });
  return new KubeClient({ target, egress, ...options });
}

/** Everything on everything: for tests that are not about rights. */
export const ALL_RIGHTS: readonly PolicyRule[] = [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }];

/** What a test file needs of the cluster. */
export interface RealClient {
  readonly cluster: Cluster;
  readonly namespace: string;
  readonly client: KubeClient;
}

/** Gives a test file a client with all rights and a namespace of its own. */
export function useRealClient(cluster: () => Cluster, prefix: string): () => RealClient {
  let real: RealClient | undefined;
  beforeAll(async () => {
    const namespace = await cluster().freshNamespace(prefix);
    real = {
      cluster: cluster(),
      namespace,
      client: await clientFor(cluster(), { namespace, clusterRules: ALL_RIGHTS }),
    };
  }, 120_000);
  afterAll(() => {
    real?.client.close();
  });
  return () => {
    if (real === undefined) throw new Error('the client is there within tests and hooks only');
    return real;
  };
}
