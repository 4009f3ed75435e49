import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../kube';
import { objectOf } from '../testing/objects';
import { CONDITIONS, type ConditionName } from '.';

const KINDS: Readonly<Record<string, string>> = { rollout: 'Deployment' };

function pod(container: Readonly<Record<string, unknown>>, rest: Readonly<Record<string, unknown>> = {}): KubeObject {
  return objectOf('p', 1, {
    spec: { nodeName: 'node-1', containers: [{ name: 'app', image: 'shop:1' }] },
    status: { containerStatuses: [{ name: 'app', restartCount: 3, image: 'shop:1', ...container }], ...rest },
  });
}

function deployment(
  status: Readonly<Record<string, unknown>>,
  generation = 2,
  revision = '7',
  spec: Readonly<Record<string, unknown>> = {},
): KubeObject {
  return objectOf('d', 1, {
    metadata: { generation, annotations: { 'deployment.kubernetes.io/revision': revision } },
    spec: { replicas: 2, strategy: {}, ...spec },
    status: {
      observedGeneration: 2,
      replicas: 2,
      updatedReplicas: 2,
      availableReplicas: 2,
      readyReplicas: 2,
      ...status,
    },
  });
}

const killed = {
  reason: 'OOMKilled',
  exitCode: 137,
  containerID: 'containerd://1',
  finishedAt: '2026-01-01T00:00:00Z',
};

