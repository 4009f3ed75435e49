import type { KubeObject } from '../../../core/kube';
import { at, defined, textAt, textsAt } from '../json';

/** A Secret in flat fields: its keys, never its values. */
export function simplifySecret(secret: KubeObject): object {
  return defined({
    name: textAt(secret, 'metadata', 'name'),
    namespace: textAt(secret, 'metadata', 'namespace'),
    type: textAt(secret, 'type'),
    keys: Object.keys(textsAt(secret, 'data')),
    immutable: at(secret, 'immutable') === true,
    createdAt: textAt(secret, 'metadata', 'creationTimestamp'),
    labels: textsAt(secret, 'metadata', 'labels'),
  });
}
