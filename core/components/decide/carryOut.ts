import type { KubeObject } from '../../kube';
import { requiredOf } from '../budget';
import { fields, textAt, without } from '../fields';
import { isAutoscaler, keyOf, stageOf } from '../objects';
import { RESTART_ANNOTATION, TEMPLATE_ANNOTATION } from '../names';
import type { Because } from '../reasons';
import type { InventoryEntry } from '../resource/status';
import { isSettled, strategyOf, viewOf, type WorkloadView } from '../workload';
import { applicationOf, guardedReplicas } from './bodies';
import { nameOf, type Wanted, type WantedWorkload } from './compose';
import { isBudgetCurrent, isLost, liveOf, wantedFacts } from './facts';
import { replacementGate } from './gate';
import { leftClaims, prune, type Inventory, type Pruning } from './inventory';
import { inMaintenance } from './maintenance';
import { heldFields } from './ownership';
import type { Outcome } from './outcome';
import { replicaStep, type ReplicaStep } from './replicas';
import type { Action, Application, Observed } from './types';

/** When an apply that was refused is tried again, in ms. What cannot be changed is not: that would be refused again. */
const APPLY_AGAIN_MS = 300_000;

/** What is to be carried out. */
export interface Errand {
  readonly observed: Observed;
  readonly wanted: readonly Wanted[];
  readonly inventory: Inventory;
  readonly isStopped: boolean;
  readonly isMaintained: boolean;
  readonly now: number;
}

/**
 * Why an object is to be applied: it is new, it is to be something else, or it is to be again what it was. `waits`: it is
 * being deleted, or was refused and is not tried yet.
 */
type Need = 'none' | 'new' | 'changed' | 'repair' | 'waits';

interface Item {
  readonly wanted: Wanted;
  readonly live: KubeObject | undefined;
  readonly view: WorkloadView | undefined;
  readonly application: Application;
  readonly entry: InventoryEntry;
  readonly need: Need;
  /** Why its Pods may not be replaced yet. */
  readonly closed: Because | undefined;
  /** Whether to apply it would replace them. */
  readonly isHeld: boolean;
  readonly restart: 'none' | 'pending';
  readonly refusal: { readonly because: Because; readonly againAt?: number } | undefined;
  /** Somebody else holds what was applied once: that is told as drift, and no operation waits for it. */
  readonly isDrifted: boolean;
}

/** The next steps towards what is wanted. Everything here was accepted, and is written down in the status. */
export function carryOut(errand: Errand): Omit<Outcome, 'accepted' | 'verdict' | 'chart'> {
  const { observed, wanted, inventory, now, isStopped } = errand;
  const items = wanted.map((one) => itemOf(one, errand));
  const keys = new Set(wanted.map(({ key }) => key));
  const isApplied = items.every(({ need, isDrifted }) => need === 'none' || isDrifted);
  const workloads = wantedFacts(wanted, observed, now);
  const isRolledOut = workloads.every(({ view }) => (isStopped ? view.rollout === 'stopped' : isSettled(view)));
  const pruning = prune(inventory, keys, observed, { isApplied, isSettled: isRolledOut });
  const batch = batchOf(items, pruning);
  const outdated = outdatedBy(batch, inventory);
  const steps = pruning.hasAutoscaler ? [] : stepsOf(items, batch, errand);
  const claims = claimsOf(pruning, observed);
  const isPending = pruning.isPending || pruning.hasAutoscaler || steps.some((step) => 'action' in step || step.waits);
  const hasLostStorage = items.some(({ live }) => isLost(live));
  const isRestarting = items.some(({ restart }) => restart === 'pending');
  return {
    actions: [
      ...(batch.length === 0 || outdated.size > 0 ? [] : [{ type: 'apply', objects: batch } as const]),
      ...steps.flatMap((step) => ('action' in step ? [step.action] : [])),
      ...deletionsOf(pruning, observed),
    ],
    inventory: [
      ...items.map(({ entry, wanted: { key } }) => (outdated.has(key) ? without(entry, 'digest', 'fields') : entry)),
      ...pruning.kept,
    ],
    workloads,
    isApplied,
    isDone: isApplied && isRolledOut && !isPending && !isRestarting,
    hasLostStorage,
    claims,
    autoscalers: items.flatMap(({ live, wanted: { ref } }) => (live && isAutoscaler(ref.kind) ? [live] : [])),
    ...verdictOf(
      items,
      isApplied,
      workloads.filter(({ view }) => view.rollout === 'held').map(({ ref }) => ref.name),
    ),
    ...driftOf(items),
    ...againOf(items, now),
  };
}

