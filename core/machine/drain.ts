import { isNavinError } from '../errors';
import { type KubeClient, RESOURCES } from '../kube';
import { answerProgress, isDrained, type PodProgress, seeProgress, startProgress, toEvict } from './drainProgress';
import { type EvictionOptions, tryEviction } from './evict';
import { type PodOnNode, readPodOnNode } from './podOnNode';

/** Evictions asked for at once. */
const AT_ONCE = 8;
/** How long a pod that could not be evicted is left alone, in ms; kubectl waits as long. */
const PAUSE_MS = 5_000;

/** Clock of a drain. */
export interface DrainClock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(ms: number, signal: AbortSignal | undefined): Promise<void>;
}

/** How a drain goes about it. */
export interface DrainOptions extends Pick<EvictionOptions, 'gracePeriodSeconds'> {
  readonly node: string;
  /** Only pods whose labels match. */
  readonly labelSelector?: string | undefined;
  readonly timeoutSeconds: number;
  readonly intervalSeconds: number;
  readonly clock: DrainClock;
  readonly signal: AbortSignal | undefined;
}

/** How far a drain came. */
export interface DrainResult {
  readonly pods: readonly PodProgress[];
  /** Whether all of them are gone. */
  readonly drained: boolean;
  /** Whole seconds. */
  readonly seconds: number;
}

/** The pods of a node in all namespaces; those that are no pods are left out. */
export async function podsOnNode(
  client: KubeClient,
  { node, labelSelector }: Pick<DrainOptions, 'node' | 'labelSelector'>,
): Promise<readonly PodOnNode[]> {
  const pods: PodOnNode[] = [];
  const selected = { fieldSelector: `spec.nodeName=${node}`, labelSelector, dropManagedFields: true };
  for await (const { items } of client.pages(RESOURCES.pods, selected)) {
    pods.push(...items.flatMap((pod) => readPodOnNode(pod) ?? []));
  }
  return pods;
}

/**
 * Evicts pods of a node and waits until they are gone. A pod whose budget has no room is tried again every five seconds,
 * faults that pass are waited out, and the deadline ends it all. What is known of the pods is looked up anew each time,
 * so that a drain can be stopped and begun again at any point.
 * @throws NavinError of an eviction or look that waiting does not help
 */
export async function drainPods(
  client: KubeClient,
  pods: readonly PodOnNode[],
  options: DrainOptions,
): Promise<DrainResult> {
  const { clock, signal } = options;
  const start = clock.now();
  const deadline = start + options.timeoutSeconds * 1_000;
  let progress = startProgress(pods);
  let nextTry = start;
  for (;;) {
    if (clock.now() >= nextTry) {
      progress = await evictAll(client, progress, options);
      nextTry = clock.now() + PAUSE_MS;
    }
    progress = await look(client, progress, options);
    const now = clock.now();
    const drained = isDrained(progress);
    if (drained || now >= deadline) return { pods: progress, drained, seconds: Math.round((now - start) / 1_000) };
    await clock.sleep(Math.min(options.intervalSeconds * 1_000, deadline - now), signal);
  }
}

async function evictAll(
  client: KubeClient,
  progress: readonly PodProgress[],
  { gracePeriodSeconds }: DrainOptions,
): Promise<readonly PodProgress[]> {
  const answers = new Map<string, PodProgress>();
  const waiting = toEvict(progress);
  for (let first = 0; first < waiting.length; first += AT_ONCE) {
    const batch = waiting.slice(first, first + AT_ONCE).map(async (pod) => {
      answers.set(pod.uid, answerProgress(pod, await tryEviction(client, pod, { gracePeriodSeconds })));
    });
    await Promise.all(batch);
  }
  return progress.map((pod) => answers.get(pod.uid) ?? pod);
}

/** A look that fails for now changes nothing: the next one tells. */
async function look(
  client: KubeClient,
  progress: readonly PodProgress[],
  options: DrainOptions,
): Promise<readonly PodProgress[]> {
  try {
    return seeProgress(progress, await podsOnNode(client, options));
  } catch (error) {
    if (isNavinError(error) && PASSING.has(error.code)) return progress;
    throw error;
  }
}

const PASSING: ReadonlySet<string> = new Set(['k8s_unreachable', 'k8s_timeout', 'k8s_throttled', 'k8s_server_error']);
