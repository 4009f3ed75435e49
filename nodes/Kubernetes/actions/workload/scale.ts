import { isRecord, type KubeClient, type KubeObject, RESOURCES } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { at, numberAt, textAt } from '../../../shared/json';
import { KINDS } from '../../../shared/kinds';
import { nameLocator, namespaceLocator } from '../../../shared/locators';
import { defineOperation, type OperationContext, type ParametersOf } from '../../../shared/operation';
import { TRY_OPTION } from '../objectChanges';
import { ownerWarnings } from './owners';
import { warned } from './warnings';
import { readWorkload, resourceOf, type ScalableKind, shown, triedOn, type WorkloadRef } from './workload';

/** The description of Scale. */
/* @__NO_SIDE_EFFECTS__ */
export function describeScale<K extends ScalableKind>(kind: K) {
  const { group, plural } = KINDS[kind];
  return defineOperation({
    name: 'Scale',
    value: 'scale',
    action: `Scale ${kind}`,
    description: `Set the number of replicas of a ${kind}; 0 stops it`,
    rightsGroup: 'workloads',
    rights: [
      { verb: 'patch', group, resource: plural, subresource: 'scale' },
      { verb: 'get', group, resource: plural },
      { verb: 'list', group: 'autoscaling', resource: 'horizontalpodautoscalers', optional: true },
    ],
    properties: [
      namespaceLocator(),
      nameLocator(kind),
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
          TRY_OPTION,
          {
            displayName: 'Force',
            name: 'force',
            type: 'boolean',
            default: false,
            description:
              'Whether to scale although an operator or a GitOps tool may undo it, without looking for an autoscaler that would',
          },
        ],
      },
    ],
  });
}

type Parameters = ParametersOf<ReturnType<typeof describeScale<'deployment'>>>;

/** The most autoscalers of a namespace that are looked through. */
const MAX_AUTOSCALERS = 5_000;

/**
 * Scales by the scale subresource, then reads the workload. An autoscaler that owns the number is named in `warning`,
 * where the credential may list autoscalers.
 */
export async function scale(
  client: KubeClient,
  kind: ScalableKind,
  { namespace, name, replicas, options }: Parameters,
  context: OperationContext,
): Promise<object> {
  const ref = { namespace, name };
  const autoscaler = options.force === true ? undefined : await findAutoscaler(client, kind, ref);
  const before = await attempt(async () => await readWorkload(client, kind, ref));
  const warnings = [
    ...(before.error === undefined ? ownerWarnings(kind, before.value, 'declared', options) : []),
    ...(autoscaler === undefined ? [] : [warningOf(autoscaler, replicas)]),
  ];
  const scaled = await client.patch(
    resourceOf(kind),
    { ...ref, subresource: 'scale' },
    { type: 'merge', body: { spec: { replicas } } },
    { dryRun: options.dryRun },
  );
  const about = warned(kind, name, warnings, context);
  if (options.dryRun === true) {
    if (before.error !== undefined) throw before.error;
    return { ...wouldBe(kind, before.value, scaled), ...about };
  }
  return { ...(await readBack(client, kind, ref, scaled)), ...about };
}

/** The autoscaler whose target the workload is; nothing where the credential may not list autoscalers. */
async function findAutoscaler(
  client: KubeClient,
  kind: ScalableKind,
  { namespace, name }: WorkloadRef,
): Promise<KubeObject | undefined> {
  const looked = await attempt(async () => {
    const options = { namespace, maxItems: MAX_AUTOSCALERS };
    for await (const page of client.pages(RESOURCES.horizontalpodautoscalers, options)) {
      const found = page.items.find((candidate) => isTarget(candidate, kind, name));
      if (found !== undefined) return found;
    }
    return undefined;
  });
  if (looked.error === undefined) return looked.value;
  if (looked.error.code === 'k8s_forbidden' || looked.error.code === 'k8s_not_found') return undefined;
  throw looked.error;
}

function isTarget(autoscaler: KubeObject, kind: ScalableKind, name: string): boolean {
  const target = ['spec', 'scaleTargetRef'] as const;
  return textAt(autoscaler, ...target, 'kind') === KINDS[kind].title && textAt(autoscaler, ...target, 'name') === name;
}

/** The workload after the change; what the change itself answered where it cannot be read. */
async function readBack(
  client: KubeClient,
  kind: ScalableKind,
  { namespace, name }: WorkloadRef,
  scaled: KubeObject,
): Promise<object> {
  const read = await attempt(async () => await readWorkload(client, kind, { namespace, name }));
  if (read.error === undefined) return shown(kind, read.value);
  return { name, namespace, replicas: replicasOf(scaled), notRead: read.error.code };
}

/** What a Scale says; it leaves 0 out. */
function replicasOf(scaled: KubeObject): number {
  return numberAt(scaled, 'spec', 'replicas') ?? 0;
}

/** The workload as it would be: what was tried is its number only. */
function wouldBe(kind: ScalableKind, before: KubeObject, scaled: KubeObject): object {
  const spec = at(before, 'spec');
  const after = {
    ...before,
    spec: { ...(isRecord(spec) ? spec : {}), replicas: replicasOf(scaled) },
  };
  return shown(kind, after, triedOn(before, after, true));
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
