import { describe, expect, it } from '@jest/globals';
import { RESOURCES, type ApiResource, type KubeObject } from '../kube';
import { componentFields } from './conditions';
import { runPass, type Observation } from './pass';
import { checkSettings, type CheckedSettings, type ConditionChoice } from './settings';
import type { TriggerState } from './state';
import { readState, writeState } from './stateCodec';
import { contextOf, listed, listedState, newState, objectOf, watched } from './testing/objects';

function settingsOf(
  resource: ApiResource,
  watch: Omit<ConditionChoice, 'kind'>,
  emitExisting = false,
): CheckedSettings {
  return checkSettings({ resource, namespaces: [], watch: { kind: 'condition', ...watch }, emitExisting });
}

/** Runs passes at times (ms), and shows what each tells. */
function tell(
  settings: CheckedSettings,
  begin: TriggerState,
  passes: readonly (readonly [number, ...Observation[]])[],
): {
  readonly shown: readonly (readonly string[])[];
  readonly state: TriggerState;
} {
  let state = begin;
  const shown = passes.map(([at, ...observations]) => {
    const result = runPass(state, observations, contextOf(settings, at));
    ({ state } = result);
    return result.events.map((event) => `${event.type} ${event.incident?.key ?? ''}${event.gap ? ' GAP' : ''}`);
  });
  return { shown, state };
}

const MINUTE = 60_000;
let version = 100;

function pod(state: Readonly<Record<string, unknown>>, conditions: readonly unknown[] = []): KubeObject {
  version += 1;
  return objectOf('p', version, {
    status: { containerStatuses: [{ name: 'app', restartCount: 1, state }], conditions },
  });
}

const crashing = (): KubeObject => pod({ waiting: { reason: 'CrashLoopBackOff' } });
const running = (): KubeObject => pod({ running: {} });
const crash = settingsOf(RESOURCES.pods, { condition: 'podCrashLoop', tellEnd: true });

describe('a crash loop', () => {
  it('is told once, however often the container runs for a moment in between', () => {
    const { shown } = tell(crash, listedState(crash), [
      [0, watched('ADDED', running())],
      [1, watched('MODIFIED', crashing())],
      [2, watched('MODIFIED', running()), watched('MODIFIED', crashing())],
      [5 * MINUTE, watched('MODIFIED', running()), { kind: 'time' }],
      [6 * MINUTE, watched('MODIFIED', crashing())],
    ]);
    expect(shown).toEqual([[], ['started podCrashLoop:app:loop-0'], [], [], []]);
  });

  it('ends when it has been away for ten minutes, and can begin again as another', () => {
    const { shown } = tell(crash, listedState(crash), [
      [0, watched('ADDED', crashing())],
      [MINUTE, watched('MODIFIED', running())],
      [10 * MINUTE, { kind: 'time' }],
      [11 * MINUTE, { kind: 'time' }],
      [20 * MINUTE, watched('MODIFIED', crashing())],
    ]);
    expect(shown).toEqual([
      ['started podCrashLoop:app:loop-0'],
      [],
      [],
      ['ended podCrashLoop:app:loop-0'],
      ['started podCrashLoop:app:loop-1'],
    ]);
  });

  it('ends with its Pod', () => {
    const { shown, state } = tell(crash, listedState(crash), [
      [0, watched('ADDED', crashing())],
      [1, watched('DELETED', crashing())],
    ]);
    expect(shown[1]).toEqual(['ended podCrashLoop:app:loop-0']);
    expect(state.scope('').incidents.size).toBe(0);
  });

  it('tells no end where nobody asked for it', () => {
    const settings = settingsOf(RESOURCES.pods, { condition: 'podCrashLoop' });
    const { shown } = tell(settings, listedState(settings), [
      [0, watched('ADDED', crashing())],
      [1, watched('DELETED', crashing())],
    ]);
    expect(shown[1]).toEqual([]);
  });

  it('that goes on over a gap is not told again', () => {
    const { shown, state } = tell(crash, listedState(crash), [
      [0, watched('ADDED', crashing())],
      [1, { kind: 'expired', scope: '' }, listed(10_000, [crashing()])],
    ]);
    expect(shown[1]).toEqual([]);
    expect(state.scope('').incidents.size).toBe(1);
  });

  it('that began or ended in a gap is told, marked', () => {
    const other = { ...crashing(), metadata: { ...crashing().metadata, uid: 'other', name: 'other' } };
    const { shown } = tell(crash, listedState(crash), [
      [0, watched('ADDED', crashing())],
      [1, { kind: 'expired', scope: '' }, listed(10_000, [other])],
    ]);
    expect(shown[1]).toEqual(['started podCrashLoop:app:loop-0 GAP', 'ended podCrashLoop:app:loop-0 GAP']);
  });

  it('is told with the facts of the container', () => {
    const { events } = runPass(listedState(crash), [watched('ADDED', crashing())], contextOf(crash));
    expect(events[0]).toMatchObject({
      type: 'started',
      identity: 'uid-p!podCrashLoop:app:loop-0',
      incident: { condition: 'podCrashLoop', slot: 'app', facts: { container: 'app', restarts: 1 } },
      object: { kind: 'Pod' },
    });
  });
});

