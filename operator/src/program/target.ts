import { EgressPolicyError, loadEgressPolicy } from '../../../core/egress';
import { isNavinError } from '../../../core/errors';
import { targetFromKubeconfig } from '../../../core/kubeconfig';
import { readBoundedFile } from './boundedFile';
import type { ClusterAccess } from './clusterAccess';
import type { ProgramOptions } from './options';
import { podTarget, type PodMeans } from './podTarget';
import { UsageError } from './usageError';

const MAX_KUBECONFIG_BYTES = 256 * 1024;

/**
 * Finds the cluster: by the kubeconfig of the flags, through the same guard as the credential of n8n, else by the
 * ServiceAccount of the Pod.
 *
 * @throws UsageError
 */
export async function findCluster(cluster: ProgramOptions['cluster'], means: PodMeans): Promise<ClusterAccess> {
  try {
    if (cluster === undefined) return await podTarget(means);
    const egress = loadEgressPolicy(means.env);
    const kubeconfig = await readBoundedFile('--kubeconfig', cluster.kubeconfig, MAX_KUBECONFIG_BYTES);
    const { devApiServer } = egress;
    return { ...targetFromKubeconfig({ kubeconfig, server: cluster.apiServer, devApiServer }), egress };
  } catch (error) {
    if (!isNavinError(error)) throw error;
    if (error instanceof EgressPolicyError) throw new UsageError(error.message);
    const from = cluster === undefined ? 'The ServiceAccount of the Pod' : '--kubeconfig and --api-server';
    throw new UsageError([`${from}: ${error.message}.`, error.hint ?? ''].join(' ').replace(/\s+/g, ' ').trim());
  }
}
