import { createHash } from 'node:crypto';
import type { ServerObject } from '../../cluster';
import { at, list, number, record, text, type Fields } from './fields';

/** What every object has, as far as verdicts need it. */
export interface Head {
  readonly kind: string;
  readonly name: string;
  readonly uid: string;
  /** By uid. */
  readonly controller: string | undefined;
  readonly isEnding: boolean;
}

/** A ManagedComponent. */
export interface ComponentSeen extends Head {
  readonly kind: 'ManagedComponent';
  readonly generation: number;
  readonly asks: Asks;
  readonly says: Says | undefined;
  /** The status as text. */
  readonly text: string;
}

/** What a spec asks for. */
export interface Asks {
  readonly replicas: number | undefined;
  readonly fewest: number | undefined;
  readonly target: { readonly kind: string; readonly name: string } | undefined;
  readonly budget: Budget | undefined;
  readonly isStop: boolean;
  readonly isMaintenance: boolean;
  readonly restart: string | undefined;
}

/** A disruption budget: one of the two. */
export interface Budget {
  readonly minAvailable?: number | string;
  readonly maxUnavailable?: number | string;
}

/** What a status says. */
export interface Says {
  readonly generation: number | undefined;
  readonly state: string;
  readonly health: string;
  readonly operationState: string;
  readonly operation: { readonly type: string; readonly key: string; readonly reason: string | undefined };
  readonly isConverged: boolean;
  readonly workloads: readonly (Numbers & {
    readonly required: number;
    readonly kind: string;
    readonly name: string;
    readonly isComplete: boolean;
    readonly state: string;
    readonly health: string;
  })[];
  /** `Deployment/web` */
  readonly inventory: ReadonlySet<string>;
}

/** The numbers of a workload. */
export interface Numbers {
  readonly desired: number;
  readonly current: number;
  readonly updated: number;
  readonly ready: number;
  readonly available: number;
}

/** A Deployment or StatefulSet. */
export interface WorkloadSeen extends Head, Numbers {
  readonly kind: 'Deployment' | 'StatefulSet';
  readonly generation: number;
  readonly observedGeneration: number | undefined;
  /** Pods that still end, of a Deployment. */
  readonly terminating: number;
  readonly isOneRevision: boolean;
  readonly hasPassedDeadline: boolean;
  /** The digest of the pod template. */
  readonly template: string;
  readonly podLabels: Fields;
  readonly restart: string | undefined;
  /** Names of its claim templates. */
  readonly claims: readonly string[];
  /** Who wrote what: an entry changes when its manager writes. */
  readonly writers: ReadonlyMap<string, string>;
}

/** A Pod. */
export interface PodSeen extends Head {
  readonly kind: 'Pod';
  readonly isReady: boolean;
}

/** A PodDisruptionBudget. */
export interface BudgetSeen extends Head {
  readonly kind: 'PodDisruptionBudget';
  readonly budget: Budget;
  readonly matchLabels: Fields;
  readonly isCurrent: boolean;
}

/** A HorizontalPodAutoscaler or ScaledObject. */
export interface AutoscalerSeen extends Head {
  readonly kind: 'HorizontalPodAutoscaler' | 'ScaledObject';
  readonly target: { readonly kind: string; readonly name: string };
  readonly fewest: number;
}

/** Anything else. */
export interface PlainSeen extends Head {
  readonly kind:
    'ReplicaSet' | 'PersistentVolumeClaim' | 'ConfigMap' | 'Service' | 'ServiceAccount' | 'NetworkPolicy' | 'Ingress';
}

export type Seen = ComponentSeen | WorkloadSeen | PodSeen | BudgetSeen | AutoscalerSeen | PlainSeen;
export type Kind = Seen['kind'];

/** Of an object what verdicts need: everything else is forgotten. */
export function seen(kind: Kind, object: ServerObject): Seen {
  const head = headOf(object);
  switch (kind) {
    case 'ManagedComponent':
      return component(object, { ...head, kind });
    case 'Deployment':
    case 'StatefulSet':
      return workload(object, { ...head, kind });
    case 'Pod':
      return { ...head, kind, isReady: isReady(object) };
    case 'PodDisruptionBudget':
      return budget(object, { ...head, kind });
    case 'HorizontalPodAutoscaler':
    case 'ScaledObject': {
      const target = record(object, 'spec', 'scaleTargetRef');
      const fewest =
        kind === 'ScaledObject' ? number(object, 'spec', 'minReplicaCount') : number(object, 'spec', 'minReplicas');
      const of = { kind: text(target, 'kind') ?? 'Deployment', name: text(target, 'name') ?? '' };
      return { ...head, kind, target: of, fewest: fewest ?? (kind === 'ScaledObject' ? 0 : 1) };
    }
    case 'ReplicaSet':
    case 'PersistentVolumeClaim':
    case 'ConfigMap':
    case 'Service':
    case 'ServiceAccount':
    case 'NetworkPolicy':
    case 'Ingress':
      return { ...head, kind };
  }
}

function headOf({ metadata }: ServerObject): Omit<Head, 'kind'> {
  const owner = list(metadata, 'ownerReferences').find((reference) => at(reference, 'controller') === true);
  return {
    name: metadata.name,
    uid: metadata.uid,
    controller: text(owner, 'uid'),
    isEnding: metadata.deletionTimestamp !== undefined,
  };
}