function itemOf(wanted: Wanted, errand: Errand): Item {
  const { observed, inventory, now } = errand;
  const { key, ref, workload } = wanted;
  const live = liveOf(observed, key);
  const view = live === undefined || workload === undefined ? undefined : viewOf(live);
  const restart = workload === undefined ? NO_RESTART : restartOf(wanted, workload, live, view, errand);
  const isChanged = live !== undefined && live.metadata.annotations?.[TEMPLATE_ANNOTATION] !== workload?.template;
  const application = applicationOf(wanted, {
    component: observed.component,
    isStopped: errand.isStopped,
    live,
    view,
    restartedAt: restart.at,
    disruptive: restart.isNow || (workload !== undefined && isChanged),
  });
  const answer = observed.answers.get(key);
  const isAnswer = answer?.digest === application.digest;
  const entry =
    isAnswer && 'applied' in answer ? recorded(ref, application, answer.applied) : (inventory.get(key) ?? { ...ref });
  const refused = isAnswer && 'refused' in answer ? answer : undefined;
  const againAt = refused?.refused.reason === 'ImmutableField' ? undefined : (refused?.at ?? 0) + APPLY_AGAIN_MS;
  const refusal = refused && { because: refused.refused, ...(againAt === undefined ? {} : { againAt }) };
  const isEarly = refusal !== undefined && (againAt === undefined || now < againAt);
  const need = needOf(live, entry, application.digest);
  const replaces = (need === 'changed' && isChanged) || (need === 'repair' && live !== undefined);
  const closed = replaces ? templateGate(wanted, view, errand) : undefined;
  return {
    wanted,
    live,
    view,
    application,
    entry: { ...without(entry, 'retained'), ...ref },
    need: need !== 'none' && isEarly ? 'waits' : need,
    closed: closed ?? restart.closed,
    isHeld: closed !== undefined,
    restart: restart.isPending ? 'pending' : 'none',
    refusal: isEarly ? refusal : undefined,
    isDrifted: isEarly && need === 'repair' && live !== undefined,
  };
}

function needOf(live: KubeObject | undefined, entry: InventoryEntry, digest: string): Need {
  if (live === undefined) return entry.digest === digest ? 'repair' : 'new';
  if (live.metadata.deletionTimestamp !== undefined) return 'waits';
  if (entry.digest !== digest) return 'changed';
  const held = heldFields(live);
  return held === undefined || held === entry.fields ? 'none' : 'repair';
}

interface Restart {
  /** The time the pod template is to show. */
  readonly at: string | undefined;
  readonly isPending: boolean;
  /** Whether it begins with this pass. */
  readonly isNow: boolean;
  readonly closed: Because | undefined;
}

const NO_RESTART: Restart = { at: undefined, isPending: false, isNow: false, closed: undefined };

/** Until its gate opens, a pod template keeps the time it has. */
function restartOf(
  wanted: Wanted,
  workload: WantedWorkload,
  live: KubeObject | undefined,
  view: WorkloadView | undefined,
  errand: Errand,
): Restart {
  const asked = errand.observed.component.spec.restartRequestedAt;
  if (live === undefined || view === undefined) return { ...NO_RESTART, at: asked };
  const shown = textAt(live, 'spec', 'template', 'metadata', 'annotations', RESTART_ANNOTATION);
  if (asked === undefined || asked === shown) return { ...NO_RESTART, at: shown };
  const closed = errand.isMaintained ? inMaintenance('restart') : gateOf(wanted, workload, view, errand);
  return { at: closed === undefined ? asked : shown, isPending: true, isNow: closed === undefined, closed };
}

/** A new pod template ends Pods of a StatefulSet, or of a Deployment that recreates, as a restart does. */
function templateGate(wanted: Wanted, view: WorkloadView | undefined, errand: Errand): Because | undefined {
  const { workload, ref } = wanted;
  if (workload === undefined || view === undefined) return undefined;
  const { type } = wantedStrategy(wanted);
  const endsFirst = type === 'recreate' || (type === 'rolling' && ref.kind === 'StatefulSet');
  return endsFirst ? gateOf(wanted, workload, view, errand) : undefined;
}

function gateOf(wanted: Wanted, workload: WantedWorkload, view: WorkloadView, errand: Errand): Because | undefined {
  const { ref, key } = wanted;
  const { observed, isStopped } = errand;
  if (isStopped) return undefined;
  return replacementGate({
    name: nameOf(key),
    kind: ref.kind,
    view: { ...view, strategy: wantedStrategy(wanted) },
    replicas: workload.autoscaler === undefined ? Math.min(view.desired, workload.replicas) : view.desired,
    required: requiredOf(observed.component.spec.pdb, guardedReplicas(workload, view)),
    isBudgetCurrent: isBudgetCurrent(ref, observed),
  });
}

function wantedStrategy({ ref, object }: Wanted): WorkloadView['strategy'] {
  return strategyOf(ref.kind, fields(object, 'spec'));
}

