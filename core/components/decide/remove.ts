import { COMPONENT_FINALIZER } from '../names';
import { controllerOf, keyOf } from '../objects';
import { knownFacts, liveOf } from './facts';
import { digestOf } from '../canonical';
import { deletion, inventoryOf, leftClaims } from './inventory';
import { inMaintenance } from './maintenance';
import type { Operation } from './operation';
import type { Outcome } from './outcome';
import { report } from './report';
import type { Action, Decision, Observed } from './types';

/**
 * What to do for a component that is being deleted: delete everything of the inventory that it controls, by uid, and let
 * go of the resource when all of it is gone. In maintenance it waits; the spec can still be edited.
 */
export function decideRemoval(observed: Observed, now: number): Decision {
  const { metadata, spec, status } = observed.component;
  if (metadata.finalizers?.includes(COMPONENT_FINALIZER) !== true) return { status: status ?? {}, actions: [] };
  const key = digestOf({ removed: metadata.uid, maintenance: spec.maintenance ?? false });
  const before = status?.operation;
  const startedAt = before?.type === 'remove' ? before.startedAt : new Date(now).toISOString();
  const operation: Operation = { type: 'remove', key, startedAt, wasDone: false };
  if (spec.maintenance === true) {
    const outcome = { ...removal(observed, now), actions: [], claims: [], blocked: inMaintenance('remove') };
    return report(observed, outcome, operation, now);
  }
  return report(observed, { ...removal(observed, now), isRemoving: true }, operation, now);
}

function removal(observed: Observed, now: number): Outcome {
  const { metadata, status } = observed.component;
  const inventory = inventoryOf(status?.inventory);
  const unseen = [...inventory].filter(([key]) => !observed.live.has(key)).map(([, ref]) => ref);
  const left = [...inventory.values()].flatMap((entry) => {
    const live = liveOf(observed, keyOf(entry));
    return live !== undefined && controllerOf(live) === metadata.uid ? [{ entry, live }] : [];
  });
  const claims = left.flatMap(({ live }) => leftClaims(live));
  const written = status?.retainedClaims ?? [];
  const doomed = left.filter(
    ({ live }) =>
      live.metadata.deletionTimestamp === undefined && leftClaims(live).every((claim) => written.includes(claim)),
  );
  const refs = unseen.map(({ group, version, kind, name }) => ({ group, version, kind, name }));
  const isGone = left.length === 0 && unseen.length === 0;
  const actions: readonly Action[] = [
    ...(refs.length === 0 ? [] : [{ type: 'observe', refs } as const]),
    ...doomed.map(({ entry, live }) => deletion(entry, live)),
    ...(isGone ? [{ type: 'removeFinalizer' } as const] : []),
  ];
  return {
    actions,
    accepted: status?.accepted,
    // What is gone, or is not ours any more, is no longer listed.
    inventory: [...inventory.values()].filter(
      (entry) => !observed.live.has(keyOf(entry)) || left.some((one) => one.entry === entry),
    ),
    workloads: knownFacts(inventory, observed, now),
    isApplied: false,
    isDone: false,
    hasLostStorage: false,
    drift: [],
    claims,
    autoscalers: [],
  };
}
