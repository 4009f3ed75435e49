import type { KubeObject } from '../../../core/kube';
import { defined, textAt, textsAt } from '../json';
import { conditionsOf } from './conditions';

/** A Namespace in flat fields; the conditions of one that is being deleted say what it waits for. */
export function simplifyNamespace(namespace: KubeObject): object {
  return defined({
    name: textAt(namespace, 'metadata', 'name'),
    status: textAt(namespace, 'status', 'phase'),
    conditions: conditionsOf(namespace),
    createdAt: textAt(namespace, 'metadata', 'creationTimestamp'),
    labels: textsAt(namespace, 'metadata', 'labels'),
  });
}
