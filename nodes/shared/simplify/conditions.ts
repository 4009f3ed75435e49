import type { KubeObject } from '../../../core/kube';
import { defined, listAt, textAt } from '../json';

/** What an object says of itself, each with why. */
export function conditionsOf(object: KubeObject): readonly object[] {
  return listAt(object, 'status', 'conditions').map((condition) =>
    defined({
      type: textAt(condition, 'type'),
      status: textAt(condition, 'status'),
      reason: textAt(condition, 'reason'),
      message: textAt(condition, 'message'),
    }),
  );
}
