import type { KubeObject } from '../../../core/kube';
import { defined, textAt, textsAt } from '../json';

/** A Namespace in flat fields. */
export function simplifyNamespace(namespace: KubeObject): object {
  return defined({
    name: textAt(namespace, 'metadata', 'name'),
    status: textAt(namespace, 'status', 'phase'),
    createdAt: textAt(namespace, 'metadata', 'creationTimestamp'),
    labels: textsAt(namespace, 'metadata', 'labels'),
  });
}
