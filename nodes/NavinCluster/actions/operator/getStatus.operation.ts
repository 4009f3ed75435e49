import { flagOf } from '../../../../core/inventory';
import { apiVersionOf, type KubeClient } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { presetNamespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { readController, STATUS_RIGHTS } from '../controller/status';

/** As its manifests name it (operator/config). */
const CONTAINER = 'operator';

export const description = defineOperation({
  name: 'Get Status',
  value: 'getStatus',
  action: 'Get operator status',
  description: 'See whether the Navin Platform Operator is there and works, and what it manages',
  rightsGroup: 'read',
  rights: STATUS_RIGHTS,
  properties: [
    presetNamespaceLocator('The namespace the operator runs in', 'navin-system'),
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'Deployment',
          name: 'deployment',
          type: 'string',
          default: 'navin-operator',
          description: 'The name of its Deployment',
        },
      ],
    },
  ],
});

/** Whether the definition of components is served is read from the list of APIs, for which no right is needed. */
export async function run(
  client: KubeClient,
  { namespace, options }: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<object> {
  const name = options.deployment ?? 'navin-operator';
  const { deployment, status } = await readController(
    client,
    {
      namespace,
      deployment: name,
      container: CONTAINER,
      leaseName: (found) => (found && flagOf(found, CONTAINER, 'lease-name')) ?? 'navin-operator',
    },
    context,
  );
  const namespaces = deployment && flagOf(deployment, CONTAINER, 'namespaces');
  const definition = await servedVersion(client, context.signal);
  return {
    ...status,
    ...(namespaces === undefined ? {} : { managedNamespaces: namespaces.split(',').map((part) => part.trim()) }),
    ...(definition === undefined ? {} : { definition }),
  };
}

/** The version of components that is served; null where none is, undefined where the list of APIs may not be read. */
async function servedVersion(client: KubeClient, signal: AbortSignal | undefined): Promise<string | null | undefined> {
  const served = await attempt(async () => await client.resource('managedcomponents.platform.navin.ai', signal));
  if (served.error === undefined) return apiVersionOf(served.value);
  if (served.error.code === 'k8s_not_found') return null;
  if (served.error.code === 'k8s_forbidden') return undefined;
  throw served.error;
}