describe('the first list', () => {
  it('remembers what holds already, and tells nothing of it', () => {
    const { shown } = tell(crash, newState(crash), [
      [0, listed(100, [crashing()])],
      [1, watched('MODIFIED', crashing())],
    ]);
    expect(shown).toEqual([[], []]);
  });

  it('tells what holds already, where that was asked for', () => {
    const settings = settingsOf(RESOURCES.pods, { condition: 'podCrashLoop' }, true);
    expect(tell(settings, newState(settings), [[0, listed(100, [crashing()])]]).shown).toEqual([
      ['started podCrashLoop:app:loop-0'],
    ]);
  });

  it('lets what holds already wait like anything else that must last', () => {
    const settings = settingsOf(RESOURCES.persistentvolumeclaims, { condition: 'claimPending', minutes: 5 });
    const claim = objectOf('c', 50, { status: { phase: 'Pending' } });
    const time: Observation = { kind: 'time', objects: new Map([['uid-c', claim]]) };
    const { shown } = tell(settings, newState(settings), [
      [0, listed(100, [claim])],
      [5 * MINUTE, time],
    ]);
    expect(shown).toEqual([[], ['started claimPending:claim:pending']]);
  });
});

describe('what must last', () => {
  const settings = settingsOf(RESOURCES.nodes, { condition: 'nodeNotReady', minutes: 10, tellEnd: true });
  let nodeVersion = 100;
  const node = (status: string, since = 'T1'): KubeObject => {
    nodeVersion += 1;
    return objectOf('n', nodeVersion, {
      status: { conditions: [{ type: 'Ready', status, lastTransitionTime: since }] },
    });
  };
  const at = (object: KubeObject): Observation => ({ kind: 'time', objects: new Map([['uid-n', object]]) });

  it('is told when it has lasted, once, and its end too', () => {
    const { shown } = tell(settings, listedState(settings), [
      [0, watched('ADDED', node('False'))],
      [9 * MINUTE, at(node('False'))],
      [10 * MINUTE, at(node('False'))],
      [11 * MINUTE, at(node('False')), watched('MODIFIED', node('Unknown', 'T2'))],
      [12 * MINUTE, watched('MODIFIED', node('True'))],
    ]);
    expect(shown).toEqual([[], [], ['started nodeNotReady:ready:T1'], [], ['ended nodeNotReady:ready:T1']]);
  });

  it('is forgotten when it ends before', () => {
    const { shown, state } = tell(settings, listedState(settings), [
      [0, watched('ADDED', node('False'))],
      [5 * MINUTE, watched('MODIFIED', node('True'))],
      [11 * MINUTE, { kind: 'time' }],
    ]);
    expect(shown.flat()).toEqual([]);
    expect(state.scope('').incidents.size).toBe(0);
  });

  it('is not told on the word of an old observation: the object is read once more', () => {
    const { shown } = tell(settings, listedState(settings), [
      [0, watched('ADDED', node('False'))],
      [10 * MINUTE, { kind: 'time' }],
      [11 * MINUTE, at(node('True'))],
      [12 * MINUTE, at({ ...node('False'), metadata: { ...node('False').metadata, uid: 'another' } })],
    ]);
    expect(shown.flat()).toEqual([]);
  });

  it('is told by a watch too, when it sees the object after the time', () => {
    const { shown } = tell(settings, listedState(settings), [
      [0, watched('ADDED', node('False'))],
      [30 * MINUTE, watched('MODIFIED', node('False'))],
    ]);
    expect(shown[1]).toEqual(['started nodeNotReady:ready:T1']);
  });

  it('does not wait for years when the clock was set back', () => {
    const { shown } = tell(settings, listedState(settings), [
      [1_000_000 * MINUTE, watched('ADDED', node('False'))],
      [0, watched('MODIFIED', node('False'))],
      [10 * MINUTE, at(node('False'))],
    ]);
    expect(shown[2]).toEqual(['started nodeNotReady:ready:T1']);
  });
});

