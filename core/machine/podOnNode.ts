import { isRecord, type KubeObject } from '../kube';

/** Which pod: names come again, the UID does not. */
export interface PodIdentity {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
}

/** What a drain must know of a pod. */
export interface PodOnNode extends PodIdentity {
  /** `Kind/name` of what would replace it. */
  readonly controller: string | undefined;
  readonly ofDaemonSet: boolean;
  /** The kubelet runs it from a file: it cannot be evicted. */
  readonly isMirror: boolean;
  /** It has succeeded or failed. */
  readonly isFinished: boolean;
  /** It is being deleted. */
  readonly isEnding: boolean;
  /** Its volumes whose content ends with it. */
  readonly emptyDirs: readonly string[];
}

/** Set by the kubelet on the picture the API server has of a static pod. */
const MIRROR = 'kubernetes.io/config.mirror';

/** Reads a pod; undefined when it has no UID or name, so that nothing is done to it. */
export function readPodOnNode({ metadata, spec, status }: KubeObject): PodOnNode | undefined {
  const { uid, name, namespace, ownerReferences, annotations, deletionTimestamp } = metadata;
  if (typeof uid !== 'string' || typeof name !== 'string' || typeof namespace !== 'string') return undefined;
  const owners: readonly unknown[] = Array.isArray(ownerReferences) ? ownerReferences : [];
  const controller = owners.filter(isRecord).find((owner) => owner.controller === true);
  const phase = isRecord(status) ? status.phase : undefined;
  return {
    uid,
    name,
    namespace,
    controller: controller === undefined ? undefined : `${String(controller.kind)}/${String(controller.name)}`,
    ofDaemonSet: controller?.kind === 'DaemonSet' && controller.apiVersion === 'apps/v1',
    isMirror: isRecord(annotations) && Object.hasOwn(annotations, MIRROR),
    isFinished: phase === 'Succeeded' || phase === 'Failed',
    isEnding: deletionTimestamp !== undefined,
    emptyDirs: volumesOf(spec).flatMap(({ name: volume, emptyDir }) =>
      emptyDir === undefined || typeof volume !== 'string' ? [] : [volume],
    ),
  };
}

function volumesOf(spec: unknown): readonly Readonly<Record<string, unknown>>[] {
  return isRecord(spec) && Array.isArray(spec.volumes) ? spec.volumes.filter(isRecord) : [];
}
