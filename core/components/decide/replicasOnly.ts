import { isWorkload, isAutoscaler, keyOf, type Ref } from '../objects';
import { autoscaled } from '../policy/policy';
import type { KubeObject } from '../../kube';
import { controllerOf } from '../objects';
import { textAt } from '../fields';
import { KEDA_PAUSE_ANNOTATION } from '../names';
import { viewOf } from '../workload';
import { liveOf } from './facts';
import type { Inventory } from './inventory';
import type { Action, Observed } from './types';

/**
 * What can be done for workloads that live, when the configuration of the spec is refused or cannot be rendered: stop
 * them, or scale one out. Nothing but replicas is touched.
 */
export function replicasOnly(observed: Observed, inventory: Inventory, isStopped: boolean): readonly Action[] {
  const workloads = ownWorkloads(observed, inventory);
  if (isStopped) {
    return workloads
      .filter(({ live }) => viewOf(live).desired > 0 && !isKept(live, observed, inventory))
      .map(({ ref, live }) => setting(ref, live, 0));
  }
  const { replicas } = observed.component.spec;
  const target = targetOf(observed, inventory);
  if (replicas === undefined || target === undefined) return [];
  const { ref, live } = target;
  if (autoscalerOf(live, observed, inventory) !== undefined) return [];
  return viewOf(live).desired < replicas ? [setting(ref, live, replicas)] : [];
}

/** The live workload that replicas are meant for. */
export function targetOf(observed: Observed, inventory: Inventory): Own | undefined {
  const { scaleTarget } = observed.component.spec;
  const [only, another] = ownWorkloads(observed, inventory).filter(
    ({ ref }) => scaleTarget === undefined || (ref.kind === scaleTarget.kind && ref.name === scaleTarget.name),
  );
  return another === undefined ? only : undefined;
}

interface Own {
  readonly ref: Ref;
  readonly live: KubeObject;
}

function ownWorkloads(observed: Observed, inventory: Inventory): readonly Own[] {
  return [...inventory.values()].flatMap(({ group, version, kind, name }) => {
    const live = liveOf(observed, keyOf({ group, version, kind, name }));
    if (!isWorkload(kind) || live === undefined || controllerOf(live) !== observed.component.metadata.uid) return [];
    return live.metadata.deletionTimestamp === undefined ? [{ ref: { group, version, kind, name }, live }] : [];
  });
}

function autoscalerOf(workload: KubeObject, observed: Observed, inventory: Inventory): KubeObject | undefined {
  return [...inventory.keys()].flatMap((key) => {
    const live = liveOf(observed, key);
    return live !== undefined && isAutoscaler(live.kind ?? '') && autoscaled(live, [workload]) ? [live] : [];
  })[0];
}

/** Whether KEDA would scale a workload up again. */
function isKept(workload: KubeObject, observed: Observed, inventory: Inventory): boolean {
  const autoscaler = autoscalerOf(workload, observed, inventory);
  const paused = textAt(autoscaler, 'metadata', 'annotations', KEDA_PAUSE_ANNOTATION);
  return autoscaler?.kind === 'ScaledObject' && paused === undefined;
}

function setting(ref: Ref, live: KubeObject, replicas: number): Action {
  const { uid = '', resourceVersion = '' } = live.metadata;
  const disruptive = replicas === 0;
  return { type: 'setReplicas', ref, expects: { uid, resourceVersion }, replicas, force: true, disruptive };
}
