import { distributionOf } from '../../../../core/inventory';
import type { KubeClient } from '../../../../core/kube';
import { defineOperation } from '../../../shared/operation';

export const description = defineOperation({
  name: 'Get Version',
  value: 'getVersion',
  action: 'Get cluster version',
  description: 'Get the version and distribution of the cluster',
  rightsGroup: 'read',
  rights: [],
  properties: [],
});

/** The version as the API server states it; no right is needed for it. */
export async function run(client: KubeClient): Promise<object> {
  const version = await client.version();
  return { ...version, distribution: distributionOf(version.gitVersion), server: client.target.server };
}
