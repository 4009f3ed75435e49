import { describe, expect, it } from '@jest/globals';
import { healthOf } from './health';
import { stateOf, type Course } from './state';
import { viewOf } from './workload';

type Fields = Record<string, unknown>;

/** A workload of three replicas, all as it should be, but for what is said. */
function workload(
  kind: string,
  { spec = {}, status = {}, metadata = {} }: Record<string, Fields>,
): ReturnType<typeof viewOf> {
  const numbers = { observedGeneration: 2, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };
  return viewOf({
    kind,
    metadata: { name: 'web', generation: 2, ...metadata },
    spec: { replicas: 3, ...spec },
    status: { ...numbers, ...status },
  });
}

const conditions = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }];
const none = { replicas: 0, updatedReplicas: 0, readyReplicas: undefined, availableReplicas: undefined };
const RUNNING: Course = { isStopped: false, isInstalled: true, before: 'started' };
const STOPPED: Course = { isStopped: true, isInstalled: true, before: 'started' };

describe('a Deployment shows', () => {
  it.each<[string, Record<string, Fields>, string, string, string, Course?]>([
    ['a change that was not seen yet', { status: { observedGeneration: 1 } }, 'unobserved', 'unknown', 'started'],
    ['all as it should be', {}, 'complete', 'ok', 'started'],
    ['a deadline that passed, with the old Pods still serving', { status: { conditions } }, 'failed', 'ok', 'failed'],
    ['a rollout', { status: { replicas: 4, updatedReplicas: 2 } }, 'progressing', 'ok', 'started'],
    ['old Pods that end', { status: { replicas: 5 } }, 'progressing', 'ok', 'started'],
    ['a scale in', { spec: { replicas: 2 } }, 'progressing', 'ok', 'started'],
    [
      'Pods that are ready and not yet available',
      { status: { availableReplicas: 2 } },
      'progressing',
      'warning',
      'started',
    ],
    ['a status that is half written', { status: { readyReplicas: 2 } }, 'progressing', 'ok', 'started'],
    ['a pause in the middle', { spec: { paused: true }, status: { updatedReplicas: 1 } }, 'held', 'ok', 'started'],
    ['a pause when all is done', { spec: { paused: true } }, 'complete', 'ok', 'started'],
    ['a stop that is done', { spec: { replicas: 0 }, status: none }, 'stopped', 'ok', 'stopped', STOPPED],
    [
      'a stop with a Pod left',
      { spec: { replicas: 0 }, status: { ...none, replicas: 1 } },
      'stopping',
      'ok',
      'stopping',
      STOPPED,
    ],
    [
      'a stop with a Pod that still ends',
      { spec: { replicas: 0 }, status: { ...none, terminatingReplicas: 1 } },
      'stopping',
      'ok',
      'stopping',
      STOPPED,
    ],
    ['no replicas though nobody asked for a stop', { spec: { replicas: 0 }, status: none }, 'stopped', 'ok', 'started'],
    ['no status', { status: { ...none, observedGeneration: undefined } }, 'unobserved', 'unknown', 'started'],
    ['a later generation than it has', { status: { observedGeneration: 3 } }, 'unobserved', 'unknown', 'started'],
    ['its deletion', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }, 'terminating', 'ok', 'started'],
    [
      'what an autoscaler made of it',
      { spec: { replicas: 2 }, status: { replicas: 2, updatedReplicas: 2, readyReplicas: 2, availableReplicas: 2 } },
      'complete',
      'ok',
      'started',
    ],
    ['nothing available', { status: { availableReplicas: undefined } }, 'progressing', 'critical', 'started'],
    ['less than the budget', { status: { availableReplicas: 1 } }, 'progressing', 'critical', 'started'],
  ])('%s', (_what, parts, rollout, health, state, course = RUNNING) => {
    const view = workload('Deployment', parts);
    expect([view.rollout, healthOf(view, 2), stateOf(view, course)]).toEqual([rollout, health, state]);
  });
});

