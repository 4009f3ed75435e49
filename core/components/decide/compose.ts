import type { KubeObject } from '../../kube';
import { digestOf } from '../canonical';
import { fields, numberAt } from '../fields';
import { isBelowBudget } from '../budget';
import { isAutoscaler, isWorkload, keyOf, refOf, type Ref } from '../objects';
import { autoscaled } from '../policy/policy';
import type { Because } from '../reasons';
import type { ComponentSpec } from '../resource/spec';

/** An object a component is to have. */
export interface Wanted {
  readonly ref: Ref;
  readonly key: string;
  readonly object: KubeObject;
  readonly workload?: WantedWorkload;
}

/** What is wanted of a workload beside its object. */
export interface WantedWorkload {
  /** Replicas while it runs; with an autoscaler the fewest it may set. */
  readonly replicas: number;
  /** What sets the replicas instead. */
  readonly autoscaler?: { readonly key: string; readonly kind: string };
  /** The digest of the pod template, the restart aside. */
  readonly template: string;
}

/** Everything a component is to have, or why that cannot be said. */
export type Composition = { readonly wanted: readonly Wanted[] } | { readonly failed: Because };

/**
 * What a chart rendered, together with what the operator makes itself: a budget for each workload, and the autoscaler.
 * Nothing here depends on what lives in the cluster.
 */
export function compose(spec: ComponentSpec, objects: readonly KubeObject[]): Composition {
  const workloads = objects.filter(({ kind = '' }) => isWorkload(kind));
  const scaled = scaleTargetOf(spec, workloads);
  if ('failed' in scaled) return scaled;
  const { target } = scaled;
  const made = [...budgetsOf(spec, workloads), ...autoscalerOf(spec, target)];
  const all = [...objects, ...made];
  const keys = all.map((object) => keyOf(refOf(object)));
  const repeated = keys.find((key, index) => keys.indexOf(key) !== index);
  if (repeated !== undefined) {
    const message = `The chart renders ${nameOf(repeated)}, which the operator makes itself for this spec.`;
    return { failed: { reason: 'DuplicateObject', message } };
  }
  const autoscalers = all.filter(({ kind = '' }) => isAutoscaler(kind));
  const wanted = all.map((object): Wanted => {
    const ref = refOf(object);
    const key = keyOf(ref);
    if (!isWorkload(ref.kind)) return { ref, key, object };
    return { ref, key, object, workload: workloadOf(object, spec, target, autoscalers) };
  });
  const failed = belowBudget(spec, wanted);
  return failed === undefined ? { wanted } : { failed };
}

/** The workload that replicas or autoscaling are meant for; none when the spec has neither. */
export function scaleTargetOf(
  { replicas, autoscaling, scaleTarget }: ComponentSpec,
  workloads: readonly KubeObject[],
): { readonly target?: KubeObject } | { readonly failed: Because } {
  if (replicas === undefined && autoscaling === undefined) return {};
  const candidates = workloads.filter(
    ({ kind, metadata }) =>
      scaleTarget === undefined || (kind === scaleTarget.kind && metadata.name === scaleTarget.name),
  );
  const [only, another] = candidates;
  if (only !== undefined && another === undefined) return { target: only };
  const names = workloads.slice(0, 8).map((workload) => nameOf(keyOf(refOf(workload))));
  const there = names.length === 0 ? 'The chart has no workload' : `The chart has ${names.join(', ')}`;
  const remedy = names.length === 0 ? '' : ' Name the one that is meant in scaleTarget.';
  const message = `${there}: replicas and autoscaling need exactly one.${remedy}`;
  return { failed: { reason: 'AmbiguousWorkload', message } };
}

function workloadOf(
  object: KubeObject,
  spec: ComponentSpec,
  target: KubeObject | undefined,
  autoscalers: readonly KubeObject[],
): WantedWorkload {
  const template = digestOf(fields(object, 'spec', 'template'));
  const autoscaler = autoscalers.find((candidate) => autoscaled(candidate, [object]) !== undefined);
  if (autoscaler !== undefined) {
    const { kind } = refOf(autoscaler);
    return { template, replicas: fewest(autoscaler), autoscaler: { key: keyOf(refOf(autoscaler)), kind } };
  }
  const rendered = numberAt(object, 'spec', 'replicas') ?? 1;
  return { template, replicas: object === target ? (spec.replicas ?? rendered) : rendered };
}

/** The fewest replicas an autoscaler may set: one, or none for a ScaledObject, when it does not say. */
export function fewest(autoscaler: KubeObject): number {
  return autoscaler.kind === 'ScaledObject'
    ? (numberAt(autoscaler, 'spec', 'minReplicaCount') ?? 0)
    : (numberAt(autoscaler, 'spec', 'minReplicas') ?? 1);
}

function budgetsOf({ pdb }: ComponentSpec, workloads: readonly KubeObject[]): readonly KubeObject[] {
  if (pdb === undefined) return [];
  return workloads.map((workload) => ({
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: budgetName(refOf(workload)) },
    spec: { ...pdb, selector: fields(workload, 'spec', 'selector') },
  }));
}

/** The name of the budget the operator makes for a workload. */
export function budgetName({ kind, name }: Ref): string {
  return `${name}-${kind.toLowerCase()}`;
}

function autoscalerOf({ autoscaling }: ComponentSpec, target: KubeObject | undefined): readonly KubeObject[] {
  if (autoscaling === undefined || target === undefined) return [];
  const { apiVersion, kind, name } = { ...refOf(target), apiVersion: target.apiVersion };
  const { minReplicas, maxReplicas, targetCPUUtilizationPercentage: percentage = 80, engine = 'HPA' } = autoscaling;
  const scaleTargetRef = { apiVersion, kind, name };
  if (engine === 'KEDA') {
    const triggers = [{ type: 'cpu', metricType: 'Utilization', metadata: { value: String(percentage) } }];
    const spec = { scaleTargetRef, minReplicaCount: minReplicas, maxReplicaCount: maxReplicas, triggers };
    return [{ apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', metadata: { name }, spec }];
  }
  const resource = { name: 'cpu', target: { type: 'Utilization', averageUtilization: percentage } };
  const spec = { scaleTargetRef, minReplicas, maxReplicas, metrics: [{ type: 'Resource', resource }] };
  return [{ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name }, spec }];
}

function belowBudget({ pdb }: ComponentSpec, wanted: readonly Wanted[]): Because | undefined {
  const below = wanted.find(({ workload }) => workload !== undefined && isBelowBudget(pdb, workload.replicas));
  if (below?.workload === undefined) return undefined;
  const { key, workload } = below;
  const message =
    `${nameOf(key)} has ${workload.replicas} replicas${workload.autoscaler === undefined ? '' : ' at the fewest'}, ` +
    `and its budget requires ${String(pdb?.minAvailable ?? '')} of them. Raise the replicas or lower pdb.minAvailable.`;
  return { reason: 'ReplicasBelowBudget', message };
}

/** `Deployment/web`, of a key. */
export function nameOf(key: string): string {
  return key.split('/').slice(1).join('/');
}
