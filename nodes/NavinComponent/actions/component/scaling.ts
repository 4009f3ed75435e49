import type { Scale } from '../../../../core/components';
import { parameterInvalid } from '../../../shared/parameters';

const REPLICAS = { name: 'Replicas', value: 'replicas', description: 'A number of Pods' } as const;
const AUTOSCALING = {
  name: 'Autoscaling',
  value: 'autoscaling',
  description: 'As many Pods as their CPU needs, within bounds',
} as const;

const AUTOSCALED = { show: { scaling: ['autoscaling'] } } as const;
const COUNT = { minValue: 1, maxValue: 1000, numberPrecision: 0 } as const;

const REPLICAS_FIELD = {
  displayName: 'Replicas',
  name: 'replicas',
  type: 'number',
  default: 1,
  typeOptions: { ...COUNT, minValue: 0 },
  description: 'How many Pods to run',
  displayOptions: { show: { scaling: ['replicas'] } },
} as const;

const SCALE_FIELDS = [
  REPLICAS_FIELD,
  {
    displayName: 'Min Replicas',
    name: 'minReplicas',
    type: 'number',
    default: 1,
    typeOptions: COUNT,
    description: 'The fewest Pods',
    displayOptions: AUTOSCALED,
  },
  {
    displayName: 'Max Replicas',
    name: 'maxReplicas',
    type: 'number',
    default: 3,
    typeOptions: COUNT,
    description: 'The most Pods',
    displayOptions: AUTOSCALED,
  },
  {
    displayName: 'Target CPU',
    name: 'targetCpu',
    type: 'number',
    default: 80,
    typeOptions: COUNT,
    description: 'The CPU that Pods shall use, in percent of what they ask for',
    displayOptions: AUTOSCALED,
  },
  {
    displayName: 'Engine',
    name: 'engine',
    type: 'options',
    default: 'HPA',
    description: 'What scales it',
    displayOptions: AUTOSCALED,
    options: [
      { name: 'HorizontalPodAutoscaler', value: 'HPA', description: 'Of Kubernetes itself; needs a metrics server' },
      { name: 'KEDA', value: 'KEDA', description: 'A ScaledObject, where KEDA is installed' },
    ],
  },
] as const;

/** How many Pods a new component has. */
export const NEW_SCALE_FIELDS = [
  {
    displayName: 'Scaling',
    name: 'scaling',
    type: 'options',
    default: 'chart',
    description: 'Who says how many Pods there are',
    options: [AUTOSCALING, { name: 'Chart', value: 'chart', description: 'As the chart has it' }, REPLICAS],
  },
  ...SCALE_FIELDS,
] as const;

/** How many a component that is there shall have. */
export const OTHER_SCALE_FIELDS = [
  {
    displayName: 'Scaling',
    name: 'scaling',
    type: 'options',
    default: 'replicas',
    description: 'Who says how many Pods there are',
    options: [AUTOSCALING, REPLICAS],
  },
  ...SCALE_FIELDS,
] as const;

/** The options that name the workload, where a chart has several. */
export const TARGET_OPTIONS = {
  kind: {
    displayName: 'Target Kind',
    name: 'targetKind',
    type: 'options',
    default: 'Deployment',
    description: 'The kind of the workload that is scaled, where the chart has several',
    options: [
      { name: 'Deployment', value: 'Deployment' },
      { name: 'StatefulSet', value: 'StatefulSet' },
    ],
  },
  name: {
    displayName: 'Target Name',
    name: 'targetName',
    type: 'string',
    default: '',
    placeholder: 'e.g. web',
    description: 'The name of the workload that is scaled, where the chart has several',
  },
} as const;

interface ScaleParameters {
  readonly scaling: 'chart' | 'replicas' | 'autoscaling';
  readonly replicas: number;
  readonly minReplicas: number;
  readonly maxReplicas: number;
  readonly targetCpu: number;
  readonly engine: 'HPA' | 'KEDA';
  readonly options: { readonly targetKind?: 'Deployment' | 'StatefulSet'; readonly targetName?: string };
}

/** The scale that was chosen; undefined: as the chart has it. */
export function scaleOf({ scaling, options, ...parameters }: ScaleParameters): Scale | undefined {
  const scaleTarget = targetOf(options);
  if (scaling === 'chart') return undefined;
  if (scaling === 'replicas') return { replicas: parameters.replicas, scaleTarget };
  const { minReplicas, maxReplicas, targetCpu, engine } = parameters;
  return { autoscaling: { minReplicas, maxReplicas, targetCPUUtilizationPercentage: targetCpu, engine }, scaleTarget };
}

function targetOf({ targetKind, targetName = '' }: ScaleParameters['options']): Scale['scaleTarget'] {
  const name = targetName.trim();
  if (name !== '') return { kind: targetKind ?? 'Deployment', name };
  if (targetKind === undefined) return undefined;
  throw parameterInvalid('options', 'Options > Target Name', 'is empty, but a kind is chosen');
}