describe('what is final', () => {
  const settings = settingsOf(RESOURCES.jobs, { condition: 'jobFailed' });
  let jobVersion = 100;
  const failed = (): KubeObject => {
    jobVersion += 1;
    return objectOf('j', jobVersion, {
      status: { conditions: [{ type: 'Failed', status: 'True', reason: 'BackoffLimitExceeded' }] },
    });
  };

  it('is told once, whatever is written into the object later', () => {
    const { shown } = tell(settings, listedState(settings), [
      [0, watched('ADDED', failed()), watched('MODIFIED', failed())],
      [1, { kind: 'expired', scope: '' }, listed(10_000, [failed()])],
    ]);
    expect(shown).toEqual([['started jobFailed:job:failed'], []]);
  });

  it('is not told after a gap of what ended before it, where more objects exist than are tracked', () => {
    const fewer = checkSettings({
      resource: RESOURCES.jobs,
      namespaces: [],
      watch: { kind: 'condition', condition: 'jobFailed' },
      tracked: 2,
    });
    const job = (name: string, at: number): KubeObject => ({
      ...failed(),
      ...objectOf(name, at, { status: failed().status }),
    });
    const { shown } = tell(fewer, newState(fewer), [
      [0, listed(100, [job('a', 50), job('b', 60), job('c', 70)])],
      [1, { kind: 'expired', scope: '' }, listed(200, [job('a', 50), job('b', 60), job('c', 70), job('d', 150)])],
    ]);
    expect(shown).toEqual([[], ['started jobFailed:job:failed GAP']]);
  });

  it('a repeated line tells nothing', () => {
    const once = failed();
    const { shown } = tell(settings, listedState(settings), [[0, watched('ADDED', once), watched('ADDED', once)]]);
    expect(shown[0]).toHaveLength(1);
  });
});

describe('a rollout', () => {
  const settings = settingsOf(RESOURCES.deployments, { condition: 'rolloutFinished' });
  let at = 100;
  const deployment = (revision: string, available: number, reason = 'ReplicaSetUpdated'): KubeObject => {
    at += 1;
    return objectOf('d', at, {
      metadata: { generation: 1, annotations: { 'deployment.kubernetes.io/revision': revision } },
      spec: { replicas: 2 },
      status: {
        observedGeneration: 1,
        replicas: 2,
        updatedReplicas: 2,
        availableReplicas: available,
        conditions: [{ type: 'Progressing', status: 'True', reason }],
      },
    });
  };

  it('is told when it is out, once a version, and not when Pods come and go', () => {
    const { shown } = tell(settings, listedState(settings), [
      [0, watched('ADDED', deployment('1', 1))],
      [1, watched('MODIFIED', deployment('1', 2, 'NewReplicaSetAvailable'))],
      [2, watched('MODIFIED', deployment('1', 1, 'NewReplicaSetAvailable')), watched('MODIFIED', deployment('1', 2))],
      [3, watched('MODIFIED', deployment('2', 1))],
      [4, watched('MODIFIED', deployment('2', 2))],
    ]);
    expect(shown).toEqual([[], ['started rolloutFinished:rollout:1'], [], [], ['started rolloutFinished:rollout:2']]);
  });

  it('that was out before the first look is not told when a missing Pod comes back', () => {
    const { shown } = tell(settings, listedState(settings), [
      [0, watched('ADDED', deployment('1', 1, 'NewReplicaSetAvailable'))],
      [1, watched('MODIFIED', deployment('1', 2))],
    ]);
    expect(shown.flat()).toEqual([]);
  });

  it.each([
    [
      'StatefulSet',
      RESOURCES.statefulsets,
      (ready: number) => ({
        spec: { replicas: 2, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } } },
        status: { replicas: 2, readyReplicas: ready, updatedReplicas: 2, currentRevision: 'a', updateRevision: 'a' },
      }),
    ],
    [
      'DaemonSet',
      RESOURCES.daemonsets,
      (ready: number) => ({
        spec: { updateStrategy: { type: 'RollingUpdate' } },
        status: { desiredNumberScheduled: 2, updatedNumberScheduled: 2, numberAvailable: ready },
      }),
    ],
  ])('of a %s: one that lacks a Pod at first is not told when it is back, a new one is', (_, resource, fields) => {
    const chosen = settingsOf(resource, { condition: 'rolloutFinished' });
    const workload = (name: string, ready: number): KubeObject => {
      at += 1;
      const { spec, status } = fields(ready);
      const annotations = { 'deprecated.daemonset.template.generation': 'a' };
      return objectOf(name, at, {
        metadata: { generation: 1, annotations },
        spec,
        status: { ...status, observedGeneration: 1 },
      });
    };
    const { shown } = tell(chosen, newState(chosen), [
      [0, listed(at, [workload('old', 1)])],
      [1, watched('MODIFIED', workload('old', 2))],
      [2, watched('ADDED', workload('new', 0)), watched('MODIFIED', workload('new', 1))],
      [3, watched('MODIFIED', workload('new', 2)), watched('MODIFIED', workload('new', 1))],
    ]);
    expect(shown.map((events) => events.length)).toEqual([0, 0, 0, 1]);
  });

  it('back to an old version is not believed to be out by the mark of the version before', () => {
    const { shown } = tell(settings, listedState(settings), [
      [0, watched('ADDED', deployment('1', 2))],
      [1, watched('MODIFIED', deployment('2', 0, 'NewReplicaSetAvailable'))],
      [2, watched('MODIFIED', deployment('2', 2))],
    ]);
    expect(shown).toEqual([['started rolloutFinished:rollout:1'], [], ['started rolloutFinished:rollout:2']]);
  });
});

