import { type KubeClient, type KubeObject, RESOURCES, selectorMatches } from '../../../../core/kube';
import { attempt } from '../../../shared/attempt';
import { at, numberAt, textAt, textsAt } from '../../../shared/json';

/** The right to look for disruption budgets. */
export const BUDGET_RIGHT = {
  verb: 'list',
  group: 'policy',
  resource: 'poddisruptionbudgets',
  optional: true,
} as const;

/** The most budgets of a namespace that are looked through. */
const MAX_BUDGETS = 2_000;

/**
 * Warns of a disruption budget that has no room now: a rollout takes pods away although no budget is asked. Nothing is
 * said where the credential may not list budgets.
 */
export async function budgetWarnings(
  client: KubeClient,
  namespace: string,
  workload: KubeObject,
): Promise<readonly string[]> {
  const labels = textsAt(workload, 'spec', 'template', 'metadata', 'labels');
  const looked = await attempt(async () => {
    const options = { namespace, maxItems: MAX_BUDGETS };
    for await (const { items } of client.pages(RESOURCES.poddisruptionbudgets, options)) {
      const full = items.find((budget) => hasNoRoom(budget) && selectorMatches(at(budget, 'spec', 'selector'), labels));
      if (full !== undefined) return warningOf(full);
    }
    return undefined;
  });
  if (looked.error === undefined) return looked.value === undefined ? [] : [looked.value];
  if (looked.error.code === 'k8s_forbidden' || looked.error.code === 'k8s_not_found') return [];
  throw looked.error;
}

/** A budget that expects no pods says nothing of these. */
function hasNoRoom(budget: KubeObject): boolean {
  return (
    numberAt(budget, 'status', 'disruptionsAllowed') === 0 && (numberAt(budget, 'status', 'expectedPods') ?? 0) > 0
  );
}

function warningOf(budget: KubeObject): string {
  const [healthy, needed] = ['currentHealthy', 'desiredHealthy'].map((field) =>
    String(numberAt(budget, 'status', field) ?? 0),
  );
  return `the PodDisruptionBudget ${textAt(budget, 'metadata', 'name') ?? ''} has no room: ${healthy ?? ''} pods are healthy, and it asks for ${needed ?? ''}`;
}
