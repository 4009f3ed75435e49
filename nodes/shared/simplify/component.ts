import type { KubeObject } from '../../../core/kube';
import { at, defined, listAt, numberAt, textAt, textsAt } from '../json';

/**
 * A ManagedComponent in flat fields: what its operator confirms first, what it is asked for apart from it. Values of its
 * chart are left out. `observed` is false while the operator has not seen the newest spec: then all is of an older one.
 */
export function simplifyComponent(component: KubeObject): object {
  const { metadata } = component;
  const observedGeneration = numberAt(component, 'status', 'observedGeneration');
  const observed = observedGeneration !== undefined && observedGeneration >= (metadata.generation ?? 0);
  return defined({
    name: metadata.name,
    namespace: metadata.namespace,
    uid: metadata.uid,
    observed,
    state: textAt(component, 'status', 'state') ?? 'unknown',
    health: textAt(component, 'status', 'health') ?? 'unknown',
    operationState: textAt(component, 'status', 'operationState') ?? 'idle',
    securityState: textAt(component, 'status', 'securityState') ?? 'unknown',
    converged: observed && at(component, 'status', 'converged') === true,
    operation: factsAt(component, ['type', 'reason', 'message', 'startedAt', 'finishedAt'], 'status', 'operation'),
    security: factsAt(component, ['reason', 'message', 'object', 'path'], 'status', 'security'),
    chart: factsAt(component, ['name', 'version', 'digest'], 'status', 'chart'),
    workloads: listAt(component, 'status', 'workloads').map(workloadOf),
    retainedClaims: listAt(component, 'status', 'retainedClaims'),
    asked: askedOf(component),
    createdAt: metadata.creationTimestamp,
    deletedAt: metadata.deletionTimestamp,
    labels: textsAt(component, 'metadata', 'labels'),
  });
}

/** What it is asked for. */
function askedOf(component: KubeObject): object {
  return defined({
    desiredState: textAt(component, 'spec', 'desiredState') ?? 'Running',
    maintenance: at(component, 'spec', 'maintenance') === true,
    replicas: numberAt(component, 'spec', 'replicas'),
    autoscaling: at(component, 'spec', 'autoscaling'),
    pdb: at(component, 'spec', 'pdb'),
    source: textAt(component, 'spec', 'source', 'chart', 'path') ?? textAt(component, 'spec', 'source', 'oci', 'ref'),
    version: textAt(component, 'spec', 'version'),
    restartRequestedAt: textAt(component, 'spec', 'restartRequestedAt'),
  });
}

function workloadOf(workload: unknown): object {
  return defined({
    kind: textAt(workload, 'kind'),
    name: textAt(workload, 'name'),
    state: textAt(workload, 'state'),
    health: textAt(workload, 'health'),
    desired: numberAt(workload, 'desired'),
    available: numberAt(workload, 'available'),
    required: numberAt(workload, 'required'),
    complete: at(workload, 'complete') === true,
  });
}

/** Texts by name; undefined where there is none of them. */
function factsAt(component: KubeObject, names: readonly string[], ...path: readonly string[]): object | undefined {
  const facts = names.flatMap((name) => {
    const text = textAt(component, ...path, name);
    return text === undefined ? [] : [[name, text] as const];
  });
  return facts.length === 0 ? undefined : Object.fromEntries(facts);
}
