import type { PodIdentity, PodOnNode } from './podOnNode';

/** What came of asking for an eviction. */
export type EvictionAnswer =
  | { readonly kind: 'accepted' }
  /** It is not there any more. */
  | { readonly kind: 'gone' }
  /** Not now. `budget` is the name of the PodDisruptionBudget. */
  | { readonly kind: 'blocked'; readonly budget?: string | undefined; readonly message: string }
  /** A fault that may pass: it is looked again. */
  | { readonly kind: 'failed'; readonly message: string };

/** Where the eviction of a pod is. */
export interface PodProgress extends PodIdentity {
  readonly state: 'waiting' | 'ending' | 'blocked' | 'gone';
  /** The budget that had no room at the last try. */
  readonly budget?: string | undefined;
  /** What the last try was answered, where it was not accepted. */
  readonly message?: string | undefined;
}

/** All pods of a drain, as they are before anything was done. */
export function startProgress(pods: readonly PodOnNode[]): readonly PodProgress[] {
  return pods.map(({ uid, namespace, name, isEnding }) => ({
    uid,
    namespace,
    name,
    state: isEnding ? 'ending' : 'waiting',
  }));
}

/** What the pods of the node say: by UID, so that a new pod of an old name (of a StatefulSet) is not waited for. */
export function seeProgress(progress: readonly PodProgress[], onNode: readonly PodOnNode[]): readonly PodProgress[] {
  const seen = new Map(onNode.map((pod) => [pod.uid, pod]));
  return progress.map((pod) => {
    const now = seen.get(pod.uid);
    if (now === undefined) return gone(pod);
    return now.isEnding ? ending(pod) : pod;
  });
}

/** What an eviction was answered. */
export function answerProgress(pod: PodProgress, answer: EvictionAnswer): PodProgress {
  switch (answer.kind) {
    case 'accepted':
      return ending(pod);
    case 'gone':
      return gone(pod);
    case 'blocked':
      return { ...pod, state: 'blocked', budget: answer.budget, message: answer.message };
    case 'failed':
      return { ...pod, state: 'waiting', budget: undefined, message: answer.message };
  }
}

/** The pods whose eviction is to be asked for. */
export function toEvict(progress: readonly PodProgress[]): readonly PodProgress[] {
  return progress.filter(({ state }) => state === 'waiting' || state === 'blocked');
}

/** Whether every pod is gone. */
export function isDrained(progress: readonly PodProgress[]): boolean {
  return progress.every(({ state }) => state === 'gone');
}

function gone({ uid, namespace, name }: PodProgress): PodProgress {
  return { uid, namespace, name, state: 'gone' };
}

function ending({ uid, namespace, name }: PodProgress): PodProgress {
  return { uid, namespace, name, state: 'ending' };
}
