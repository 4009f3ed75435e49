import type { PodOnNode } from './podOnNode';

/** What a drain may take that would be lost. */
export interface DrainLeave {
  /** Pods that nothing replaces. */
  readonly unmanaged: boolean;
  /** Pods with data in emptyDir volumes. */
  readonly emptyDirData: boolean;
}

/** Why a pod stays. `daemon-set`: its controller would put it back at once; `mirror`: the kubelet owns it. */
export type SkipReason = 'daemon-set' | 'mirror';

/** Why a drain may not take a pod. */
export type RefusalReason = 'unmanaged' | 'empty-dir-data';

/** What a drain does with the pods of a node. */
export interface DrainPlan {
  readonly evict: readonly PodOnNode[];
  readonly skipped: readonly { readonly pod: PodOnNode; readonly reason: SkipReason }[];
  readonly refused: readonly { readonly pod: PodOnNode; readonly reason: RefusalReason }[];
}

/**
 * Sorts the pods of a node as kubectl drain does: pods of DaemonSets and mirror pods stay; pods that nothing replaces and
 * pods with data in emptyDir volumes are refused unless they may be taken; finished pods may always be taken. One
 * difference: a pod of a DaemonSet that is gone stays, too, because the garbage collector takes it.
 */
export function planDrain(pods: readonly PodOnNode[], leave: DrainLeave): DrainPlan {
  const evict: PodOnNode[] = [];
  const skipped: DrainPlan['skipped'][number][] = [];
  const refused: DrainPlan['refused'][number][] = [];
  for (const pod of pods) {
    const skip = skipReason(pod);
    const refusal = refusalReason(pod, leave);
    if (skip !== undefined) skipped.push({ pod, reason: skip });
    else if (refusal !== undefined) refused.push({ pod, reason: refusal });
    else evict.push(pod);
  }
  return { evict, skipped, refused };
}

function skipReason({ ofDaemonSet, isMirror, isFinished }: PodOnNode): SkipReason | undefined {
  if (isMirror) return 'mirror';
  return ofDaemonSet && !isFinished ? 'daemon-set' : undefined;
}

function refusalReason(
  { controller, emptyDirs, isFinished, isEnding }: PodOnNode,
  leave: DrainLeave,
): RefusalReason | undefined {
  // What ends anyway loses nothing by the drain.
  if (isFinished || isEnding) return undefined;
  if (controller === undefined && !leave.unmanaged) return 'unmanaged';
  return emptyDirs.length > 0 && !leave.emptyDirData ? 'empty-dir-data' : undefined;
}
