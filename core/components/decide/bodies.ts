import type { KubeObject } from '../../kube';
import { digestOf } from '../canonical';
import { requiredOf, rollingUpdate, type Budget } from '../budget';
import { fields, without } from '../fields';
import {
  COMPONENT_API_VERSION,
  COMPONENT_KIND,
  COMPONENT_LABEL,
  KEDA_PAUSE_ANNOTATION,
  OPERATOR_MANAGER,
  RESTART_ANNOTATION,
  TEMPLATE_ANNOTATION,
} from '../names';
import type { ManagedComponent } from '../resource/component';
import type { WorkloadView } from '../workload';
import type { Wanted, WantedWorkload } from './compose';
import { replicasManagers } from './ownership';
import type { Application } from './types';

/** What of the present moment goes into a body. */
export interface Moment {
  readonly component: ManagedComponent;
  readonly isStopped: boolean;
  /** The live object, when there is one. */
  readonly live: KubeObject | undefined;
  readonly view: WorkloadView | undefined;
  /** The time of the restart that the pod template is to show. */
  readonly restartedAt: string | undefined;
  readonly disruptive: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** An object as it is to be applied now. */
export function applicationOf(wanted: Wanted, moment: Moment): Application {
  const { ref, object, workload } = wanted;
  const { live, disruptive } = moment;
  const base = withOwner(object, moment.component);
  const bare = workload === undefined ? pausable(base, moment) : workloadBody(base, workload, moment);
  const replicas = workload === undefined ? undefined : carriedReplicas(workload, moment);
  const body = replicas === undefined ? bare : { ...bare, spec: { ...fields(bare, 'spec'), replicas } };
  const application = { ref, body, digest: digestOf(bare), disruptive };
  if (live === undefined) return application;
  const { uid = '', resourceVersion = '' } = live.metadata;
  return { ...application, expects: { uid, resourceVersion } };
}

/**
 * The number of replicas for which the budget of a workload is reckoned: the fewer of what it has and what it is to have;
 * under an autoscaler the fewest that may set. A workload without Pods has nothing to protect yet.
 */
export function guardedReplicas({ replicas, autoscaler }: WantedWorkload, view: WorkloadView | undefined): number {
  if (autoscaler !== undefined || view === undefined || view.desired === 0) return replicas;
  return Math.min(view.desired, replicas);
}

/** How many Pods a rolling update may end at a time, for what lives now. */
export function wantedMaxUnavailable(budget: Budget, workload: WantedWorkload, view: WorkloadView | undefined): number {
  const replicas = guardedReplicas(workload, view);
  return rollingUpdate(requiredOf(budget, replicas), replicas).maxUnavailable;
}

function withOwner(object: KubeObject, component: ManagedComponent): KubeObject {
  const { name = '', namespace = '', uid = '' } = component.metadata;
  const metadata = without(object.metadata, 'creationTimestamp');
  const owner = { apiVersion: COMPONENT_API_VERSION, kind: COMPONENT_KIND, name, uid };
  return {
    ...without(object, 'status'),
    metadata: {
      ...metadata,
      namespace,
      labels: { ...object.metadata.labels, [COMPONENT_LABEL]: name },
      ownerReferences: [{ ...owner, controller: true, blockOwnerDeletion: true }],
    },
  };
}

/** A ScaledObject is held at no replicas while the component is stopped: else it would scale up again. */
function pausable(object: KubeObject, { isStopped }: Moment): KubeObject {
  if (object.kind !== 'ScaledObject' || !isStopped) return object;
  return annotated(object, { [KEDA_PAUSE_ANNOTATION]: '0' });
}

function workloadBody(object: KubeObject, workload: WantedWorkload, moment: Moment): KubeObject {
  const { template, ...spec } = without(fields(object, 'spec'), 'replicas');
  const restarted = moment.restartedAt === undefined ? {} : { [RESTART_ANNOTATION]: moment.restartedAt };
  const inner = fields(template, 'metadata');
  const metadata = { ...inner, annotations: { ...fields(inner, 'annotations'), ...restarted } };
  return annotated(
    {
      ...object,
      spec: {
        ...spec,
        ...(object.kind === 'Deployment'
          ? deploymentStrategy(spec, workload, moment)
          : setStrategy(spec, moment.component.spec.pdb)),
        template: { ...fields(object, 'spec', 'template'), metadata },
      },
    },
    { [TEMPLATE_ANNOTATION]: workload.template },
  );
}

/** Within a budget the rolling update is bounded by it. `Recreate` stays: two Pods at once may be what it is there against. */
function deploymentStrategy(spec: Fields, workload: WantedWorkload, { component, view }: Moment): Fields {
  const { pdb } = component.spec;
  if (pdb === undefined || fields(spec, 'strategy').type === 'Recreate') return {};
  const maxUnavailable = wantedMaxUnavailable(pdb, workload, view);
  return { strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable } } };
}

/** A set never deletes claims, and within a budget it replaces one Pod at a time. */
function setStrategy(spec: Fields, budget: Budget): Fields {
  const keep =
    spec.persistentVolumeClaimRetentionPolicy === undefined
      ? {}
      : { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' } };
  const strategy = fields(spec, 'updateStrategy');
  if (budget === undefined || strategy.rollingUpdate === undefined) return keep;
  const rollingUpdate = without(fields(strategy, 'rollingUpdate'), 'maxUnavailable');
  return { ...keep, updateStrategy: { ...strategy, rollingUpdate } };
}

/**
 * The replicas a body has to carry. A new workload gets them; of a live one they are changed by another manager
 * (replicas.ts), and stand in the body only, as they are, while this manager alone holds them: the API server would reset
 * a field to its default that its only manager leaves out.
 */
function carriedReplicas({ replicas }: WantedWorkload, { live, view, isStopped }: Moment): number | undefined {
  if (live === undefined || view === undefined) return isStopped ? 0 : replicas;
  const managers = replicasManagers(live);
  return managers.length === 1 && managers[0] === OPERATOR_MANAGER ? view.desired : undefined;
}

function annotated(object: KubeObject, annotations: Readonly<Record<string, string>>): KubeObject {
  const { metadata } = object;
  return { ...object, metadata: { ...metadata, annotations: { ...metadata.annotations, ...annotations } } };
}
