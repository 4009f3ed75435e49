import { digestOf } from '../canonical';
import type { ComponentSpec } from '../resource/spec';
import type { Accepted } from '../resource/status';

/** What a spec asks for, cut into what is accepted or refused apart. */
export type Inputs = Omit<Accepted, 'operation' | 'restartRequestedAt'>;

/** The digest of what a chart is rendered with. */
export function configurationOf({ version, source, values, secretRefs, pdb }: ComponentSpec): string {
  return digestOf({ version, source, values, secretRefs, pdb });
}

/** What a spec asks for. */
export function inputsOf(spec: ComponentSpec): Inputs {
  const { replicas, autoscaling, scaleTarget } = spec;
  const bounds =
    autoscaling === undefined
      ? { minReplicas: replicas, maxReplicas: replicas }
      : { minReplicas: autoscaling.minReplicas, maxReplicas: autoscaling.maxReplicas };
  const { engine = 'HPA', targetCPUUtilizationPercentage = 80 } = autoscaling ?? {};
  const way = autoscaling === undefined ? undefined : { engine, targetCPUUtilizationPercentage };
  return {
    configuration: configurationOf(spec),
    desiredState: spec.desiredState ?? 'Running',
    scale: digestOf({ scaleTarget, way }),
    ...(bounds.minReplicas === undefined ? {} : { minReplicas: bounds.minReplicas }),
    ...(bounds.maxReplicas === undefined ? {} : { maxReplicas: bounds.maxReplicas }),
    maintenance: spec.maintenance ?? false,
  };
}

/** The key of the operation a spec asks for: the same as long as it asks for the same. */
export function operationKey(spec: ComponentSpec): string {
  return digestOf({ ...inputsOf(spec), restartRequestedAt: spec.restartRequestedAt });
}

/** Whether two askings scale alike. */
export function scalesAlike(left: Inputs, right: Inputs): boolean {
  const { scale, minReplicas, maxReplicas } = left;
  return scale === right.scale && minReplicas === right.minReplicas && maxReplicas === right.maxReplicas;
}