/**
 * What is applied together now. While the Pods of one workload may not be replaced yet, or one object was refused, nothing
 * new of the configuration is applied; what was applied before is still put right.
 */
function batchOf(items: readonly Item[], pruning: Pruning): readonly Application[] {
  const isHeld = items.some(
    ({ need, isHeld: held, isDrifted, refusal }) => held || (need === 'waits' && refusal !== undefined && !isDrifted),
  );
  return items
    .filter((item) => (item.need === 'repair' ? !item.isHeld : !isHeld && isNews(item.need)))
    .filter(({ wanted: { ref } }) => !(pruning.hasAutoscaler && isAutoscaler(ref.kind)))
    .map(({ application }) => application)
    .sort((left, right) => stageOf(left.ref.kind) - stageOf(right.ref.kind));
}

/**
 * Objects that are about to become something else than what is recorded of them. The record goes first: when the answer to
 * the apply is lost and the spec is taken back, it would say that nothing has to be done.
 */
function outdatedBy(batch: readonly Application[], inventory: Inventory): ReadonlySet<string> {
  const changed = batch.filter(({ ref, digest }) => {
    const recorded = inventory.get(keyOf(ref))?.digest;
    return recorded !== undefined && recorded !== digest;
  });
  return new Set(changed.map(({ ref }) => keyOf(ref)));
}

function isNews(need: Need): boolean {
  return need === 'new' || need === 'changed';
}

function stepsOf(items: readonly Item[], batch: readonly Application[], errand: Errand): readonly ReplicaStep[] {
  const { observed, isStopped, isMaintained } = errand;
  const busy = new Set(batch.map(({ ref }) => `${ref.kind}/${ref.name}`));
  return items.flatMap(({ wanted, live, view }) => {
    const { workload, ref } = wanted;
    if (workload === undefined || live === undefined || view === undefined) return [];
    // Its version is another one after the apply.
    if (busy.has(`${ref.kind}/${ref.name}`)) return [{ waits: true }];
    const { autoscaler } = workload;
    const scaledObject = autoscaler?.kind === 'ScaledObject' ? liveOf(observed, autoscaler.key) : undefined;
    const budget = observed.component.spec.pdb;
    return [replicaStep({ wanted, workload, live, view, isStopped, isMaintained, budget, scaledObject })];
  });
}

/** Claims that are left behind are written down before the set that knows them goes. */
function claimsOf({ actions }: Pruning, observed: Observed): readonly string[] {
  return actions.flatMap((action) => claimsOfDeletion(action, observed));
}

function deletionsOf({ actions }: Pruning, observed: Observed): readonly Action[] {
  const written = observed.component.status?.retainedClaims ?? [];
  return actions.filter((action) => claimsOfDeletion(action, observed).every((claim) => written.includes(claim)));
}

function claimsOfDeletion(action: Action, observed: Observed): readonly string[] {
  if (action.type !== 'delete') return [];
  const { group, kind, name } = action.ref;
  const live = liveOf(observed, `${group}/${kind}/${name}`);
  return live === undefined ? [] : leftClaims(live);
}

/** Why the errand does not go on, if so. */
function verdictOf(
  items: readonly Item[],
  isApplied: boolean,
  held: readonly string[],
): Pick<Outcome, 'failed' | 'blocked'> {
  const refused = items.find(({ refusal, entry, application }) => refusal && entry.digest !== application.digest);
  if (refused?.refusal !== undefined) return { failed: refused.refusal.because };
  const closed = items.find((item) => item.closed !== undefined)?.closed;
  if (closed !== undefined) return { blocked: closed };
  const [name] = held;
  if (!isApplied || name === undefined) return {};
  const message = `${name} has Pods of an older revision, and its update strategy does not replace them by itself.`;
  return { blocked: { reason: 'HeldByStrategy', message } };
}

/** What somebody else changed and the API server does not let us put right. */
function driftOf(items: readonly Item[]): Pick<Outcome, 'drift' | 'driftBecause'> {
  const stuck = items.filter(({ refusal, entry, application }) => refusal && entry.digest === application.digest);
  const [first] = stuck;
  const drift = stuck.map(({ wanted }) => nameOf(wanted.key));
  return first?.refusal === undefined ? { drift } : { drift, driftBecause: first.refusal.because };
}

function againOf(items: readonly Item[], now: number): { readonly againAfterMs?: number } {
  const times = items.flatMap(({ refusal }) => (refusal?.againAt === undefined ? [] : [refusal.againAt - now]));
  return times.length === 0 ? {} : { againAfterMs: Math.min(...times) };
}

function recorded(ref: Wanted['ref'], { digest }: Application, applied: KubeObject): InventoryEntry {
  const held = heldFields(applied);
  const { uid } = applied.metadata;
  return { ...ref, digest, ...(uid === undefined ? {} : { uid }), ...(held === undefined ? {} : { fields: held }) };
}
