import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../../../core/kube';
import { podOutcome } from '../../../../nodes/Kubernetes/actions/pod/outcome';

const READY = { conditions: [{ type: 'Ready', status: 'True' }] };
const waiting = (reason: string) => [{ name: 'app', state: { waiting: { reason } } }];
const ended = (exitCode: number) => [{ name: 'app', state: { terminated: { exitCode } } }];

interface Given {
  readonly status?: object;
  readonly deleting?: boolean;
  readonly restartPolicy?: string;
}

function pod({ status = {}, deleting = false, restartPolicy = 'Never' }: Given): KubeObject {
  const metadata = deleting ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {};
  return { metadata, spec: { restartPolicy }, status };
}

const STUCK = 'cannot go on: CreateContainerConfigError of the container app';

const CASES: readonly (readonly [string, 'ready' | 'finished', Given, string, string | undefined])[] = [
  ['nothing is known yet', 'ready', {}, 'waiting', undefined],
  ['it is ready', 'ready', { status: READY }, 'reached', undefined],
  ['it is ready, but shall finish', 'finished', { status: READY }, 'waiting', undefined],
  ['it is ready, but ends', 'ready', { status: READY, deleting: true }, 'failed', 'is being deleted'],
  ['it ends, and shall finish', 'finished', { deleting: true }, 'waiting', undefined],
  ['it has succeeded', 'finished', { status: { phase: 'Succeeded' } }, 'reached', undefined],
  [
    'it has succeeded, but shall be ready',
    'ready',
    { status: { phase: 'Succeeded' } },
    'failed',
    'has ended, so it is never ready',
  ],
  ['it was evicted', 'ready', { status: { phase: 'Failed', reason: 'Evicted' } }, 'failed', 'failed (Evicted)'],
  [
    'a container failed',
    'finished',
    { status: { phase: 'Failed', containerStatuses: ended(3) } },
    'failed',
    'failed (exit code 3 of the container app)',
  ],
  ['it failed and says nothing', 'ready', { status: { phase: 'Failed' } }, 'failed', 'failed'],
  [
    'an image is being pulled',
    'ready',
    { status: { containerStatuses: waiting('ContainerCreating') } },
    'waiting',
    undefined,
  ],
  ['the first pull failed', 'ready', { status: { containerStatuses: waiting('ErrImagePull') } }, 'waiting', undefined],
  [
    'a Secret it needs is missing',
    'ready',
    { status: { containerStatuses: waiting('CreateContainerConfigError') } },
    'failed',
    STUCK,
  ],
  [
    'an init container needs a Secret that is missing',
    'ready',
    { status: { initContainerStatuses: waiting('CreateContainerConfigError') } },
    'failed',
    STUCK,
  ],
  [
    'it is started again and again, by design',
    'finished',
    { restartPolicy: 'Always' },
    'failed',
    'never finishes: its restartPolicy is Always',
  ],
];

describe('the outcome of a pod', () => {
  it.each(CASES)('when %s, waited for to be %s', (_name, goal, given, state, reason) => {
    expect(podOutcome(pod(given), goal, false)).toEqual(reason === undefined ? { state } : { state, reason });
  });

  it.each(['CrashLoopBackOff', 'ImagePullBackOff'])('is failed in %s, unless one is patient', (reason) => {
    const backingOff = pod({ status: { containerStatuses: waiting(reason) } });
    expect(podOutcome(backingOff, 'ready', false).state).toBe('failed');
    expect(podOutcome(backingOff, 'ready', true)).toEqual({ state: 'waiting' });
  });

  it('is failed for what a person must correct, however patient one is', () => {
    const stuck = pod({ status: { containerStatuses: waiting('InvalidImageName') } });
    expect(podOutcome(stuck, 'ready', true).state).toBe('failed');
  });
});
