import { without } from '../fields';
import { COMPONENT_FINALIZER } from '../names';
import { isAutoscaler, keyOf } from '../objects';
import { MAX_INVENTORY, type Accepted, type ComponentStatus, type InventoryEntry } from '../resource/status';
import { viewOf } from '../workload';
import { carryOut } from './carryOut';
import { nameOf, type Wanted } from './compose';
import { isLost, knownFacts, liveOf } from './facts';
import { inputsOf } from './inputs';
import { drifted, inventoryOf, type Inventory } from './inventory';
import { inMaintenance, permit, type Permission } from './maintenance';
import { operationOf, type Operation } from './operation';
import type { Outcome } from './outcome';
import { prepare, type Preparation } from './prepare';
import { decideRemoval } from './remove';
import { replicasOnly, targetOf } from './replicasOnly';
import { report } from './report';
import type { Decision, Desired, Observed } from './types';

/**
 * What to do next for a component, and what its status is: a function of what was seen, of what the chart says and of the
 * time. Nothing is remembered between two decisions but what stands in the cluster, so an operator that was restarted
 * decides the same.
 *
 * What is about to be done is written into the status first (`accepted`, `inventory`, `retainedClaims`), and done only
 * when it is seen there. The status is written against the version of the resource that was seen, so nothing is done for a
 * spec that somebody has changed meanwhile, and nothing is applied that is not in the inventory.
 *
 * @param now ms since 1970
 */
export function decide(observed: Observed, desired: Desired, now: number): Decision {
  const { component } = observed;
  if (component.metadata.deletionTimestamp !== undefined) return decideRemoval(observed, now);
  if (component.metadata.finalizers?.includes(COMPONENT_FINALIZER) !== true) {
    return { status: component.status ?? {}, actions: [{ type: 'addFinalizer' }] };
  }
  const operation = operationOf(component, now);
  return report(observed, proceed(observed, desired, operation, now), operation, now);
}

function proceed(observed: Observed, desired: Desired, operation: Operation, now: number): Outcome {
  const { spec, status } = observed.component;
  const asked = inputsOf(spec);
  const inventory = inventoryOf(status?.inventory);
  const target = targetOf(observed, inventory);
  const permission = permit(asked, status?.accepted, target && viewOf(target.live).desired);
  const accepts: Accepted = { ...permission.accepts, operation: operation.type };
  const before = status?.accepted;
  const isAccepted = before !== undefined && sameInputs(before, accepts);
  // The operation that was accepted last stays, when nothing new is accepted.
  const accepted = isAccepted ? before : accepts;
  if (permission.isHeld) return heldOutcome({ observed, inventory, permission, accepted, isAccepted, now });
  const { wanted, actions = [], ...preparation } = prepare(observed, desired, { asked, inventory, now });
  if (asked.maintenance && isAccepted && isOtherChart(preparation.chart, status)) {
    const refused = { ...permission, isHeld: true, refused: ['configure'] } as const;
    return heldOutcome({ observed, inventory, permission: refused, accepted, isAccepted, now });
  }
  if (wanted === undefined) {
    return unpreparedOutcome({ observed, inventory, permission, preparation: { ...preparation, actions }, now });
  }
  const intended = intendedInventory(wanted, inventory);
  if (intended.length > MAX_INVENTORY) {
    const message = `The chart renders too many new objects while ${inventory.size} are still listed.`;
    const tooMany = { ...preparation, failed: { reason: 'TooManyObjects', message } } as const;
    return unpreparedOutcome({ observed, inventory, permission, preparation: tooMany, now });
  }
  const isWritten = isAccepted && wanted.every(({ key }) => inventory.has(key));
  const isStopped = accepted.desiredState === 'Stopped';
  const { maintenance: isMaintained } = asked;
  const errand = { observed, wanted, inventory, isStopped, isMaintained, now };
  const outcome = { ...carryOut(errand), ...preparation, accepted };
  const refusal = refusalOf(permission);
  if (isWritten) return { ...outcome, ...refusal };
  const next = withoutRecords(intended, outcome.inventory);
  return { ...outcome, ...refusal, actions: [], inventory: next, isApplied: false, isDone: false };
}

