import type { KubeObject } from '../../../core/kube';
import { defined, numberAt, textAt, textsAt } from '../json';
import { imagesOf } from './deployment';

/** A DaemonSet in flat fields; `desired` is the number of nodes it has to run on. */
export function simplifyDaemonset(daemonset: KubeObject): object {
  return defined({
    name: textAt(daemonset, 'metadata', 'name'),
    namespace: textAt(daemonset, 'metadata', 'namespace'),
    desired: numberAt(daemonset, 'status', 'desiredNumberScheduled') ?? 0,
    ready: numberAt(daemonset, 'status', 'numberReady') ?? 0,
    updated: numberAt(daemonset, 'status', 'updatedNumberScheduled') ?? 0,
    available: numberAt(daemonset, 'status', 'numberAvailable') ?? 0,
    updateStrategy: textAt(daemonset, 'spec', 'updateStrategy', 'type'),
    images: imagesOf(daemonset, 'containers'),
    createdAt: textAt(daemonset, 'metadata', 'creationTimestamp'),
    labels: textsAt(daemonset, 'metadata', 'labels'),
  });
}