const cases: readonly [string, ConditionName, KubeObject, readonly string[]][] = [
  ['in back-off', 'podCrashLoop', pod({ state: { waiting: { reason: 'CrashLoopBackOff' } } }), ['app loop']],
  ['running between two crashes', 'podCrashLoop', pod({ state: { running: {} } }), []],
  ['just ended with an error', 'podCrashLoop', pod({ state: { terminated: { reason: 'Error', exitCode: 1 } } }), []],
  ['creating', 'podCrashLoop', pod({ state: { waiting: { reason: 'ContainerCreating' } } }), []],
  [
    'an init container in back-off',
    'podCrashLoop',
    pod(
      { state: { waiting: { reason: 'PodInitializing' } } },
      {
        phase: 'Pending',
        initContainerStatuses: [
          { name: 'migrate', restartCount: 5, state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: {} },
        ],
      },
    ),
    ['migrate loop'],
  ],
  [
    'a sidecar in back-off beside a container that runs',
    'podCrashLoop',
    pod(
      { state: { running: { startedAt: '2026-01-01T00:00:00Z' } }, ready: true },
      {
        phase: 'Running',
        initContainerStatuses: [
          { name: 'proxy', restartCount: 9, started: false, state: { waiting: { reason: 'CrashLoopBackOff' } } },
        ],
      },
    ),
    ['proxy loop'],
  ],
  [
    'two containers in back-off',
    'podCrashLoop',
    pod(
      { state: { waiting: { reason: 'CrashLoopBackOff' } } },
      { initContainerStatuses: [{ name: 'proxy', state: { waiting: { reason: 'CrashLoopBackOff' } } }] },
    ),
    ['proxy loop', 'app loop'],
  ],
  [
    'a configuration that cannot be made is no crash',
    'podCrashLoop',
    pod({ state: { waiting: { reason: 'CreateContainerConfigError' } } }),
    [],
  ],
  ['killed for memory now', 'podOutOfMemory', pod({ state: { terminated: killed } }), ['app *']],
  [
    'killed for memory before',
    'podOutOfMemory',
    pod({ state: { running: {} }, lastState: { terminated: killed } }),
    ['app *'],
  ],
  // kubewatch#109
  ['exit code 137 alone', 'podOutOfMemory', pod({ state: { terminated: { reason: 'Error', exitCode: 137 } } }), []],
  [
    'exit code 137 before, by a probe that failed',
    'podOutOfMemory',
    pod({ state: { running: {} }, lastState: { terminated: { reason: 'Error', exitCode: 137 } } }),
    [],
  ],
  [
    'killed for memory with another exit code',
    'podOutOfMemory',
    pod({ state: { terminated: { ...killed, exitCode: 1 } } }),
    ['app *'],
  ],
  [
    'an init container killed for memory, for good',
    'podOutOfMemory',
    pod(
      { state: { waiting: { reason: 'PodInitializing' } } },
      { phase: 'Failed', initContainerStatuses: [{ name: 'migrate', state: { terminated: killed } }] },
    ),
    ['migrate *'],
  ],
  ['ErrImagePull', 'podImagePullFailed', pod({ state: { waiting: { reason: 'ErrImagePull' } } }), ['app *']],
  ['ImagePullBackOff', 'podImagePullFailed', pod({ state: { waiting: { reason: 'ImagePullBackOff' } } }), ['app *']],
  ['InvalidImageName', 'podImagePullFailed', pod({ state: { waiting: { reason: 'InvalidImageName' } } }), ['app *']],
  [
    'of an init container',
    'podImagePullFailed',
    pod({}, { initContainerStatuses: [{ name: 'migrate', state: { waiting: { reason: 'ImagePullBackOff' } } }] }),
    ['migrate *'],
  ],
  ['pulled', 'podImagePullFailed', pod({ state: { running: {} } }), []],
  [
    'evicted by its Node',
    'podEvicted',
    pod({}, { phase: 'Failed', reason: 'Evicted', message: 'low on memory' }),
    ['pod evicted'],
  ],
  ['failed otherwise', 'podEvicted', pod({}, { phase: 'Failed', reason: 'NodeShutdown' }), []],
  [
    'no Node fits',
    'podUnschedulable',
    pod({}, { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }] }),
    ['pod unschedulable'],
  ],
  [
    'held by a gate',
    'podUnschedulable',
    pod({}, { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }] }),
    [],
  ],
  ['scheduled', 'podUnschedulable', pod({}, { conditions: [{ type: 'PodScheduled', status: 'True' }] }), []],
  [
    'complete',
    'jobCompleted',
    objectOf('j', 1, { status: { conditions: [{ type: 'Complete', status: 'True' }] } }),
    ['job complete'],
  ],
  [
    'complete after it was suspended',
    'jobCompleted',
    objectOf('j', 1, {
      spec: { suspend: false },
      status: {
        succeeded: 1,
        conditions: [
          { type: 'Suspended', status: 'False', reason: 'JobResumed' },
          { type: 'SuccessCriteriaMet', status: 'True', reason: 'CompletionsReached' },
          { type: 'Complete', status: 'True', reason: 'CompletionsReached' },
        ],
      },
    }),
    ['job complete'],
  ],
  [
    'suspended',
    'jobCompleted',
    objectOf('j', 1, { spec: { suspend: true }, status: { conditions: [{ type: 'Suspended', status: 'True' }] } }),
    [],
  ],
  [
    'suspended',
    'jobFailed',
    objectOf('j', 1, { spec: { suspend: true }, status: { conditions: [{ type: 'Suspended', status: 'True' }] } }),
    [],
  ],
  [
    'about to fail',
    'jobFailed',
    objectOf('j', 1, { status: { conditions: [{ type: 'FailureTarget', status: 'True' }] } }),
    [],
  ],
  [
    'failed before, and retried',
    'jobFailed',
    objectOf('j', 1, { status: { failed: 2, active: 1, conditions: [{ type: 'Failed', status: 'False' }] } }),
    [],
  ],
  [
    'about to be complete',
    'jobCompleted',
    objectOf('j', 1, { status: { conditions: [{ type: 'SuccessCriteriaMet', status: 'True' }] } }),
    [],
  ],
  [
    'failed',
    'jobFailed',
    objectOf('j', 1, { status: { conditions: [{ type: 'Failed', status: 'True' }] } }),
    ['job failed'],
  ],
  [
    'complete is not failed',
    'jobFailed',
    objectOf('j', 1, { status: { conditions: [{ type: 'Complete', status: 'True' }] } }),
    [],
  ],
  ['out', 'rolloutFinished', deployment({}), ['rollout 7']],
  ['not all available', 'rolloutFinished', deployment({ availableReplicas: 1 }), []],
  ['not seen by its controller', 'rolloutFinished', deployment({}, 3), []],
  [
    'past its deadline',
    'rolloutStuck',
    deployment({
      updatedReplicas: 1,
      conditions: [
        { type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded', lastTransitionTime: 'T' },
      ],
    }),
    ['rollout 7/T'],
  ],
  [
    'past its deadline, of a version its controller has not seen yet',
    'rolloutStuck',
    deployment({ conditions: [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }] }, 3),
    [],
  ],
  [
    'paused on its way',
    'rolloutStuck',
    deployment({
      updatedReplicas: 1,
      conditions: [{ type: 'Progressing', status: 'Unknown', reason: 'DeploymentPaused' }],
    }),
    [],
  ],
  ['paused on its way', 'rolloutFinished', deployment({ updatedReplicas: 1 }, 2, '7', { paused: true }), []],
  ['paused on its way', 'rolloutSlow', deployment({ updatedReplicas: 1 }, 2, '7', { paused: true }), []],
  [
    'scaled to nothing',
    'rolloutFinished',
    deployment({ replicas: 0, updatedReplicas: 0, availableReplicas: 0 }, 2, '7', { replicas: 0 }),
    ['rollout 7'],
  ],
  ['old Pods are still there', 'rolloutFinished', deployment({ replicas: 3 }), []],
  ['on its way', 'rolloutStuck', deployment({ updatedReplicas: 1 }), []],
  ['on its way', 'rolloutSlow', deployment({ updatedReplicas: 1 }), ['rollout 7']],
  ['out', 'rolloutSlow', deployment({}), []],
  [
    'short of a Pod after it was out',
    'rolloutSlow',
    deployment({ availableReplicas: 1, conditions: [{ type: 'Progressing', reason: 'NewReplicaSetAvailable' }] }),
    [],
  ],
  [
    'not ready',
    'nodeNotReady',
    objectOf('n', 1, { status: { conditions: [{ type: 'Ready', status: 'False', lastTransitionTime: 'T' }] } }),
    ['ready T'],
  ],
  [
    'unknown',
    'nodeNotReady',
    objectOf('n', 1, { status: { conditions: [{ type: 'Ready', status: 'Unknown', lastTransitionTime: 'T' }] } }),
    ['ready T'],
  ],
  ['ready', 'nodeNotReady', objectOf('n', 1, { status: { conditions: [{ type: 'Ready', status: 'True' }] } }), []],
  ['a new Node that says nothing yet', 'nodeNotReady', objectOf('n', 1, {}), []],
  ['pending', 'claimPending', objectOf('c', 1, { status: { phase: 'Pending' } }), ['claim pending']],
  ['bound', 'claimPending', objectOf('c', 1, { status: { phase: 'Bound' } }), []],
  ['lost', 'claimPending', objectOf('c', 1, { status: { phase: 'Lost' } }), []],
];