/** What is about to become something else is written down so at once. */
function withoutRecords(
  intended: readonly InventoryEntry[],
  next: readonly InventoryEntry[],
): readonly InventoryEntry[] {
  const unrecorded = new Set(next.filter(({ digest }) => digest === undefined).map(keyOf));
  return intended.map((entry) => (unrecorded.has(keyOf(entry)) ? without(entry, 'digest', 'fields') : entry));
}

interface Held {
  readonly observed: Observed;
  readonly inventory: Inventory;
  readonly permission: Permission;
  readonly now: number;
}

/** The configuration is refused: nothing of it is looked at. What lives is watched, and may be stopped or scaled out. */
function heldOutcome(held: Held & { readonly accepted: Accepted; readonly isAccepted: boolean }): Outcome {
  const { observed, inventory, permission, accepted, isAccepted } = held;
  const isStopped = accepted.desiredState === 'Stopped';
  const steps = isStopped || permission.mayScaleOut ? replicasOnly(observed, inventory, isStopped) : [];
  return { ...knownOutcome(held), ...refusalOf(permission), accepted, actions: isAccepted ? steps : [] };
}

/** What is wanted cannot be said or applied: what was accepted before stays, but a stop is carried out all the same. */
function unpreparedOutcome({
  preparation,
  ...held
}: Held & { readonly preparation: Omit<Preparation, 'wanted'> }): Outcome {
  const { observed, inventory, permission } = held;
  const { actions = [], ...rest } = preparation;
  const before = observed.component.status?.accepted;
  const isStop = before !== undefined && permission.accepts.desiredState === 'Stopped';
  const accepted = isStop ? { ...before, desiredState: 'Stopped' as const } : before;
  const isAccepted = before?.desiredState === accepted?.desiredState;
  const steps = isStop && isAccepted ? replicasOnly(observed, inventory, true) : [];
  return { ...knownOutcome(held), ...rest, ...refusalOf(permission), accepted, actions: [...actions, ...steps] };
}

function knownOutcome({ observed, inventory, now }: Held): Outcome {
  const live = [...inventory.keys()].map((key) => liveOf(observed, key));
  return {
    actions: [],
    accepted: undefined,
    inventory: [...inventory.values()],
    workloads: knownFacts(inventory, observed, now),
    isApplied: false,
    isDone: false,
    hasLostStorage: live.some(isLost),
    drift: drifted(inventory, observed.live).map((entry) => nameOf(keyOf(entry))),
    claims: [],
    autoscalers: live.flatMap((object) => (object !== undefined && isAutoscaler(object.kind ?? '') ? [object] : [])),
  };
}

function refusalOf({ refused: [first] }: Permission): Pick<Outcome, 'blocked'> {
  return first === undefined ? {} : { blocked: inMaintenance(first) };
}

/** Whether the chart of the same spec is another one by now: a folder was changed. */
function isOtherChart(chart: Outcome['chart'], status: ComponentStatus | undefined): boolean {
  const before = status?.chart?.digest;
  return chart?.digest !== undefined && before !== undefined && chart.digest !== before;
}

function sameInputs(left: Accepted, right: Accepted): boolean {
  return (['configuration', 'desiredState', 'scale', 'minReplicas', 'maxReplicas', 'maintenance'] as const).every(
    (name) => left[name] === right[name],
  );
}

/** Everything that is about to exist, before it does: an operator that ends in between leaves nothing behind. */
function intendedInventory(wanted: readonly Wanted[], inventory: Inventory): readonly InventoryEntry[] {
  const added = wanted.filter(({ key }) => !inventory.has(key)).map(({ ref }) => ref);
  return [...inventory.values(), ...added];
}