type With<K extends Kind> = Omit<Head, 'kind'> & { readonly kind: K };

function component(object: ServerObject, head: With<'ManagedComponent'>): ComponentSeen {
  const { status } = object;
  return {
    ...head,
    generation: object.metadata.generation ?? 0,
    asks: asksOf(record(object, 'spec')),
    says: status === undefined ? undefined : saysOf(record(object, 'status')),
    text: JSON.stringify(status ?? null),
  };
}

function asksOf(spec: Fields): Asks {
  const target = record(spec, 'scaleTarget');
  return {
    replicas: number(spec, 'replicas'),
    fewest: number(spec, 'autoscaling', 'minReplicas'),
    target:
      spec.scaleTarget === undefined
        ? undefined
        : { kind: text(target, 'kind') ?? '', name: text(target, 'name') ?? '' },
    budget: spec.pdb === undefined ? undefined : budgetOf(record(spec, 'pdb')),
    isStop: spec.desiredState === 'Stopped',
    isMaintenance: spec.maintenance === true,
    restart: text(spec, 'restartRequestedAt'),
  };
}

function budgetOf({ minAvailable, maxUnavailable }: Fields): Budget {
  return {
    ...(isCount(minAvailable) ? { minAvailable } : {}),
    ...(isCount(maxUnavailable) ? { maxUnavailable } : {}),
  };
}

function isCount(value: unknown): value is number | string {
  return typeof value === 'number' || typeof value === 'string';
}

function saysOf(status: Fields): Says {
  return {
    generation: number(status, 'observedGeneration'),
    state: text(status, 'state') ?? '',
    health: text(status, 'health') ?? '',
    operationState: text(status, 'operationState') ?? '',
    operation: {
      type: text(status, 'operation', 'type') ?? '',
      key: text(status, 'operation', 'key') ?? '',
      reason: text(status, 'operation', 'reason'),
    },
    isConverged: status.converged === true,
    workloads: list(status, 'workloads').map((entry) => ({
      kind: text(entry, 'kind') ?? '',
      name: text(entry, 'name') ?? '',
      state: text(entry, 'state') ?? '',
      health: text(entry, 'health') ?? '',
      isComplete: at(entry, 'complete') === true,
      desired: number(entry, 'desired') ?? -1,
      current: number(entry, 'current') ?? -1,
      updated: number(entry, 'updated') ?? -1,
      ready: number(entry, 'ready') ?? -1,
      available: number(entry, 'available') ?? -1,
      required: number(entry, 'required') ?? 0,
    })),
    inventory: new Set(
      list(status, 'inventory').map((entry) => `${text(entry, 'kind') ?? ''}/${text(entry, 'name') ?? ''}`),
    ),
  };
}

function workload(object: ServerObject, head: With<'Deployment' | 'StatefulSet'>): WorkloadSeen {
  const [spec, status] = [record(object, 'spec'), record(object, 'status')];
  const desired = number(spec, 'replicas') ?? 1;
  const updated = number(status, 'updatedReplicas') ?? 0;
  const revision = text(status, 'updateRevision');
  return {
    ...head,
    generation: object.metadata.generation ?? 0,
    observedGeneration: number(status, 'observedGeneration'),
    desired,
    updated,
    current: number(status, 'replicas') ?? 0,
    ready: number(status, 'readyReplicas') ?? 0,
    available: number(status, 'availableReplicas') ?? 0,
    terminating: number(status, 'terminatingReplicas') ?? 0,
    isOneRevision: updated === desired || (revision !== undefined && revision === text(status, 'currentRevision')),
    hasPassedDeadline: list(status, 'conditions').some((each) => text(each, 'reason') === 'ProgressDeadlineExceeded'),
    template: digest(spec.template),
    podLabels: record(spec, 'template', 'metadata', 'labels'),
    restart: text(spec, 'template', 'metadata', 'annotations', 'platform.navin.ai/restarted-at'),
    claims: list(spec, 'volumeClaimTemplates').map((claim) => text(claim, 'metadata', 'name') ?? ''),
    writers: writersOf(object),
  };
}

function writersOf({ metadata }: ServerObject): ReadonlyMap<string, string> {
  return new Map(
    list(metadata, 'managedFields').map((entry) => {
      const name = [text(entry, 'manager'), text(entry, 'operation'), text(entry, 'subresource')].join(' ');
      return [name, `${text(entry, 'time') ?? ''} ${digest(at(entry, 'fieldsV1'))}`];
    }),
  );
}

function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(value ?? null))
    .digest('base64url');
}

function budget(object: ServerObject, head: With<'PodDisruptionBudget'>): BudgetSeen {
  return {
    ...head,
    budget: budgetOf(record(object, 'spec')),
    matchLabels: record(object, 'spec', 'selector', 'matchLabels'),
    isCurrent: number(object, 'status', 'observedGeneration') === object.metadata.generation,
  };
}

/** Counted as Kubernetes counts: not what ends, and not what is over. */
function isReady(object: ServerObject): boolean {
  const phase = text(object, 'status', 'phase');
  if (object.metadata.deletionTimestamp !== undefined || phase === 'Succeeded' || phase === 'Failed') return false;
  return list(object, 'status', 'conditions').some(
    (condition) => text(condition, 'type') === 'Ready' && text(condition, 'status') === 'True',
  );
}