describe('an image that cannot be pulled', () => {
  const settings = settingsOf(RESOURCES.pods, { condition: 'podImagePullFailed', tellEnd: true });
  const pulling = (reason: string): KubeObject => pod({ waiting: { reason } });

  it('is told once, whichever of its reasons shows, and its end when the container runs', () => {
    const { shown } = tell(settings, listedState(settings), [
      [0, watched('ADDED', pulling('ContainerCreating'))],
      [1, watched('MODIFIED', pulling('ErrImagePull')), watched('MODIFIED', pulling('ImagePullBackOff'))],
      [2, watched('MODIFIED', pulling('ErrImagePull'))],
      [3, watched('MODIFIED', running())],
    ]);
    expect(shown.map((events) => events.map((event) => event.split(' ')[0]))).toEqual([[], ['started'], [], ['ended']]);
  });
});

describe('a rollout that is stuck', () => {
  const settings = settingsOf(RESOURCES.deployments, { condition: 'rolloutStuck', tellEnd: true });
  let at = 100;
  const deployment = (reason: string, since: string, generation = 1): KubeObject => {
    at += 1;
    const status = reason === 'ProgressDeadlineExceeded' ? 'False' : 'True';
    return objectOf('d', at, {
      metadata: { generation, annotations: { 'deployment.kubernetes.io/revision': '2' } },
      spec: { replicas: 2 },
      status: {
        observedGeneration: 1,
        replicas: 3,
        updatedReplicas: 1,
        conditions: [{ type: 'Progressing', status, reason, lastTransitionTime: since }],
      },
    });
  };
  const stuck = (since: string, generation = 1): KubeObject =>
    deployment('ProgressDeadlineExceeded', since, generation);

  it('is told each time it gets stuck, and stays as it is while its controller has not seen a change', () => {
    const { shown } = tell(settings, listedState(settings), [
      [0, watched('ADDED', deployment('ReplicaSetUpdated', 'T0'))],
      [1, watched('MODIFIED', stuck('T1')), watched('MODIFIED', stuck('T1'))],
      [2, watched('MODIFIED', stuck('T1', 2))],
      [3, watched('MODIFIED', deployment('ReplicaSetUpdated', 'T3'))],
      [4, watched('MODIFIED', stuck('T4'))],
    ]);
    expect(shown).toEqual([
      [],
      ['started rolloutStuck:rollout:2/T1'],
      [],
      ['ended rolloutStuck:rollout:2/T1'],
      ['started rolloutStuck:rollout:2/T4'],
    ]);
  });
});

