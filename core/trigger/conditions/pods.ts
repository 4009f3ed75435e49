import type { KubeObject } from '../../kube';
import { hash } from '../digest';
import { containerStatuses, type ContainerStatus } from './containers';
import { conditionOf, known, numberAt, recordAt, textAt } from './fields';
import type { ConditionRule, Examination, Finding } from './rule';

const TEN_MINUTES = 600_000;

/**
 * A container that keeps crashing: the kubelet says `CrashLoopBackOff`. Between two crashes it runs for a moment; the
 * incident ends when it has not been in back-off for ten minutes, which is when the kubelet forgets its back-off too.
 */
export const crashLoop: ConditionRule = {
  resources: ['pods'],
  about: 'A container keeps crashing (CrashLoopBackOff)',
  oneAtATime: true,
  counted: true,
  lasting: true,
  clearMs: TEN_MINUTES,
  examine: (pod) =>
    eachContainer(pod, (container) => {
      if (container.waiting?.reason !== 'CrashLoopBackOff') return undefined;
      const last = container.lastTerminated ?? {};
      return {
        slot: container.name,
        key: 'loop',
        facts: known({
          container: container.name,
          restarts: container.restarts,
          image: container.image,
          exitCode: typeof last.exitCode === 'number' ? last.exitCode : undefined,
          reason: textAt(last, 'reason'),
          lastEndedAt: textAt(last, 'finishedAt'),
        }),
      };
    }),
};

/**
 * A container was killed because it ran out of memory: the reason of its end is `OOMKilled`. Exit code 137 alone is any
 * SIGKILL, also that of a scale-down. Each kill is an incident of its own.
 */
export const outOfMemory: ConditionRule = {
  resources: ['pods'],
  about: 'A container was killed for lack of memory (OOMKilled)',
  sticky: true,
  examine: (pod) =>
    eachContainer(pod, (container) => {
      const end = [container.terminated, container.lastTerminated].find((run) => run?.reason === 'OOMKilled');
      if (!end) return undefined;
      const run = textAt(end, 'containerID') ?? textAt(end, 'finishedAt') ?? String(container.restarts);
      return {
        slot: container.name,
        key: hash([run]).slice(0, 16),
        facts: known({
          container: container.name,
          restarts: container.restarts,
          image: container.image,
          exitCode: numberAt(end, 'exitCode'),
          startedAt: textAt(end, 'startedAt'),
          endedAt: textAt(end, 'finishedAt'),
        }),
      };
    }),
};

/** Reasons of kubelet images/types.go. */
const IMAGE_REASONS: ReadonlySet<unknown> = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
  'SignatureValidationFailed',
]);

/** A container waits because its image cannot be pulled. The kubelet swaps reasons meanwhile: that is one incident. */
export const imagePull: ConditionRule = {
  resources: ['pods'],
  about: 'The image of a container cannot be pulled',
  lasting: true,
  examine: (pod) =>
    eachContainer(pod, (container) => {
      if (!IMAGE_REASONS.has(container.waiting?.reason)) return undefined;
      return {
        slot: container.name,
        // The number of restarts stands still while an image is pulled and has risen when it must be pulled again.
        key: hash([container.restarts, wantedImage(pod, container.name) ?? '']).slice(0, 16),
        facts: known({
          container: container.name,
          image: wantedImage(pod, container.name) ?? container.image,
          reason: textAt(container.waiting ?? {}, 'reason'),
          message: textAt(container.waiting ?? {}, 'message'),
        }),
      };
    }),
};

/** The kubelet put the Pod out because its Node ran short of memory, disk or process ids. Drains are no evictions here. */
export const evicted: ConditionRule = {
  resources: ['pods'],
  about: 'A Pod was evicted by its Node',
  sticky: true,
  examine: (pod) => {
    const status = recordAt(pod, 'status');
    if (status.reason !== 'Evicted') return { findings: [] };
    const facts = known({ node: textAt(recordAt(pod, 'spec'), 'nodeName'), message: textAt(status, 'message') });
    return { findings: [{ slot: 'pod', key: 'evicted', facts }] };
  },
};

/** The scheduler finds no Node for the Pod for longer than N. Scheduling gates are no such thing. */
export const unschedulable: ConditionRule = {
  resources: ['pods'],
  about: 'A Pod finds no Node for longer than a time',
  timer: 'hold',
  lasting: true,
  examine: (pod) => {
    const scheduled = conditionOf(pod, 'PodScheduled');
    if (scheduled?.status !== 'False' || scheduled.reason !== 'Unschedulable') return { findings: [] };
    const facts = known({
      message: textAt(scheduled, 'message'),
      since: textAt(scheduled, 'lastTransitionTime'),
    });
    // A Pod is scheduled once in its life, so it is unschedulable once.
    return { findings: [{ slot: 'pod', key: 'unschedulable', facts }] };
  },
};

function eachContainer(pod: KubeObject, find: (container: ContainerStatus) => Finding | undefined): Examination {
  return { findings: containerStatuses(pod).flatMap((container) => find(container) ?? []) };
}

function wantedImage(pod: KubeObject, container: string): string | undefined {
  const spec = recordAt(pod, 'spec');
  for (const list of ['containers', 'initContainers', 'ephemeralContainers']) {
    const containers = Array.isArray(spec[list]) ? (spec[list] as unknown[]) : [];
    for (const entry of containers) {
      const fields = recordAt({ entry }, 'entry');
      if (fields.name === container) return textAt(fields, 'image');
    }
  }
  return undefined;
}
