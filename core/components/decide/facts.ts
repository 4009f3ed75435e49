import { compareResourceVersions, type KubeObject } from '../../kube';
import { requiredOf, type Budget } from '../budget';
import { fields, numberAt, textAt } from '../fields';
import { isWorkload, keyOf, type Ref } from '../objects';
import type { WorkloadStatus } from '../resource/status';
import { absentView, viewOf, type WorkloadView } from '../workload';
import { budgetName, type Wanted } from './compose';
import { guardedReplicas } from './bodies';
import type { Inventory } from './inventory';
import type { Observed } from './types';

/** What one workload shows, and what its budget asks of it. */
export interface WorkloadFacts {
  readonly ref: Ref;
  readonly view: WorkloadView;
  readonly required: number;
}

/** How long a StatefulSet may show no progress: it has no deadline of its own. The default of Deployments. */
export const PROGRESS_DEADLINE_MS = 600_000;

/** The live object: what was seen, or what came back from our last apply when that is newer. */
export function liveOf({ live, answers }: Observed, key: string): KubeObject | undefined {
  const seen = live.get(key);
  if (seen === undefined || seen === 'absent') return undefined;
  const answer = answers.get(key);
  if (answer === undefined || !('applied' in answer)) return seen;
  const { uid, resourceVersion = '' } = answer.applied.metadata;
  const isNewer = compareResourceVersions(seen.metadata.resourceVersion ?? '', resourceVersion) === -1;
  return isNewer && uid === seen.metadata.uid ? answer.applied : seen;
}

/** What the workloads that are wanted show. */
export function wantedFacts(wanted: readonly Wanted[], observed: Observed, now: number): readonly WorkloadFacts[] {
  const { spec, status } = observed.component;
  const [{ pdb }, installedAt] = [spec, status?.installedAt];
  return wanted.flatMap(({ ref, key, workload }) => {
    if (workload === undefined) return [];
    const live = liveOf(observed, key);
    const view =
      live === undefined
        ? absentView(workload.replicas, { wasThere: installedAt !== undefined })
        : withDeadline(ref, viewOf(live), observed, now);
    return [{ ref, view, required: requiredOf(pdb, guardedReplicas(workload, view)) }];
  });
}

/** What the workloads show that were applied before, when what is wanted cannot be said; their live budgets count. */
export function knownFacts(inventory: Inventory, observed: Observed, now: number): readonly WorkloadFacts[] {
  return [...inventory.values()].flatMap((ref) => {
    const live = liveOf(observed, keyOf(ref));
    if (!isWorkload(ref.kind) || live === undefined) return [];
    const view = withDeadline(ref, viewOf(live), observed, now);
    return [{ ref, view, required: requiredOf(liveBudget(ref, observed), view.desired) }];
  });
}

/** The live disruption budget the operator made for a workload. */
function liveBudgetObject(ref: Ref, observed: Observed): KubeObject | undefined {
  return liveOf(
    observed,
    keyOf({ group: 'policy', version: 'v1', kind: 'PodDisruptionBudget', name: budgetName(ref) }),
  );
}

/** Whether the numbers of a live budget are of its newest generation. One that is yet to come has none to wait for. */
export function isBudgetCurrent(ref: Ref, observed: Observed): boolean {
  const budget = liveBudgetObject(ref, observed);
  return budget === undefined || numberAt(budget, 'status', 'observedGeneration') === budget.metadata.generation;
}

function liveBudget(ref: Ref, observed: Observed): Budget {
  const { minAvailable, maxUnavailable } = fields(liveBudgetObject(ref, observed), 'spec');
  return {
    ...(typeof minAvailable === 'number' || typeof minAvailable === 'string' ? { minAvailable } : {}),
    ...(typeof maxUnavailable === 'number' || typeof maxUnavailable === 'string' ? { maxUnavailable } : {}),
  };
}

function withDeadline(ref: Ref, view: WorkloadView, { component }: Observed, now: number): WorkloadView {
  if (ref.kind !== 'StatefulSet' || (view.rollout !== 'progressing' && view.rollout !== 'unobserved')) return view;
  const before = statusOf(ref, component.status?.workloads);
  if (before === undefined || !hasSameNumbers(before, view)) return view;
  return now - Date.parse(before.changedAt) >= PROGRESS_DEADLINE_MS ? { ...view, rollout: 'failed' } : view;
}

/** What the status says about a workload. */
export function statusOf(ref: Ref, workloads: readonly WorkloadStatus[] = []): WorkloadStatus | undefined {
  return workloads.find(({ kind, name }) => kind === ref.kind && name === ref.name);
}

/** Whether the numbers of a workload are what they were. */
export function hasSameNumbers(before: WorkloadStatus, view: WorkloadView): boolean {
  return (['desired', 'current', 'updated', 'ready', 'available'] as const).every(
    (name) => before[name] === view[name],
  );
}

/** Whether a live claim has lost its volume. */
export function isLost(object: KubeObject | undefined): boolean {
  return object?.kind === 'PersistentVolumeClaim' && textAt(object, 'status', 'phase') === 'Lost';
}
