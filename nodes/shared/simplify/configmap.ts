import type { KubeObject } from '../../../core/kube';
import { at, defined, textAt, textsAt } from '../json';

/** A ConfigMap in flat fields: its texts, and the names of what is no text. */
export function simplifyConfigmap(configmap: KubeObject): object {
  return defined({
    name: textAt(configmap, 'metadata', 'name'),
    namespace: textAt(configmap, 'metadata', 'namespace'),
    data: textsAt(configmap, 'data'),
    binaryKeys: Object.keys(textsAt(configmap, 'binaryData')),
    immutable: at(configmap, 'immutable') === true,
    createdAt: textAt(configmap, 'metadata', 'creationTimestamp'),
    labels: textsAt(configmap, 'metadata', 'labels'),
  });
}
