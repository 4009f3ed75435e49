import type { KubeObject } from '../../../core/kube';
import { textAt } from '../../shared/json';
import { lastSeen } from '../../shared/simplify';

/** The uid that a kubelet knows a pod by which it made from a file; the API server gave that another one. */
const MIRROR = 'kubernetes.io/config.mirror';

/** Tells events about this very object from those about an earlier one of its name. */
export function isAbout(object: KubeObject): (event: KubeObject) => boolean {
  const { uid, name, annotations, creationTimestamp } = object.metadata;
  const own: ReadonlySet<string | undefined> = new Set([uid, annotations?.[MIRROR]]);
  const created = Date.parse(creationTimestamp ?? '') || 0;
  return (event) => {
    const subject = textAt(event, 'involvedObject', 'uid') ?? '';
    if (subject !== '' && subject !== name) return own.has(subject);
    // Without a uid (a kubelet writes the name of its node there) the time has to tell.
    return (Date.parse(lastSeen(event)) || 0) >= created;
  };
}
