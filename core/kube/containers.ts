import { NavinError } from '../errors';
import { isRecord, type KubeObject } from './kubeObject';
import { chooseContainer } from './logRefusals';
import { quoted } from './subject';

/** The container that `kubectl` and we take when none is named. */
const DEFAULT_CONTAINER = 'kubectl.kubernetes.io/default-container';

/** Names of the containers of a Pod, in the order of its spec. */
export interface ContainerNames {
  readonly containers: readonly string[];
  readonly initContainers: readonly string[];
  readonly ephemeralContainers: readonly string[];
}

/** Reads the names of a Pod's containers. */
export function containerNames(pod: KubeObject): ContainerNames {
  const spec = isRecord(pod.spec) ? pod.spec : {};
  return {
    containers: namesIn(spec.containers),
    initContainers: namesIn(spec.initContainers),
    ephemeralContainers: namesIn(spec.ephemeralContainers),
  };
}

/**
 * The container to read: the wanted one, else that of the annotation `kubectl.kubernetes.io/default-container`, else the
 * only one.
 *
 * @throws NavinError `k8s_parameter_invalid` with the names of all when there is no such container, or none is wanted and
 * there are several
 */
export function defaultContainer(pod: KubeObject, wanted?: string): string {
  const { containers, initContainers, ephemeralContainers } = containerNames(pod);
  const all = [...containers, ...initContainers, ...ephemeralContainers];
  const name = wanted ?? pod.metadata.annotations?.[DEFAULT_CONTAINER];
  if (name !== undefined && all.includes(name)) return name;
  const [only, second] = containers;
  if (wanted === undefined && only !== undefined && second === undefined) return only;
  const { namespace } = pod.metadata;
  const place = namespace === undefined ? '' : ` in namespace ${quoted(namespace)}`;
  const { code, message, hint, details } = chooseContainer(
    `Pod ${quoted(pod.metadata.name ?? '')}${place}`,
    all,
    wanted === undefined ? 'choose-container' : 'unknown-container',
    wanted,
  );
  throw new NavinError(code, message, {
    ...(hint === undefined ? {} : { hint }),
    ...(details === undefined ? {} : { details }),
  });
}

/** Where a container is in its life. `restarts` tells its runs apart. */
export type ContainerState =
  | { readonly phase: 'waiting'; readonly reason: string | undefined; readonly restarts: number }
  | { readonly phase: 'running'; readonly restarts: number }
  | { readonly phase: 'ended'; readonly restarts: number };

/** The state of a container, from the Pod's status; a Pod that says nothing of it is judged by its phase. */
export function containerState(pod: KubeObject, name: string): ContainerState {
  const status = isRecord(pod.status) ? pod.status : {};
  const own = ['containerStatuses', 'initContainerStatuses', 'ephemeralContainerStatuses']
    .flatMap((field) => (Array.isArray(status[field]) ? status[field].filter(isRecord) : []))
    .find((entry) => entry.name === name);
  const restarts = typeof own?.restartCount === 'number' ? own.restartCount : 0;
  const state = isRecord(own?.state) ? own.state : {};
  if (isRecord(state.terminated)) return { phase: 'ended', restarts };
  if (isRecord(state.running)) return { phase: 'running', restarts };
  if (status.phase === 'Succeeded' || status.phase === 'Failed') return { phase: 'ended', restarts };
  const { waiting } = state;
  if (isRecord(waiting)) {
    // In CrashLoopBackOff: the last run has ended, and its log is the current one until the next run begins.
    if (isRecord(own?.lastState) && isRecord(own.lastState.terminated)) return { phase: 'ended', restarts };
    return {
      phase: 'waiting',
      reason: typeof waiting.reason === 'string' ? waiting.reason : undefined,
      restarts,
    };
  }
  if (status.phase === 'Running') return { phase: 'running', restarts };
  return { phase: 'waiting', reason: undefined, restarts };
}

function namesIn(list: unknown): readonly string[] {
  return Array.isArray(list)
    ? list.filter(isRecord).flatMap((entry) => (typeof entry.name === 'string' ? [entry.name] : []))
    : [];
}
