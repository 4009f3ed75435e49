import { isNavinError } from '../errors';
import { type KubeClient, RESOURCES } from '../kube';
import type { EvictionAnswer } from './drainProgress';
import type { PodIdentity } from './podOnNode';

/** How a pod is evicted. */
export interface EvictionOptions {
  /** Seconds its containers have to end; the pod's own when absent. */
  readonly gracePeriodSeconds?: number | undefined;
  /** Budgets are asked, nothing is done. */
  readonly dryRun?: boolean | undefined;
}

/**
 * Asks for the eviction of a pod, which its disruption budgets may refuse. With a UID no other pod of the name is hit.
 * @throws NavinError `k8s_operation_refused` when a budget has no room; `k8s_conflict` when the UID is another
 */
export async function evictPod(
  client: KubeClient,
  { namespace, name, uid }: Omit<PodIdentity, 'uid'> & { readonly uid?: string | undefined },
  { gracePeriodSeconds, dryRun }: EvictionOptions,
): Promise<void> {
  const deleteOptions = {
    ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSeconds }),
    ...(uid === undefined ? {} : { preconditions: { uid } }),
    ...(dryRun === true ? { dryRun: ['All'] } : {}),
  };
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace }, deleteOptions };
  await client.create(RESOURCES.pods, { namespace, name, subresource: 'eviction' }, eviction, { dryRun });
}

/** The same for a drain: what can be waited out is an answer. @throws NavinError what lasts, for example a missing right */
export async function tryEviction(
  client: KubeClient,
  pod: PodIdentity,
  options: EvictionOptions,
): Promise<EvictionAnswer> {
  try {
    await evictPod(client, pod, options);
    return { kind: 'accepted' };
  } catch (error) {
    const answer = evictionAnswer(error);
    if (answer === undefined) throw error;
    return answer;
  }
}

/** What the error of an eviction means for a drain; undefined when waiting does not help. */
export function evictionAnswer(error: unknown): EvictionAnswer | undefined {
  if (!isNavinError(error)) return undefined;
  const { code, message } = error;
  if (error.details.refusedBy === 'DisruptionBudget') {
    const { budget } = error.details;
    return { kind: 'blocked', budget: typeof budget === 'string' ? budget : undefined, message };
  }
  if (code === 'k8s_not_found' && error.details.missing !== 'kind') return { kind: 'gone' };
  // Nothing shrinks the number of budgets by itself, but somebody may.
  if (message.includes('more than one PodDisruptionBudget')) return { kind: 'blocked', message };
  if (error.details.refusedBy === 'namespace-terminating') return { kind: 'failed', message };
  // An eviction may be asked for again without harm: it ends one pod only, by its UID.
  return PASSING.has(code) ? { kind: 'failed', message } : undefined;
}

const PASSING: ReadonlySet<string> = new Set([
  // The UID belongs to another pod by now, or somebody changed the pod: the next look tells.
  'k8s_conflict',
  'k8s_outcome_unknown',
  'k8s_unreachable',
  'k8s_timeout',
  'k8s_throttled',
  'k8s_server_error',
]);
