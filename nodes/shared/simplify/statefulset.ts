import type { KubeObject } from '../../../core/kube';
import { defined, numberAt, textAt, textsAt } from '../json';
import { imagesOf } from './deployment';

/** A StatefulSet in flat fields; `replicas` is the desired number. */
export function simplifyStatefulset(statefulset: KubeObject): object {
  return defined({
    name: textAt(statefulset, 'metadata', 'name'),
    namespace: textAt(statefulset, 'metadata', 'namespace'),
    replicas: numberAt(statefulset, 'spec', 'replicas') ?? 1,
    readyReplicas: numberAt(statefulset, 'status', 'readyReplicas') ?? 0,
    updatedReplicas: numberAt(statefulset, 'status', 'updatedReplicas') ?? 0,
    availableReplicas: numberAt(statefulset, 'status', 'availableReplicas') ?? 0,
    updateStrategy: textAt(statefulset, 'spec', 'updateStrategy', 'type'),
    serviceName: textAt(statefulset, 'spec', 'serviceName'),
    images: imagesOf(statefulset, 'containers'),
    createdAt: textAt(statefulset, 'metadata', 'creationTimestamp'),
    labels: textsAt(statefulset, 'metadata', 'labels'),
  });
}
