import { NavinError } from '../errors';
import { containerState, defaultContainer } from './containers';
import { KubeApiError } from './errors';
import type { KubeObject } from './kubeObject';
import type { PodRef } from './logs';
import { quoted } from './subject';

/** The run of a container that is followed. `restarts` is undefined when the Pod may not be read. */
export interface ContainerRun {
  readonly container: string | undefined;
  /** Of the Pod: a StatefulSet makes another one of the same name. */
  readonly uid: string | undefined;
  readonly restarts: number | undefined;
}

/**
 * What is known of a run. `previous`: the next one has begun. `lost`: so has the one after that, and its log can no longer
 * be asked for. `gone`: the Pod does not exist any more, whatever has its name by now. `unknown`: the Pod may not be read.
 */
export type RunState = 'waiting' | 'running' | 'ended' | 'previous' | 'lost' | 'gone' | 'unknown';

/** What looking at a Pod needs from outside. */
export interface RunMeans {
  readonly readPod: (signal?: AbortSignal) => Promise<KubeObject>;
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  readonly now: () => number;
}

/** Which container, and how long to wait for it. */
export interface RunOptions {
  readonly container?: string | undefined;
  /** In ms. */
  readonly startTimeoutMs: number;
  /** Do not wait: it is the run before that is wanted. */
  readonly previous: boolean;
  readonly signal: AbortSignal | undefined;
}

const START_POLL_MS = 1000;

/**
 * Waits until a container has started, and notes which run of it that is.
 *
 * @throws NavinError `k8s_timeout` with `details.waitingReason`; `k8s_parameter_invalid` when the container is not clear
 */
export async function waitForStart(means: RunMeans, ref: PodRef, options: RunOptions): Promise<ContainerRun> {
  const end = means.now() + options.startTimeoutMs;
  for (;;) {
    const pod = await podOrNothing(means, options.signal);
    if (pod === undefined) return { container: options.container, uid: undefined, restarts: undefined };
    const container = defaultContainer(pod, options.container);
    const state = containerState(pod, container);
    if (state.phase !== 'waiting' || options.previous)
      return { container, uid: pod.metadata.uid, restarts: state.restarts };
    if (means.now() >= end) throw notStarted(ref, container, state.reason, options.startTimeoutMs);
    await means.sleep(START_POLL_MS, options.signal);
  }
}

/** Where a run is now. @throws NavinError of the request */
export async function stateOfRun(
  means: RunMeans,
  run: ContainerRun,
  signal: AbortSignal | undefined,
): Promise<RunState> {
  if (run.container === undefined || run.restarts === undefined) return 'unknown';
  try {
    const pod = await podOrNothing(means, signal);
    if (pod === undefined) return 'unknown';
    if (pod.metadata.uid !== run.uid) return 'gone';
    const { phase, restarts } = containerState(pod, run.container);
    if (restarts === run.restarts) return phase;
    return restarts === run.restarts + 1 ? 'previous' : 'lost';
  } catch (error) {
    if (error instanceof KubeApiError && error.code === 'k8s_not_found') return 'gone';
    throw error;
  }
}

/** The Pod; undefined when the credential may not read it. */
async function podOrNothing(means: RunMeans, signal: AbortSignal | undefined): Promise<KubeObject | undefined> {
  try {
    return await means.readPod(signal);
  } catch (error) {
    if (error instanceof KubeApiError && error.code === 'k8s_forbidden') return undefined;
    throw error;
  }
}

function notStarted(ref: PodRef, container: string, reason: string | undefined, milliseconds: number): NavinError {
  const why = reason === undefined ? '' : ` (${reason})`;
  const seconds = Math.round(milliseconds / 1000);
  return new NavinError(
    'k8s_timeout',
    `The container ${quoted(container)} of Pod ${quoted(ref.name)} did not start within ${seconds} s${why}.`,
    {
      hint: 'Look at the events of the Pod: an image that cannot be pulled, a missing ConfigMap or Secret, no node with room.',
      details: { log: 'waiting', waitingReason: reason ?? null, container },
    },
  );
}
