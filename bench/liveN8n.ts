import { eventually, startCluster, type OwnCluster } from '../test/cluster';
import {
  CREDENTIAL_NAME,
  CREDENTIAL_TYPE,
  installN8n,
  kubeconfigCredential,
  startN8n,
  type CredentialReference,
  type N8n,
} from '../test/e2e/n8n';

/** A real n8n with the package beside a real cluster, and a credential that may watch ConfigMaps. */
export interface LiveN8n {
  readonly cluster: OwnCluster;
  readonly n8n: N8n;
  readonly credential: CredentialReference;
}

/** The namespace that the credential is for. */
const NAMESPACE = 'bench';
/** Where the ConfigMaps are that the triggers watch. */
export const CONFIG_MAPS = `/api/v1/namespaces/${NAMESPACE}/configmaps`;

/** Longest that executions may take once their events are there. The machine may be busy. */
const TIMEOUT_MS = 180_000;

/** Starts both, and ends both when the work is done. */
export async function withLiveN8n<Result>(work: (live: LiveN8n) => Promise<Result>): Promise<Result> {
  const cluster = await startCluster({ nodes: 1 });
  try {
    const n8n = await startN8n({ program: await installN8n(), env: cluster.egressEnv });
    // Nothing else keeps this process alive while n8n is killed and started again.
    n8n.hold(true);
    try {
      await cluster.namespace(NAMESPACE);
      const rules = [{ apiGroups: [''], resources: ['configmaps'], verbs: ['list', 'watch'] }];
      const { kubeconfig } = await cluster.serviceAccount({ namespace: NAMESPACE, rules });
      const data = kubeconfigCredential(cluster.server, kubeconfig, NAMESPACE);
      const credential = await n8n.addCredential(CREDENTIAL_NAME, CREDENTIAL_TYPE, data);
      return await work({ cluster, n8n, credential });
    } finally {
      await n8n.stop();
    }
  } finally {
    await cluster.stop();
  }
}

/** The parameters of a trigger that tells of new ConfigMaps. */
export function newConfigMaps(
  labelSelector: string,
  options: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    triggerOn: 'resource',
    resource: { __rl: true, mode: 'name', value: 'configmaps' },
    changes: ['added'],
    options: { ...options, labelSelector },
  };
}

/** Waits until n8n has so many. @throws ClusterError timeout */
export async function untilCounted(count: number, what: string, look: () => Promise<number>): Promise<void> {
  let seen = 0;
  const enough = async (): Promise<boolean> => {
    seen = await look();
    return seen >= count;
  };
  await eventually(enough, `${count} ${what}`, TIMEOUT_MS, () => `There were ${seen}.`);
}
