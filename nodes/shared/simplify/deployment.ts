import type { KubeObject } from '../../../core/kube';
import { at, defined, listAt, numberAt, textAt, textsAt } from '../json';

/** A Deployment in flat fields; `replicas` is the desired number. */
export function simplifyDeployment(deployment: KubeObject): object {
  return defined({
    name: textAt(deployment, 'metadata', 'name'),
    namespace: textAt(deployment, 'metadata', 'namespace'),
    replicas: numberAt(deployment, 'spec', 'replicas') ?? 1,
    readyReplicas: numberAt(deployment, 'status', 'readyReplicas') ?? 0,
    updatedReplicas: numberAt(deployment, 'status', 'updatedReplicas') ?? 0,
    availableReplicas: numberAt(deployment, 'status', 'availableReplicas') ?? 0,
    paused: at(deployment, 'spec', 'paused') === true,
    images: imagesOf(deployment, 'containers'),
    revision: textAt(deployment, 'metadata', 'annotations', 'deployment.kubernetes.io/revision'),
    createdAt: textAt(deployment, 'metadata', 'creationTimestamp'),
    labels: textsAt(deployment, 'metadata', 'labels'),
  });
}

/** The images of a workload's containers, by container. */
export function imagesOf(workload: KubeObject, list: 'containers' | 'initContainers'): Record<string, string> {
  const containers = listAt(workload, 'spec', 'template', 'spec', list);
  return Object.fromEntries(
    containers.map((container) => [textAt(container, 'name') ?? '', textAt(container, 'image') ?? '']),
  );
}