describe('incidents over a restart', () => {
  const settings = settingsOf(RESOURCES.pods, { condition: 'podUnschedulable', minutes: 5, tellEnd: true });
  let at = 100;
  const waiting = (unschedulable: boolean): KubeObject => {
    at += 1;
    const status = unschedulable
      ? { status: 'False', reason: 'Unschedulable', message: '0/3 nodes are available' }
      : { status: 'True' };
    return objectOf('p', at, { status: { phase: 'Pending', conditions: [{ type: 'PodScheduled', ...status }] } });
  };
  const restarted = (state: TriggerState): TriggerState => {
    const read = readState(JSON.parse(JSON.stringify(writeState(state))), 'owner', settings);
    if (!('state' in read)) throw new Error(read.problem);
    return read.state;
  };

  it('wait on from where they were, are told once, and end', () => {
    const time = (): Observation => ({ kind: 'time', objects: new Map([['uid-p', waiting(true)]]) });
    let state = listedState(settings);
    const shown = (
      [
        [0, watched('ADDED', waiting(true))],
        [4 * MINUTE, time()],
        [5 * MINUTE, time()],
        [6 * MINUTE, time(), watched('MODIFIED', waiting(true))],
        [7 * MINUTE, watched('MODIFIED', waiting(false))],
      ] as const
    ).map((pass) => {
      const result = tell(settings, restarted(state), [pass]);
      ({ state } = result);
      return result.shown[0];
    });
    expect(shown).toEqual([
      [],
      [],
      ['started podUnschedulable:pod:unschedulable'],
      [],
      ['ended podUnschedulable:pod:unschedulable'],
    ]);
  });
});

describe('a component', () => {
  const settings = checkSettings({
    resource: {
      ...RESOURCES.deployments,
      group: 'platform.navin.ai',
      version: 'v1alpha1',
      kind: 'ManagedComponent',
      plural: 'managedcomponents',
    },
    namespaces: [],
    watch: {
      kind: 'changes',
      types: ['modified'],
      modifiedWhen: 'fields',
      fields: componentFields(['state', 'health', 'operation', 'security', 'convergence']),
    },
  });
  let at = 100;
  const component = (status: Readonly<Record<string, unknown>>): KubeObject => {
    at += 1;
    return objectOf('broker', at, {
      status: {
        state: 'started',
        health: 'ok',
        operationState: 'succeeded',
        securityState: 'compliant',
        converged: true,
        observedGeneration: 3,
        ...status,
      },
    });
  };

  it('is told when one of its dimensions changes, with what it was before, and not for anything else', () => {
    const changed = (status: Readonly<Record<string, unknown>>) =>
      runPass(
        listedState(settings),
        [watched('ADDED', component({})), watched('MODIFIED', component(status))],
        contextOf(settings),
      ).events.map((event) => event.changed);
    expect(changed({ observedGeneration: 4, message: 'other' })).toEqual([]);
    expect(changed({ health: 'critical' })).toEqual([[{ path: 'status.health', previous: 'ok', current: 'critical' }]]);
    expect(changed({ operationState: 'running', converged: false })).toEqual([
      [
        { path: 'status.operationState', previous: 'succeeded', current: 'running' },
        { path: 'status.converged', previous: true, current: false },
      ],
    ]);
    expect(changed({ state: undefined, securityState: 'non_compliant' })).toEqual([
      [
        { path: 'status.state', previous: 'started' },
        { path: 'status.securityState', previous: 'compliant', current: 'non_compliant' },
      ],
    ]);
  });

  it('is told what all dimensions were, where only some of them count', () => {
    const all = ['state', 'health', 'operation', 'security', 'convergence'] as const;
    const some = checkSettings({
      resource: settings.resource,
      namespaces: [],
      watch: {
        kind: 'changes',
        types: ['modified'],
        modifiedWhen: 'fields',
        fields: componentFields(all),
        counting: componentFields(['health']),
      },
    });
    const told = (...statuses: Readonly<Record<string, unknown>>[]) =>
      runPass(
        listedState(some),
        [watched('ADDED', component({})), ...statuses.map((status) => watched('MODIFIED', component(status)))],
        contextOf(some),
      ).events.map(({ changed, before }) => ({ changed, before }));
    const before = {
      'status.state': 'started',
      'status.health': 'ok',
      'status.operationState': 'succeeded',
      'status.securityState': 'compliant',
      'status.converged': true,
    };
    const changed = [{ path: 'status.health', previous: 'ok', current: 'critical' }];
    expect(told({ converged: false })).toEqual([]);
    expect(told({ health: 'critical', converged: false })).toEqual([{ changed, before }]);
    // What changed before without being told is known all the same.
    expect(told({ converged: false }, { health: 'critical', converged: false })).toEqual([
      { changed, before: { ...before, 'status.converged': false } },
    ]);
  });
});