describe('ready-made conditions', () => {
  it.each(cases)('%s: %s', (_, name, object, shown) => {
    const kind = KINDS[name.startsWith('rollout') ? 'rollout' : ''] ?? '';
    const { findings } = CONDITIONS[name].examine(object, kind);
    const seen = findings.map(({ slot, key }, at) => `${slot} ${shown[at]?.endsWith('*') ? '*' : key}`);
    expect(seen).toEqual(shown);
  });

  it('each kill for lack of memory is an incident of its own, seen while it is the state and after', () => {
    const key = (state: unknown, lastState: unknown): string | undefined =>
      CONDITIONS.podOutOfMemory.examine(pod({ state, lastState }), 'Pod').findings[0]?.key;
    const first = key({ terminated: killed }, {});
    expect(key({ running: {} }, { terminated: killed })).toBe(first);
    expect(key({ terminated: { ...killed, containerID: 'containerd://2' } }, { terminated: killed })).not.toBe(first);
  });

  it('an image that cannot be pulled is one incident under both reasons, and another after the container ran', () => {
    const key = (reason: string, restartCount: number): string | undefined =>
      CONDITIONS.podImagePullFailed.examine(pod({ restartCount, state: { waiting: { reason } } }), 'Pod').findings[0]
        ?.key;
    expect(key('ErrImagePull', 0)).toBe(key('ImagePullBackOff', 0));
    expect(key('ErrImagePull', 1)).not.toBe(key('ErrImagePull', 0));
  });

  it('a StatefulSet that goes back to an old version has rolled out once more', () => {
    const set = (generation: number): KubeObject =>
      objectOf('s', 1, {
        metadata: { generation },
        spec: { replicas: 1, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } },
        status: {
          observedGeneration: generation,
          readyReplicas: 1,
          updatedReplicas: 1,
          updateRevision: 'web-a',
          currentRevision: 'web-a',
        },
      });
    const [first] = CONDITIONS.rolloutFinished.examine(set(1), 'StatefulSet').findings;
    const [later] = CONDITIONS.rolloutFinished.examine(set(3), 'StatefulSet').findings;
    expect([first?.key, later?.key]).toEqual(['web-a', 'web-a']);
    expect([first?.name, later?.name]).toEqual(['web-a/1', 'web-a/3']);
  });

  it('a Deployment that was out before we looked says so, also while a Pod is missing', () => {
    const status = { availableReplicas: 1, conditions: [{ type: 'Progressing', reason: 'NewReplicaSetAvailable' }] };
    expect(CONDITIONS.rolloutFinished.examine(deployment(status), 'Deployment').findings).toMatchObject([
      { key: '7', past: true },
    ]);
  });

  it('while a controller has not seen a change nothing can be told', () => {
    expect(CONDITIONS.rolloutStuck.examine(deployment({}, 3), 'Deployment')).toEqual({
      findings: [],
      unclear: ['rollout'],
    });
  });

  it('are not upset by an object that is nothing like they expect', () => {
    const odd = objectOf('x', 1, {
      spec: 'text',
      status: { containerStatuses: [null, 'a', { name: 1, state: [] }], conditions: { a: 1 } },
      data: { 'tls.crt': 'AAAA' },
      type: 'kubernetes.io/tls',
    });
    for (const rule of Object.values(CONDITIONS)) {
      expect(rule.examine(odd, 'Deployment').findings).toEqual([]);
    }
  });
});
