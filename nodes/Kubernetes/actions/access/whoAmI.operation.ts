import type { KubeClient } from '../../../../core/kube';
import { defineOperation } from '../../../shared/operation';

export const description = defineOperation({
  name: 'Who Am I',
  value: 'whoAmI',
  action: 'Show who has access',
  description: 'See which user or ServiceAccount the credential is, with its groups',
  rightsGroup: 'read',
  rights: [],
  properties: [],
});

/** What the API server takes the credential for; no right is needed for it. */
export async function run(client: KubeClient): Promise<object> {
  const { username, uid, groups } = await client.whoAmI();
  const { namespace, server } = client.target;
  const [, ofNamespace, serviceAccount] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(username) ?? [];
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    groups,
    ...(serviceAccount === undefined ? {} : { serviceAccount, serviceAccountNamespace: ofNamespace }),
    namespace,
    server,
  };
}
