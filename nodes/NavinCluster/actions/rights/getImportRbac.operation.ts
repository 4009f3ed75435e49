import { IMPORT_ACCOUNT, importAccessYaml } from '../../../../core/inventory';
import type { KubeClient } from '../../../../core/kube';
import { presetNamespaceLocator } from '../../../shared/locators';
import { defineOperation, type ParametersOf } from '../../../shared/operation';
import { parameterInvalid } from '../../../shared/parameters';

export const description = defineOperation({
  name: 'Get Import RBAC',
  value: 'getImportRbac',
  action: 'Get import rights',
  description: 'Get the YAML of the account by which a cluster is imported, with the least rights',
  rightsGroup: 'read',
  rights: [],
  properties: [
    presetNamespaceLocator('The namespace that is managed: the account may change components in it', 'navin-platform'),
  ],
});

/** Nothing is sent to the cluster: its administrator applies the YAML, and may keep it in a repository. */
export function run(_client: KubeClient, { namespace }: ParametersOf<typeof description>): Promise<object> {
  if (!/^[a-z0-9](?:[-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) {
    throw parameterInvalid('namespace', 'Namespace', 'is no name of a namespace');
  }
  return Promise.resolve({
    namespace,
    serviceAccount: IMPORT_ACCOUNT,
    yaml: importAccessYaml(namespace),
    tokenCommand: `kubectl -n ${namespace} create token ${IMPORT_ACCOUNT}`,
  });
}
