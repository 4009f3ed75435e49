import { conditionOf, known, recordAt, textAt } from './fields';
import type { ConditionRule } from './rule';

/** A Node is not ready (False, or Unknown when its kubelet is silent) for longer than N. */
export const nodeNotReady: ConditionRule = {
  resources: ['nodes'],
  about: 'A Node is not ready for longer than a time',
  timer: 'hold',
  oneAtATime: true,
  lasting: true,
  examine: (node) => {
    const ready = conditionOf(node, 'Ready');
    if (!ready || ready.status === 'True') return { findings: [] };
    const since = textAt(ready, 'lastTransitionTime');
    const facts = known({
      status: textAt(ready, 'status'),
      reason: textAt(ready, 'reason'),
      message: textAt(ready, 'message'),
      since,
    });
    return { findings: [{ slot: 'ready', key: since ?? 'not-ready', facts }] };
  },
};

/**
 * A PersistentVolumeClaim is not bound for longer than N. A claim whose storage class waits for its first consumer is
 * pending by design until a Pod uses it.
 */
export const claimPending: ConditionRule = {
  resources: ['persistentvolumeclaims'],
  about: 'A claim for storage is pending for longer than a time',
  timer: 'hold',
  lasting: true,
  examine: (claim) => {
    if (recordAt(claim, 'status').phase !== 'Pending') return { findings: [] };
    const facts = known({ storageClass: textAt(recordAt(claim, 'spec'), 'storageClassName') });
    // A claim is never pending again once it was bound.
    return { findings: [{ slot: 'claim', key: 'pending', facts }] };
  },
};
