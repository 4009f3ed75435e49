import type { Observation } from './collection';
import type { History, PodCount } from './history';
import type { Head, PodSeen, WorkloadSeen } from './seen';

/** A workload that is there. */
export interface Live {
  seen: WorkloadSeen;
  readonly history: History;
  readonly pods: Map<string, PodSeen>;
  ready: number;
  /** It was rolled out in full, and no stop was asked for since. */
  isUp: boolean;
  /** Hands took it away: its Pods go with it. */
  isTaken: boolean;
}

/** Which Pods are there, and whose they are: by controllers, not by labels. */
export class Fleet {
  private readonly workloads = new Map<string, Live>();
  private readonly replicaSets = new Map<string, string>();
  private readonly owners = new Map<string, Live>();

  /** The workloads of a component. */
  of(component: string): readonly Live[] {
    return [...this.workloads.values()].filter(({ seen }) => seen.controller === component);
  }

  /** Names of the Pods of a component, also of workloads that are gone. */
  podsOf(component: string): readonly string[] {
    const names = [...this.owners.values()]
      .filter(({ seen }) => seen.controller === component)
      .flatMap(({ pods }) => [...pods.values()].map(({ name }) => name));
    return [...new Set(names)];
  }

  replicaSet({ uid, controller }: Head, isGone: boolean): void {
    if (isGone) this.replicaSets.delete(uid);
    else if (controller !== undefined) this.replicaSets.set(uid, controller);
  }

  /** @returns what it was before, where it was */
  workload(observation: Observation, seen: WorkloadSeen, history: History): { live: Live; before?: WorkloadSeen } {
    const known = this.workloads.get(seen.uid);
    const live: Live = known ?? { seen, history, pods: new Map(), ready: 0, isUp: false, isTaken: false };
    const before = known?.seen;
    live.seen = seen;
    live.history.take(observation, seen, countOf(live));
    if (observation.isGone) this.workloads.delete(seen.uid);
    else this.workloads.set(seen.uid, live);
    return { live, ...(before === undefined ? {} : { before }) };
  }

  /** @returns its workload, and how many Pods of it were ready before */
  pod(seen: PodSeen, isGone: boolean): { readonly live: Live; readonly before: number } | undefined {
    const live = this.owners.get(seen.uid) ?? this.ownerOf(seen);
    if (live === undefined) return undefined;
    if (isGone) live.pods.delete(seen.uid);
    else live.pods.set(seen.uid, seen);
    if (isGone) this.owners.delete(seen.uid);
    else this.owners.set(seen.uid, live);
    const before = live.ready;
    const count = countOf(live);
    live.ready = count.ready;
    live.history.count(count);
    return { live, before };
  }

  private ownerOf({ controller = '' }: PodSeen): Live | undefined {
    return this.workloads.get(this.replicaSets.get(controller) ?? controller);
  }
}

function countOf({ pods }: Live): PodCount {
  const ready = [...pods.values()].filter(({ isReady }) => isReady).length;
  return { ready, all: pods.size };
}
