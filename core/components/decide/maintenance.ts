import type { Because } from '../reasons';
import type { Accepted, OperationType } from '../resource/status';
import { scalesAlike, type Inputs } from './inputs';

/** What of a spec may be carried out now. */
export interface Permission {
  /** What is accepted with it: what was asked for, or what was accepted before where that was refused. */
  readonly accepts: Inputs;
  /**
   * Whether the configuration or the scale is refused: then nothing is rendered and nothing put right, for what was
   * accepted is known as digests only.
   */
  readonly isHeld: boolean;
  /** Whether replicas may be set all the same. */
  readonly mayScaleOut: boolean;
  /** What is refused, the most important first. */
  readonly refused: readonly OperationType[];
}

/**
 * What of a spec may be carried out: everything, unless the component is in maintenance. Then nothing that ends Pods or
 * changes what they run, whoever wrote it; scaling out and starting go on. It is the spec of now that counts: turning
 * maintenance off together with a change releases the change.
 *
 * @param accepted what was accepted last; undefined before the first time: an installation ends nothing
 * @param live the replicas of the workload that is scaled, where that is known
 */
export function permit(asked: Inputs, accepted: Accepted | undefined, live: number | undefined): Permission {
  if (!asked.maintenance || accepted === undefined) {
    return { accepts: asked, isHeld: false, mayScaleOut: true, refused: [] };
  }
  const refusesConfiguration = asked.configuration !== accepted.configuration;
  const refusesStop = asked.desiredState === 'Stopped' && accepted.desiredState === 'Running';
  const refusesScale = !scalesAlike(asked, accepted) && !isScaleOut(asked, accepted, live, refusesConfiguration);
  const scaling = refusesScale ? accepted : asked;
  const { scale, minReplicas, maxReplicas } = scaling;
  return {
    accepts: {
      configuration: accepted.configuration,
      desiredState: refusesStop ? 'Running' : asked.desiredState,
      scale,
      ...(minReplicas === undefined ? {} : { minReplicas }),
      ...(maxReplicas === undefined ? {} : { maxReplicas }),
      maintenance: true,
    },
    isHeld: refusesConfiguration || refusesScale,
    mayScaleOut: !refusesScale,
    refused: [
      ...(refusesConfiguration ? (['configure'] as const) : []),
      ...(refusesStop ? (['stop'] as const) : []),
      ...(refusesScale ? (['scale'] as const) : []),
    ],
  };
}

/** Why an operation is blocked by maintenance. */
export function inMaintenance(operation: OperationType): Because {
  const message = `The component is in maintenance: ${operation} waits until maintenance is false, or is taken back.`;
  return { reason: 'MaintenanceActive', message };
}

/** Whether a change of the scale adds Pods only, as far as can be said for sure. */
function isScaleOut(asked: Inputs, accepted: Accepted, live: number | undefined, isHeld: boolean): boolean {
  if (asked.scale !== accepted.scale) return false;
  const { minReplicas, maxReplicas } = asked;
  if (minReplicas === undefined || maxReplicas === undefined) return false;
  // The autoscaler is an object like those of the chart, and those are not touched.
  if (isHeld && minReplicas !== maxReplicas) return false;
  const [fewest, most] = [accepted.minReplicas ?? live, accepted.maxReplicas ?? live];
  return fewest !== undefined && most !== undefined && minReplicas >= fewest && maxReplicas >= most;
}
