import type { Observation } from './collection';
import type { Numbers, WorkloadSeen } from './seen';

/** A workload at a version, or its absence. */
export interface Version {
  readonly from: number;
  /** When it was heard of, in ms. */
  readonly beganAt: number;
  /** Undefined: it is still so. */
  to: number | undefined;
  /** When the next one was heard of, in ms. */
  endedAt: number;
  readonly workload: WorkloadSeen | undefined;
  /** Its Pods at the beginning of this version or later, until the next: what there was of them. */
  readonly pods: PodCount[];
}

/** Pods of a workload at a version. */
export interface PodCount {
  readonly ready: number;
  readonly all: number;
}

/** What a workload was, by name, for as long as a status may still tell of it. */
export class History {
  readonly versions: Version[] = [
    { from: 0, beganAt: -Infinity, to: undefined, endedAt: Infinity, workload: undefined, pods: [] },
  ];
  /** The last version the operator itself wrote. */
  ownWrite = 0;
  /** What the last status was read from, at the earliest. */
  pointer = 0;
  /** Somebody else has changed it since everything was in order. */
  isTouched = false;

  get last(): Version {
    return (
      this.versions.at(-1) ?? {
        from: 0,
        beganAt: -Infinity,
        to: undefined,
        endedAt: Infinity,
        workload: undefined,
        pods: [],
      }
    );
  }

  take({ revision, at, isGone }: Observation, workload: WorkloadSeen, pods: PodCount): void {
    const { last } = this;
    last.to = revision;
    last.endedAt = at;
    const before = last.workload;
    const writers = before === undefined ? ['navin-operator'] : writersOf(before, workload);
    if (before?.generation !== workload.generation || before.uid !== workload.uid) {
      if (writers.some((name) => name.startsWith('navin-operator'))) this.ownWrite = revision;
      else this.isTouched = true;
    }
    this.versions.push({
      from: revision,
      beganAt: at,
      to: undefined,
      endedAt: Infinity,
      workload: isGone ? undefined : workload,
      pods: [pods],
    });
  }

  /** Its Pods have changed. */
  count(pods: PodCount): void {
    this.last.pods.push(pods);
  }

  /**
   * The versions that a status may be about: none that had ended so long before that nobody may still tell of it, and none
   * from before what the status before was about.
   */
  recent(endedAfter: number): readonly Version[] {
    return this.versions.filter(({ to, endedAt }) => endedAt >= endedAfter && (to === undefined || to > this.pointer));
  }

  /** Forgets what no later status may be about. */
  forget(endedBefore: number): void {
    while (this.versions.length > 1 && (this.versions[0]?.endedAt ?? Infinity) < endedBefore) this.versions.shift();
    for (const { pods } of this.versions) if (pods.length > MAX_COUNTS) pods.splice(0, pods.length - MAX_COUNTS);
  }
}

const MAX_COUNTS = 1_000;

/** Who wrote between two versions, as far as managed fields tell. */
function writersOf(before: WorkloadSeen, after: WorkloadSeen): readonly string[] {
  return [...after.writers].filter(([name, entry]) => before.writers.get(name) !== entry).map(([name]) => name);
}

export function numbersOf(
  workload: WorkloadSeen | undefined,
): Omit<Numbers, 'desired'> & { readonly desired?: number } {
  if (workload === undefined) return { current: 0, updated: 0, ready: 0, available: 0 };
  const { desired, current, updated, ready, available } = workload;
  return { desired, current, updated, ready, available };
}

/** Whether a workload has nothing missing and nothing left over, written from the specification. */
export function isComplete(workload: WorkloadSeen | undefined): boolean {
  if (workload === undefined || workload.isEnding || !isCurrent(workload)) return false;
  const { desired, current, ready, available, isOneRevision } = workload;
  if (desired === 0) return current === 0;
  return current === desired && ready === desired && available === desired && isOneRevision;
}

/** Whether its numbers are of its newest generation. */
export function isCurrent({ generation, observedGeneration }: WorkloadSeen): boolean {
  return observedGeneration === generation;
}
