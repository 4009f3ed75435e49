import type { KubeObject } from '../../../core/kube';
import { at, defined, listAt, textAt, textsAt } from '../json';

/** Set by `kubectl apply`: the whole object once more. */
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** A ServiceAccount in flat fields. Annotations are kept: they say which role of a cloud the account stands for. */
export function simplifyServiceaccount(account: KubeObject): object {
  const annotations = Object.entries(textsAt(account, 'metadata', 'annotations'));
  return defined({
    name: textAt(account, 'metadata', 'name'),
    namespace: textAt(account, 'metadata', 'namespace'),
    automountToken: at(account, 'automountServiceAccountToken') !== false,
    imagePullSecrets: listAt(account, 'imagePullSecrets').flatMap((secret) => textAt(secret, 'name') ?? []),
    secrets: listAt(account, 'secrets').flatMap((secret) => textAt(secret, 'name') ?? []),
    annotations: Object.fromEntries(annotations.filter(([key]) => key !== LAST_APPLIED)),
    createdAt: textAt(account, 'metadata', 'creationTimestamp'),
    labels: textsAt(account, 'metadata', 'labels'),
  });
}
