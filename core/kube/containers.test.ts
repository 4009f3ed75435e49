import { describe, expect, it } from '@jest/globals';
import { containerNames, containerState, defaultContainer } from './containers';
import type { KubeObject } from './kubeObject';
import { errorOf } from './testing/faultClient';

function pod(spec: object, status: object = {}, annotations: Record<string, string> = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', namespace: 'shop', annotations }, spec, status };
}

const TWO = { containers: [{ name: 'app' }, { name: 'sidecar' }], initContainers: [{ name: 'setup' }] };

describe('defaultContainer', () => {
  it('is the wanted one, init containers included', () => {
    expect(defaultContainer(pod(TWO), 'sidecar')).toBe('sidecar');
    expect(defaultContainer(pod(TWO), 'setup')).toBe('setup');
  });

  it('is the only one', () => {
    expect(defaultContainer(pod({ containers: [{ name: 'app' }], initContainers: [{ name: 'setup' }] }))).toBe('app');
  });

  it('is the one the annotation names, if it exists', async () => {
    const named = (name: string) => pod(TWO, {}, { 'kubectl.kubernetes.io/default-container': name });
    expect(defaultContainer(named('sidecar'))).toBe('sidecar');
    const error = await errorOf(Promise.resolve().then(() => defaultContainer(named('gone'))));
    expect(error.message).toBe('Pod "web" in namespace "shop" has several containers: choose one.');
  });

  it('names all when one has to be chosen, or does not exist', async () => {
    const choose = await errorOf(Promise.resolve().then(() => defaultContainer(pod(TWO))));
    expect(choose.code).toBe('k8s_parameter_invalid');
    expect(choose.hint).toBe('Its containers are "app", "sidecar", "setup".');
    const unknown = await errorOf(Promise.resolve().then(() => defaultContainer(pod(TWO), 'ap')));
    expect(unknown.message).toBe('Pod "web" in namespace "shop" has no container "ap".');
    expect(unknown.details).toMatchObject({ log: 'unknown-container', containers: ['app', 'sidecar', 'setup'] });
  });

  it('survives a Pod without a spec', () => {
    expect(containerNames({ metadata: {} })).toEqual({ containers: [], initContainers: [], ephemeralContainers: [] });
  });
});

describe('containerState', () => {
  const of = (state: object, rest: object = {}, phase = 'Running') =>
    containerState(pod(TWO, { phase, containerStatuses: [{ name: 'app', restartCount: 2, state, ...rest }] }), 'app');

  it.each([
    ['running', of({ running: {} }), { phase: 'running', restarts: 2 }],
    ['terminated', of({ terminated: { exitCode: 0 } }), { phase: 'ended', restarts: 2 }],
    [
      'waiting for its image',
      containerState(
        pod(TWO, {
          phase: 'Pending',
          containerStatuses: [{ name: 'app', restartCount: 0, state: { waiting: { reason: 'ErrImagePull' } } }],
        }),
        'app',
      ),
      { phase: 'waiting', reason: 'ErrImagePull', restarts: 0 },
    ],
    [
      'in CrashLoopBackOff: its last run has ended',
      of({ waiting: { reason: 'CrashLoopBackOff' } }, { lastState: { terminated: { exitCode: 1 } } }),
      { phase: 'ended', restarts: 2 },
    ],
    ['of a Pod that failed while it waited', of({ waiting: {} }, {}, 'Failed'), { phase: 'ended', restarts: 2 }],
    [
      'without a status in a running Pod',
      containerState(pod(TWO, { phase: 'Running' }), 'app'),
      { phase: 'running', restarts: 0 },
    ],
    [
      'without a status in a Pod that is done',
      containerState(pod(TWO, { phase: 'Succeeded' }), 'app'),
      { phase: 'ended', restarts: 0 },
    ],
    [
      'of a Pod that is on no node',
      containerState(pod(TWO, { phase: 'Pending' }), 'app'),
      { phase: 'waiting', reason: undefined, restarts: 0 },
    ],
    [
      'that is an init container',
      containerState(
        pod(TWO, {
          phase: 'Pending',
          initContainerStatuses: [{ name: 'setup', restartCount: 0, state: { running: {} } }],
        }),
        'setup',
      ),
      { phase: 'running', restarts: 0 },
    ],
  ])('a container %s', (_name, state, expected) => {
    expect(state).toEqual(expected);
  });
});
