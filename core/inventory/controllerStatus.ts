import type { KubeObject } from '../kube';
import { countAt, defined, recordsAt, textAt } from './reading';
import { readWorkload, type Workload } from './workload';

/** Who of the replicas acts. */
export interface Leader {
  readonly holder: string;
  readonly renewedAt?: string;
  /** It was not renewed for longer than it holds, by the clock of whoever asks. */
  readonly expired: boolean;
}

/**
 * How a program of the platform is: `ready`, `degraded` (it runs, but not as it should: some replicas are missing, an update is
 * under way, or nobody leads), `down` (no replica is available), `not_installed`.
 */
export type ControllerState = 'ready' | 'degraded' | 'down' | 'not_installed';

/** A program of the platform on a cluster: the operator, the agent. */
export interface ControllerStatus extends Partial<Workload> {
  readonly state: ControllerState;
  readonly installed: boolean;
  /** Absent when the Lease may not be read; null when nobody holds it. */
  readonly leader?: Leader | null;
}

/**
 * What a Deployment and a Lease say of a program.
 *
 * @param deployment undefined: it is not there
 * @param lease undefined: it may not be read; null: it is not there
 * @param now ms since 1970
 */
export function controllerStatus(
  deployment: KubeObject | undefined,
  container: string,
  lease: KubeObject | null | undefined,
  now: number,
): ControllerStatus {
  const leader = lease === undefined ? undefined : leaderOf(lease, now);
  if (deployment === undefined) return defined({ state: 'not_installed' as const, installed: false, leader });
  const workload = readWorkload(deployment, container);
  const observed = countAt(deployment, 'status', 'observedGeneration') === deployment.metadata.generation;
  const state = stateOf(workload, observed, leader);
  return defined({ state, installed: true, ...workload, leader });
}

function stateOf(
  { replicas, readyReplicas, updatedReplicas, availableReplicas }: Workload,
  observed: boolean,
  leader: Leader | null | undefined,
): ControllerState {
  if (availableReplicas === 0) return 'down';
  const complete = observed && Math.min(readyReplicas, updatedReplicas, availableReplicas) >= replicas;
  const led = leader === undefined || leader?.expired === false;
  return complete && led ? 'ready' : 'degraded';
}

function leaderOf(lease: KubeObject | null, now: number): Leader | null {
  const holder = textAt(lease, 'spec', 'holderIdentity');
  if (holder === undefined) return null;
  const renewedAt = textAt(lease, 'spec', 'renewTime');
  const seconds = countAt(lease, 'spec', 'leaseDurationSeconds') ?? 0;
  const renewed = renewedAt === undefined ? Number.NaN : Date.parse(renewedAt);
  return defined({ holder, renewedAt, expired: !(now <= renewed + seconds * 1_000) });
}

/** What a flag (`--name=value`) of the container says; the last one counts, as programs read it. */
export function flagOf(deployment: KubeObject, container: string, flag: string): string | undefined {
  const containers = recordsAt(deployment, 'spec', 'template', 'spec', 'containers');
  const { args = [] } = containers.find(({ name }) => name === container) ?? {};
  if (!Array.isArray(args)) return undefined;
  const texts = args.filter((arg): arg is string => typeof arg === 'string');
  const at = texts.findLastIndex((arg) => arg === `--${flag}` || arg.startsWith(`--${flag}=`));
  const found = texts[at];
  return found === `--${flag}` ? texts[at + 1] : found?.slice(flag.length + 3);
}
