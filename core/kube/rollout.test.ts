import { describe, expect, it } from '@jest/globals';
import { rolloutStatus } from './rollout';

function deployment(spec: object, status: object, generation = 2) {
  return { metadata: { generation }, spec: { replicas: 3, ...spec }, status: { observedGeneration: 2, ...status } };
}

const DONE = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };

describe('rolloutStatus of a Deployment', () => {
  it.each([
    ['is complete', deployment({}, DONE), 'complete', 'The rollout is complete.'],
    [
      'was not seen by its controller',
      deployment({}, DONE, 3),
      'progressing',
      'The change has not been seen by its controller yet.',
    ],
    [
      'updates',
      deployment({}, { ...DONE, updatedReplicas: 1 }),
      'progressing',
      '1 of 3 new replicas have been updated.',
    ],
    [
      'ends old replicas',
      deployment({}, { ...DONE, replicas: 5 }),
      'progressing',
      '2 old replicas are pending termination.',
    ],
    [
      'waits for replicas',
      deployment({}, { ...DONE, availableReplicas: 2 }),
      'progressing',
      '2 of 3 updated replicas are available.',
    ],
    ['has none of its numbers yet', deployment({}, {}), 'progressing', '0 of 3 new replicas have been updated.'],
    ['is scaled to 0', deployment({ replicas: 0 }, {}), 'complete', 'The rollout is complete.'],
    [
      'is scaled down',
      deployment({ replicas: 1 }, DONE),
      'progressing',
      '2 replicas more than wanted are pending termination.',
    ],
    [
      'is paused on the way',
      deployment({ paused: true }, { ...DONE, updatedReplicas: 1 }),
      'paused',
      'Paused: 1 of 3 new replicas have been updated.',
    ],
    ['is paused and done', deployment({ paused: true }, DONE), 'complete', 'The rollout is complete.'],
  ])('%s', (_name, object, phase, message) => {
    expect(rolloutStatus('Deployment', object)).toMatchObject({ phase, message });
  });

  it('has failed when its deadline passed, but not by a condition of an older generation', () => {
    const conditions = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }];
    expect(rolloutStatus('Deployment', deployment({}, { ...DONE, updatedReplicas: 1, conditions }))).toMatchObject({
      phase: 'failed',
      reason: 'ProgressDeadlineExceeded',
    });
    expect(rolloutStatus('Deployment', deployment({}, { conditions }, 3))?.phase).toBe('progressing');
  });

  it('counts', () => {
    const status = { replicas: 5, updatedReplicas: 4, readyReplicas: 3, availableReplicas: 2 };
    expect(rolloutStatus('Deployment', deployment({}, status))).toMatchObject({
      desired: 3,
      updated: 4,
      ready: 3,
      available: 2,
      current: 5,
    });
  });
});

function statefulSet(strategy: object, status: object, generation = 2) {
  return {
    metadata: { generation },
    spec: { replicas: 3, updateStrategy: strategy },
    status: { observedGeneration: 2, ...status },
  };
}

const ROLLING = { type: 'RollingUpdate', rollingUpdate: { partition: 0 } };

describe('rolloutStatus of a StatefulSet', () => {
  it.each([
    ['is complete', statefulSet(ROLLING, DONE), 'complete', 'The rollout is complete.'],
    [
      'was never observed',
      statefulSet(ROLLING, { observedGeneration: 0 }, 0),
      'progressing',
      'The change has not been seen by its controller yet.',
    ],
    [
      'waits for replicas',
      statefulSet(ROLLING, { ...DONE, readyReplicas: 2 }),
      'progressing',
      '2 of 3 replicas are ready.',
    ],
    [
      'updates',
      statefulSet(ROLLING, { ...DONE, updatedReplicas: 1 }),
      'progressing',
      '1 of 3 replicas have been updated.',
    ],
    [
      'has more replicas than wanted',
      statefulSet(ROLLING, { ...DONE, replicas: 4, readyReplicas: 4, updatedReplicas: 4 }),
      'progressing',
      '1 replicas more than wanted are pending termination.',
    ],
    [
      'is complete down to its partition',
      statefulSet({ type: 'RollingUpdate', rollingUpdate: { partition: 2 } }, { ...DONE, updatedReplicas: 1 }),
      'complete',
      'The rollout is complete down to partition 2.',
    ],
    [
      'is on its way by revision',
      statefulSet(
        { type: 'RollingUpdate' },
        { ...DONE, updatedReplicas: 1, updateRevision: 'b', currentRevision: 'a' },
      ),
      'progressing',
      '1 replicas are at the new revision.',
    ],
    [
      'is complete by revision',
      statefulSet({ type: 'RollingUpdate' }, { ...DONE, updateRevision: 'a', currentRevision: 'a' }),
      'complete',
      'The rollout is complete.',
    ],
    [
      'is updated by hand',
      statefulSet({ type: 'OnDelete' }, DONE),
      'unsupported',
      'The update strategy is OnDelete: Pods are replaced only when somebody deletes them.',
    ],
  ])('%s', (_name, object, phase, message) => {
    expect(rolloutStatus('StatefulSet', object)).toMatchObject({ phase, message });
  });
});

function daemonSet(status: object, generation = 2, type = 'RollingUpdate') {
  return {
    metadata: { generation },
    spec: { updateStrategy: { type } },
    status: { observedGeneration: 2, desiredNumberScheduled: 3, ...status },
  };
}

describe('rolloutStatus of a DaemonSet', () => {
  it.each([
    [
      'is complete',
      daemonSet({ updatedNumberScheduled: 3, numberAvailable: 3 }),
      'complete',
      'The rollout is complete.',
    ],
    ['was not seen', daemonSet({}, 3), 'progressing', 'The change has not been seen by its controller yet.'],
    ['updates', daemonSet({ updatedNumberScheduled: 1 }), 'progressing', '1 of 3 Pods have been updated.'],
    [
      'waits',
      daemonSet({ updatedNumberScheduled: 3, numberAvailable: 2 }),
      'progressing',
      '2 of 3 updated Pods are available.',
    ],
    [
      'is updated by hand',
      daemonSet({}, 2, 'OnDelete'),
      'unsupported',
      'The update strategy is OnDelete: Pods are replaced only when somebody deletes them.',
    ],
  ])('%s', (_name, object, phase, message) => {
    expect(rolloutStatus('DaemonSet', object)).toMatchObject({ phase, message });
  });
});

it('knows no rollout of anything else', () => {
  expect(rolloutStatus('ReplicaSet', { metadata: {} })).toBeUndefined();
});
