import { type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { numberAt, textAt } from '../../../shared/json';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { simplifyDeployment } from '../../../shared/simplify';

export const description = defineOperation({
  name: 'Scale',
  value: 'scale',
  action: 'Scale deployment',
  description: 'Set the number of replicas of a deployment; 0 stops it',
  rightsGroup: 'workloads',
  rights: [
    { verb: 'patch', group: 'apps', resource: 'deployments', subresource: 'scale' },
    { verb: 'get', group: 'apps', resource: 'deployments' },
    { verb: 'list', group: 'autoscaling', resource: 'horizontalpodautoscalers', optional: true },
  ],
  properties: [
    namespaceLocator(),
    nameLocator('deployment'),
    {
      displayName: 'Replicas',
      name: 'replicas',
      type: 'number',
      default: 1,
      typeOptions: { minValue: 0, maxValue: 100000, numberPrecision: 0 },
      description: 'How many pods to run',
    },
    {
      displayName: 'Options',
      name: 'options',
      type: 'collection',
      placeholder: 'Add option',
      default: {},
      options: [
        {
          displayName: 'Force',
          name: 'force',
          type: 'boolean',
          default: false,
          description: 'Whether to scale without looking for an autoscaler that would undo it',
        },
      ],
    },
  ],
});

/** The most autoscalers of a namespace that are looked through. */
const MAX_AUTOSCALERS = 5_000;

/**
 * Scales by the scale subresource, then reads the Deployment. An autoscaler that owns the number is named in `warning`,
 * where the credential may list autoscalers.
 */
export async function run(
  client: KubeClient,
  { namespace, name, replicas, options }: ParametersOf<typeof description>,
  context: OperationContext,
): Promise<object> {
  const autoscaler = options.force === true ? undefined : await findAutoscaler(client, namespace, name);
  const scale = await client.patch(
    RESOURCES.deployments,
    { namespace, name, subresource: 'scale' },
    { type: 'merge', body: { spec: { replicas } } },
  );
  const result = await readBack(client, namespace, name, scale);
  if (autoscaler === undefined) return result;
  const warning = warningOf(autoscaler, replicas);
  context.note(`Deployment ${name}: ${warning}`);
  return { ...result, warning };
}

/** The autoscaler whose target the Deployment is; nothing where the credential may not list autoscalers. */
async function findAutoscaler(client: KubeClient, namespace: string, name: string): Promise<KubeObject | undefined> {
  const looked = await attempt(async () => {
    const options = { namespace, maxItems: MAX_AUTOSCALERS };
    for await (const page of client.pages(RESOURCES.horizontalpodautoscalers, options)) {
      const found = page.items.find((candidate) => isTarget(candidate, name));
      if (found !== undefined) return found;
    }
    return undefined;
  });
  if (looked.error === undefined) return looked.value;
  if (looked.error.code === 'k8s_forbidden' || looked.error.code === 'k8s_not_found') return undefined;
  throw looked.error;
}

function isTarget(autoscaler: KubeObject, name: string): boolean {
  const target = ['spec', 'scaleTargetRef'] as const;
  return textAt(autoscaler, ...target, 'kind') === 'Deployment' && textAt(autoscaler, ...target, 'name') === name;
}

/** The Deployment after the change; what the change itself answered where it cannot be read. */
async function readBack(client: KubeClient, namespace: string, name: string, scale: KubeObject): Promise<object> {
  const read = await attempt(async () => await client.get(RESOURCES.deployments, { namespace, name }));
  if (read.error === undefined) return simplifyDeployment(read.value);
  return { name, namespace, replicas: numberAt(scale, 'spec', 'replicas'), notRead: read.error.code };
}

function warningOf(autoscaler: KubeObject, replicas: number): string {
  const name = textAt(autoscaler, 'metadata', 'name') ?? '';
  if (replicas === 0) {
    return `the HorizontalPodAutoscaler ${name} does nothing while replicas is 0 and takes over again afterwards`;
  }
  const min = String(numberAt(autoscaler, 'spec', 'minReplicas') ?? 1);
  const max = String(numberAt(autoscaler, 'spec', 'maxReplicas') ?? 0);
  return `the HorizontalPodAutoscaler ${name} (${min} to ${max} replicas) owns this number and may change it again`;
}
