import type { KubeObject } from '../../../core/kube';
import { at, defined, listAt, numberAt, textAt, textsAt } from '../json';
import { conditionsOf } from './conditions';

/**
 * A HorizontalPodAutoscaler in flat fields; `metrics` as kubectl prints them, what is measured before what is wanted.
 * `desiredReplicas` is what the autoscaler wants, within `minReplicas` and `maxReplicas`.
 */
export function simplifyHorizontalpodautoscaler(autoscaler: KubeObject): object {
  const current = listAt(autoscaler, 'status', 'currentMetrics');
  return defined({
    name: textAt(autoscaler, 'metadata', 'name'),
    namespace: textAt(autoscaler, 'metadata', 'namespace'),
    target: `${textAt(autoscaler, 'spec', 'scaleTargetRef', 'kind') ?? ''}/${textAt(autoscaler, 'spec', 'scaleTargetRef', 'name') ?? ''}`,
    minReplicas: numberAt(autoscaler, 'spec', 'minReplicas') ?? 1,
    maxReplicas: numberAt(autoscaler, 'spec', 'maxReplicas'),
    currentReplicas: numberAt(autoscaler, 'status', 'currentReplicas') ?? 0,
    desiredReplicas: numberAt(autoscaler, 'status', 'desiredReplicas') ?? 0,
    metrics: listAt(autoscaler, 'spec', 'metrics').map((metric, index) => metricText(metric, current[index])),
    conditions: conditionsOf(autoscaler),
    lastScaledAt: textAt(autoscaler, 'status', 'lastScaleTime'),
    createdAt: textAt(autoscaler, 'metadata', 'creationTimestamp'),
    labels: textsAt(autoscaler, 'metadata', 'labels'),
  });
}

/** The field of each type of metric (autoscaling/v2). */
const SOURCES = {
  ContainerResource: 'containerResource',
  External: 'external',
  Object: 'object',
  Pods: 'pods',
  Resource: 'resource',
} as const;

/** The fields of a target, with the field of `current` that is held against it, and what follows the numbers. */
const VALUES = [
  ['averageUtilization', '%', ''],
  ['averageValue', '', ' (avg)'],
  ['value', '', ''],
] as const;

/**
 * `cpu: 45%/80%`, `queue_length: 12/10 (avg)`, `memory of app: <unknown>/500Mi (avg)` while nothing was measured.
 * @param current the metric of the same place in the status, where the controller keeps the order of the spec
 */
function metricText(metric: unknown, current: unknown): string {
  const type = textAt(metric, 'type') ?? '';
  const field = Object.hasOwn(SOURCES, type) ? SOURCES[type as keyof typeof SOURCES] : undefined;
  if (field === undefined) return type;
  const source = at(metric, field);
  const measured = textAt(current, 'type') === type ? at(current, field, 'current') : undefined;
  const [key, unit, each] = VALUES.find(([value]) => at(source, 'target', value) !== undefined) ?? VALUES[2];
  const now = amountText(at(measured, key));
  const name = textAt(source, 'name') ?? textAt(source, 'metric', 'name') ?? '';
  const container = textAt(source, 'container');
  const where = container === undefined ? '' : ` of ${container}`;
  const wanted = amountText(at(source, 'target', key)) ?? '';
  return `${name}${where}: ${now === undefined ? '<unknown>' : `${now}${unit}`}/${wanted}${unit}${each}`;
}

function amountText(value: unknown): string | undefined {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : undefined;
}
