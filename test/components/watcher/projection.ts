import { createHash } from 'node:crypto';
import type { ServerObject } from '../../cluster';
import { at, list, number, record, text, type Fields } from './fields';
import type { Asks, Budget, BudgetSeen, ComponentSeen, Head, Kind, Says, Seen, WorkloadSeen } from './seen';

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
