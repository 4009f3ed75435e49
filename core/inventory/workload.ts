import type { KubeObject } from '../kube';
import { tagOf } from './image';
import { countAt, defined, recordsAt, textAt } from './reading';

/** A Deployment, as far as it tells whether a program of the cluster runs. */
export interface Workload {
  readonly name: string;
  readonly namespace?: string;
  /** Of its container. */
  readonly image?: string;
  /** The tag of the image. */
  readonly version?: string;
  readonly replicas: number;
  readonly readyReplicas: number;
  readonly updatedReplicas: number;
  readonly availableReplicas: number;
}

/**
 * Reads a Deployment.
 *
 * @param container whose image it is; the first where no container has this name
 */
export function readWorkload(deployment: KubeObject, container: string): Workload {
  const containers = recordsAt(deployment, 'spec', 'template', 'spec', 'containers');
  const image = textAt(containers.find(({ name }) => name === container) ?? containers[0], 'image');
  return defined({
    name: textAt(deployment, 'metadata', 'name') ?? '',
    namespace: textAt(deployment, 'metadata', 'namespace'),
    image,
    version: image === undefined ? undefined : tagOf(image),
    replicas: countAt(deployment, 'spec', 'replicas') ?? 1,
    readyReplicas: countAt(deployment, 'status', 'readyReplicas') ?? 0,
    updatedReplicas: countAt(deployment, 'status', 'updatedReplicas') ?? 0,
    availableReplicas: countAt(deployment, 'status', 'availableReplicas') ?? 0,
  });
}
