import type { Cluster } from '../../../test/cluster';
import { loadEgressPolicy } from '../../egress';
import { targetFromKubeconfig } from '../../kubeconfig';
import { KubeClient } from '../client';
import type { KubeClientOptions } from '../clientOptions';

/** A client of the disposable cluster, as administrator or by another kubeconfig, on the way every user takes. */
export function clusterClient(
  cluster: Cluster,
  options: Partial<KubeClientOptions> & { readonly kubeconfig?: string; readonly namespace?: string } = {},
): KubeClient {
  const { kubeconfig = cluster.adminKubeconfig, namespace, ...rest } = options;
  const egress = loadEgressPolicy(cluster.egressEnv);
  const { target } = targetFromKubeconfig({
    kubeconfig,
    server: cluster.server,
    devApiServer: egress.devApiServer,
    ...(namespace === undefined ? {} : { namespace }),
  });
  return new KubeClient({ target, egress, ...rest });
}
