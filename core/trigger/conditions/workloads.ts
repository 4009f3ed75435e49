import { jobState, rolloutStatus, type JobState, type KubeObject, type RolloutStatus } from '../../kube';
import { conditionOf, known, numberAt, recordAt, textAt } from './fields';
import type { ConditionRule, Examination } from './rule';

/** A Job has ended well. A Job ends once in its life. */
export const jobCompleted: ConditionRule = {
  resources: ['jobs.batch'],
  about: 'A Job has completed',
  sticky: true,
  examine: (job) => jobEnd(job, 'complete'),
};

/** A Job has failed for good: too many failed Pods, its deadline, or its failure policy. */
export const jobFailed: ConditionRule = {
  resources: ['jobs.batch'],
  about: 'A Job has failed',
  sticky: true,
  examine: (job) => jobEnd(job, 'failed'),
};

function jobEnd(job: KubeObject, phase: JobState['phase']): Examination {
  const state = jobState(job);
  if (state.phase !== phase) return { findings: [] };
  const { reason, message, succeeded, failed } = state;
  const status = recordAt(job, 'status');
  const facts = known({
    reason,
    message,
    succeeded,
    failed,
    startedAt: textAt(status, 'startTime'),
    completedAt: textAt(status, 'completionTime'),
  });
  return { findings: [{ slot: 'job', key: phase, facts }] };
}

const WORKLOADS = ['deployments.apps', 'statefulsets.apps', 'daemonsets.apps'] as const;
const SLOT = 'rollout';
const CANNOT_TELL: Examination = { findings: [], unclear: [SLOT] };

/**
 * A new version of a workload is out completely, as `kubectl rollout status` sees it. Once a version: Pods that come and
 * go afterwards, and scaling, are no rollout.
 */
export const rolloutFinished: ConditionRule = {
  resources: WORKLOADS,
  about: 'A rollout has finished',
  sticky: true,
  examine: (object, kind) => {
    const rollout = rolloutStatus(kind, object);
    const version = versionOf(object, kind);
    if (!rollout || !version) return CANNOT_TELL;
    const finding = { slot: SLOT, key: version.revision, name: version.name, facts: rolloutFacts(rollout, version) };
    if (rollout.phase === 'complete') return { findings: [finding] };
    if (wasOutBefore(object)) return { findings: [{ ...finding, past: true }] };
    return { findings: mayHaveBeenOut(object, kind) ? [{ ...finding, unsure: true }] : [] };
  },
};

/** A Deployment says that its rollout does not get on: `progressDeadlineSeconds` went by without progress. */
export const rolloutStuck: ConditionRule = {
  resources: ['deployments.apps'],
  about: 'A rollout is stuck (its progress deadline has passed)',
  lasting: true,
  examine: (object, kind) => {
    const rollout = rolloutStatus(kind, object);
    const version = versionOf(object, kind);
    if (!rollout || !version) return CANNOT_TELL;
    if (rollout.phase !== 'failed') return { findings: [] };
    const since = textAt(conditionOf(object, 'Progressing') ?? {}, 'lastTransitionTime');
    const facts = known({ ...rolloutFacts(rollout, version), since });
    return { findings: [{ slot: SLOT, key: `${version.revision}/${since ?? ''}`, facts }] };
  },
};

/** A rollout takes longer than N: also for StatefulSets and DaemonSets, which have no deadline of their own. */
export const rolloutSlow: ConditionRule = {
  resources: WORKLOADS,
  about: 'A rollout is not finished for longer than a time',
  timer: 'hold',
  oneAtATime: true,
  lasting: true,
  examine: (object, kind) => {
    const rollout = rolloutStatus(kind, object);
    const version = versionOf(object, kind);
    if (!rollout || !version) return CANNOT_TELL;
    const open = rollout.phase === 'progressing' || rollout.phase === 'failed';
    if (!open || wasOutBefore(object)) return { findings: [] };
    return { findings: [{ slot: SLOT, key: version.name, facts: rolloutFacts(rollout, version) }] };
  },
};

interface Version {
  readonly revision: string;
  /** Never comes back, other than the revision of a StatefulSet, which does when its old template does. */
  readonly name: string;
}

/** The version that is rolled out; undefined until its controller has seen it. */
function versionOf(object: KubeObject, kind: string): Version | undefined {
  const status = recordAt(object, 'status');
  const generation = object.metadata.generation ?? 0;
  if (numberAt(status, 'observedGeneration') < generation) return undefined;
  const annotations = object.metadata.annotations ?? {};
  if (kind === 'Deployment') return numbered(annotations['deployment.kubernetes.io/revision']);
  if (kind === 'DaemonSet') return numbered(annotations['deprecated.daemonset.template.generation']);
  const revision = textAt(status, 'updateRevision', 253);
  return revision === undefined ? undefined : { revision, name: `${revision}/${generation}` };
}

function numbered(revision: string | undefined): Version | undefined {
  return revision === undefined ? undefined : { revision, name: revision };
}

/** A Deployment remembers that its present version was out completely, also while Pods are missing again. */
function wasOutBefore(object: KubeObject): boolean {
  return conditionOf(object, 'Progressing')?.reason === 'NewReplicaSetAvailable';
}

/** All Pods are of the present version, some are not available: they may have been, or are not yet. */
function mayHaveBeenOut(object: KubeObject, kind: string): boolean {
  const status = recordAt(object, 'status');
  if (kind === 'StatefulSet') return status.currentRevision === status.updateRevision;
  return (
    kind === 'DaemonSet' && numberAt(status, 'updatedNumberScheduled') >= numberAt(status, 'desiredNumberScheduled')
  );
}

function rolloutFacts(rollout: RolloutStatus, version: Version): Readonly<Record<string, string | number>> {
  const { message, desired, updated, ready, available } = rollout;
  return { revision: version.revision, message, desired, updated, ready, available };
}
