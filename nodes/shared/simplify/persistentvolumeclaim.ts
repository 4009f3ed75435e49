import type { KubeObject } from '../../../core/kube';
import { defined, listAt, textAt, textsAt } from '../json';
import { conditionsOf } from './conditions';

/** Names the class on claims that were made before there was a field for it. */
const CLASS_ANNOTATION = 'volume.beta.kubernetes.io/storage-class';

/**
 * A PersistentVolumeClaim in flat fields: `status` as `kubectl get pvc` shows it, `requested` against `capacity`, and how
 * far a change of the size is (`resize`, `conditions`).
 */
export function simplifyPersistentvolumeclaim(claim: KubeObject): object {
  const isEnding = textAt(claim, 'metadata', 'deletionTimestamp') !== undefined;
  return defined({
    name: textAt(claim, 'metadata', 'name'),
    namespace: textAt(claim, 'metadata', 'namespace'),
    status: isEnding ? 'Terminating' : textAt(claim, 'status', 'phase'),
    requested: textAt(claim, 'spec', 'resources', 'requests', 'storage'),
    capacity: textAt(claim, 'status', 'capacity', 'storage'),
    resize: textAt(claim, 'status', 'allocatedResourceStatuses', 'storage'),
    storageClass:
      textAt(claim, 'spec', 'storageClassName') ?? textAt(claim, 'metadata', 'annotations', CLASS_ANNOTATION),
    accessModes: listAt(claim, 'spec', 'accessModes').filter((mode) => typeof mode === 'string'),
    volumeMode: textAt(claim, 'spec', 'volumeMode'),
    volume: textAt(claim, 'spec', 'volumeName'),
    conditions: conditionsOf(claim),
    createdAt: textAt(claim, 'metadata', 'creationTimestamp'),
    labels: textsAt(claim, 'metadata', 'labels'),
  });
}
