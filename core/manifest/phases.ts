/**
 * Kinds by the order in which they are written, so that what others refer to is there first. What is not named here
 * (custom resources, above all) comes after the workloads, because what runs them may be among these. Admission comes last:
 * it would judge, or hold up, the rest.
 */
const PHASES: readonly (readonly string[])[] = [
  ['Namespace'],
  ['CustomResourceDefinition', 'IngressClass', 'PriorityClass', 'RuntimeClass', 'StorageClass', 'VolumeSnapshotClass'],
  [
    'ClusterRole',
    'ConfigMap',
    'LimitRange',
    'NetworkPolicy',
    'PersistentVolume',
    'PersistentVolumeClaim',
    'PodDisruptionBudget',
    'ResourceQuota',
    'Role',
    'Secret',
    'ServiceAccount',
  ],
  ['ClusterRoleBinding', 'RoleBinding'],
  ['Service'],
  ['CronJob', 'DaemonSet', 'Deployment', 'Job', 'Pod', 'ReplicaSet', 'ReplicationController', 'StatefulSet'],
];
const ADMISSION: ReadonlySet<string> = new Set([
  'MutatingAdmissionPolicy',
  'MutatingAdmissionPolicyBinding',
  'MutatingWebhookConfiguration',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);

/** Things in the phases in which they are written, each phase in the order given; no phase is empty. */
export function inPhases<T>(things: readonly T[], kindOf: (thing: T) => string): readonly (readonly T[])[] {
  const phases = new Map<number, T[]>();
  for (const thing of things) {
    const phase = phaseOf(kindOf(thing));
    const others = phases.get(phase);
    if (others) others.push(thing);
    else phases.set(phase, [thing]);
  }
  return [...phases.entries()].sort(([left], [right]) => left - right).map(([, phase]) => phase);
}

function phaseOf(kind: string): number {
  if (ADMISSION.has(kind)) return PHASES.length + 1;
  const phase = PHASES.findIndex((kinds) => kinds.includes(kind));
  return phase < 0 ? PHASES.length : phase;
}
