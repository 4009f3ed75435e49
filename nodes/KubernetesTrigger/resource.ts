import { type ApiResource, findBuiltIn, type KubeClient } from '../../core/kube';
import { attempt } from '../shared/attempt';
import { parameterInvalid } from '../shared/parameters';
import type { TriggerMemory } from './memory';

/** An activation that can do without the cluster waits so long for it, ms. */
const PATIENCE_MS = 5_000;

/**
 * The resource a name means. What every cluster has needs no look. When the cluster does not answer, what the name meant
 * before does: a trigger with a stored state must get active although its cluster is down.
 * @throws NavinError `k8s_not_found` with near matches, or what kept the cluster from being asked
 */
export async function resolveResource(client: KubeClient, name: string, memory: TriggerMemory): Promise<ApiResource> {
  const wanted = name.trim();
  if (wanted === '') throw parameterInvalid('resource', 'Resource', 'is empty');
  const builtIn = findBuiltIn(wanted);
  if (builtIn !== undefined) return builtIn;
  const before = memory.state === undefined ? undefined : memory.resourceOf(wanted);
  if (before === undefined) return await client.resource(wanted);
  const patience = new AbortController();
  const timer = setTimeout(() => {
    patience.abort();
  }, PATIENCE_MS);
  try {
    const looked = await attempt(async () => await client.resource(wanted, patience.signal));
    return looked.error === undefined ? looked.value : before;
  } catch {
    // It took too long.
    return before;
  } finally {
    clearTimeout(timer);
  }
}