const rolling = (more: Fields): Fields => ({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: more } });
const onDelete = { updateStrategy: { type: 'OnDelete' } };
const revisions = { currentRevision: 'a', updateRevision: 'b' };

describe('a StatefulSet shows', () => {
  it.each<[string, Record<string, Fields>, string, string]>([
    ['all as it should be', { spec: rolling({ partition: 0 }) }, 'complete', 'ok'],
    [
      'a rollout',
      { spec: rolling({ partition: 0 }), status: { updatedReplicas: 1, ...revisions } },
      'progressing',
      'ok',
    ],
    [
      'a rollout up to its partition',
      { spec: rolling({ partition: 2 }), status: { updatedReplicas: 1, ...revisions } },
      'held',
      'ok',
    ],
    [
      'a rollout not yet at its partition',
      { spec: rolling({ partition: 1 }), status: { updatedReplicas: 1, ...revisions } },
      'progressing',
      'ok',
    ],
    [
      'a rollout without a partition',
      { spec: rolling({ maxUnavailable: 1 }), status: { updatedReplicas: 1, ...revisions } },
      'progressing',
      'ok',
    ],
    [
      'an update that waits for deletions',
      { spec: onDelete, status: { updatedReplicas: 0, ...revisions } },
      'held',
      'ok',
    ],
    [
      'nothing ready, updated by hand',
      { spec: onDelete, status: { readyReplicas: 0, availableReplicas: 0, updatedReplicas: 0, ...revisions } },
      'progressing',
      'critical',
    ],
    [
      'nothing to update by hand',
      { spec: onDelete, status: { updatedReplicas: 0, currentRevision: 'a', updateRevision: 'a' } },
      'complete',
      'ok',
    ],
    ['that it was never observed', { status: { observedGeneration: undefined } }, 'unobserved', 'unknown'],
    ['a Pod that crashes for ever', { status: { readyReplicas: 2, availableReplicas: 2 } }, 'progressing', 'warning'],
    ['Pods that are ready and not yet available', { status: { availableReplicas: 1 } }, 'progressing', 'critical'],
  ])('%s', (_what, parts, rollout, health) => {
    const view = workload('StatefulSet', parts);
    expect([view.rollout, healthOf(view, 2)]).toEqual([rollout, health]);
  });
});

describe('the state', () => {
  const view = (rollout: 'complete' | 'progressing' | 'stopped' | 'stopping') => ({
    ...workload('Deployment', {}),
    rollout,
  });
  it.each([
    [
      'is installing until the first full rollout',
      'progressing',
      { ...RUNNING, isInstalled: false, before: undefined },
      'installing',
    ],
    [
      'is started with the first full rollout',
      'complete',
      { ...RUNNING, isInstalled: false, before: 'installing' },
      'started',
    ],
    [
      'is stopped when it was installed without replicas',
      'stopped',
      { ...STOPPED, isInstalled: false, before: 'installing' },
      'stopped',
    ],
    ['is starting from stopped', 'progressing', { ...RUNNING, before: 'stopped' }, 'starting'],
    ['is starting before the first Pod is asked for', 'stopped', { ...RUNNING, before: 'stopped' }, 'starting'],
    ['is starting until all of it is up', 'progressing', { ...RUNNING, before: 'starting' }, 'starting'],
    ['is starting when a stop is taken back', 'stopping', { ...RUNNING, before: 'stopping' }, 'starting'],
    ['is started when all of it is up', 'complete', { ...RUNNING, before: 'starting' }, 'started'],
    ['stays started while it updates', 'progressing', RUNNING, 'started'],
    ['stays started after a failure is over', 'progressing', { ...RUNNING, before: 'failed' }, 'started'],
    ['is stopping while Pods are left', 'progressing', STOPPED, 'stopping'],
  ] as const)('%s', (_what, rollout, course, state) => {
    expect(stateOf(view(rollout), course)).toBe(state);
  });
});
