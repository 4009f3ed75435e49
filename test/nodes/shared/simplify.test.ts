import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '../../../core/kube';
import { SIMPLIFY, simplifyEvent } from '../../../nodes/shared/simplify';
import { statusOfPod } from '../../../nodes/shared/simplify/pod';

const waiting = (reason: string) => ({ state: { waiting: { reason } } });
const ended = (exitCode: number, reason?: string) => ({ state: { terminated: { exitCode, reason } } });
const RUNNING = { ready: true, state: { running: {} } };

/** A pod by its parts; the expected words are what kubectl prints for it. */
function pod(parts: {
  readonly phase?: string;
  readonly reason?: string;
  readonly containers?: readonly object[];
  readonly init?: readonly object[];
  readonly initSpecs?: readonly object[];
  readonly deleted?: true;
  readonly ready?: 'True' | 'False';
}): KubeObject {
  return {
    metadata: { name: 'web', ...(parts.deleted ? { deletionTimestamp: '2026-01-31T12:00:00Z' } : {}) },
    spec: { initContainers: parts.initSpecs ?? (parts.init ?? []).map((_, index) => ({ name: `i${String(index)}` })) },
    status: {
      phase: parts.phase ?? 'Running',
      reason: parts.reason,
      containerStatuses: parts.containers ?? [],
      initContainerStatuses: (parts.init ?? []).map((status, index) => ({ name: `i${String(index)}`, ...status })),
      conditions: [{ type: 'Ready', status: parts.ready ?? 'True' }],
    },
  };
}

describe('the status of a pod is the one kubectl prints', () => {
  it.each([
    ['Running', pod({ containers: [RUNNING] })],
    ['Pending', pod({ phase: 'Pending' })],
    ['ContainerCreating', pod({ phase: 'Pending', containers: [waiting('ContainerCreating')] })],
    ['ImagePullBackOff', pod({ phase: 'Pending', containers: [RUNNING, waiting('ImagePullBackOff')] })],
    ['CrashLoopBackOff', pod({ containers: [waiting('CrashLoopBackOff')] })],
    ['Completed', pod({ phase: 'Succeeded', containers: [ended(0, 'Completed')] })],
    ['Error', pod({ phase: 'Failed', containers: [ended(1, 'Error')] })],
    ['OOMKilled', pod({ phase: 'Failed', containers: [ended(137, 'OOMKilled')] })],
    ['ExitCode:3', pod({ phase: 'Failed', containers: [ended(3)] })],
    ['Signal:9', pod({ containers: [{ state: { terminated: { exitCode: 137, signal: 9 } } }] })],
    ['Evicted', pod({ phase: 'Failed', reason: 'Evicted' })],
    ['Terminating', pod({ deleted: true, containers: [RUNNING] })],
    ['Running', pod({ containers: [ended(0, 'Completed'), RUNNING], ready: 'True' })],
    ['NotReady', pod({ containers: [ended(0, 'Completed'), RUNNING], ready: 'False' })],
    ['Init:0/2', pod({ phase: 'Pending', init: [{ state: { running: {} } }, waiting('PodInitializing')] })],
    ['Init:1/2', pod({ phase: 'Pending', init: [ended(0), { state: { running: {} } }] })],
    ['Init:CrashLoopBackOff', pod({ phase: 'Pending', init: [waiting('CrashLoopBackOff')] })],
    ['Init:Error', pod({ phase: 'Pending', init: [ended(1, 'Error')] })],
    ['Init:ExitCode:2', pod({ phase: 'Pending', init: [ended(2)] })],
    [
      'Running',
      pod({
        init: [{ started: true, state: { running: {} } }],
        initSpecs: [{ name: 'i0', restartPolicy: 'Always' }],
        containers: [RUNNING],
      }),
    ],
    ['Unknown', { metadata: {} }],
  ])('%s', (status, object) => {
    expect(statusOfPod(object)).toBe(status);
  });
});

describe('simplifying', () => {
  it('takes anything for an object without failing', () => {
    const simplifiers = [...Object.values(SIMPLIFY), simplifyEvent];
    fc.assert(
      fc.property(
        fc.record({ metadata: fc.object(), spec: fc.anything(), status: fc.anything(), involvedObject: fc.anything() }),
        (object) => {
          for (const simplify of simplifiers) {
            expect(typeof simplify(object as unknown as KubeObject)).toBe('object');
          }
        },
      ),
      { numRuns: 500 },
    );
  });

  it('keeps zero and false, and leaves out what is not there', () => {
    expect(SIMPLIFY.deployment({ metadata: { name: 'web' }, spec: { replicas: 0 } })).toEqual({
      name: 'web',
      replicas: 0,
      readyReplicas: 0,
      updatedReplicas: 0,
      availableReplicas: 0,
      paused: false,
      images: {},
      labels: {},
    });
  });

  it('shows the address of a load balancer, by name or number', () => {
    const balancer = (ingress: object): KubeObject => ({
      metadata: { name: 'web' },
      spec: {
        type: 'LoadBalancer',
        externalName: 'db.example.com',
        ports: [{ port: 53, protocol: 'UDP', targetPort: 'dns' }],
      },
      status: { loadBalancer: { ingress: [ingress] } },
    });
    expect(SIMPLIFY.service(balancer({ ip: '203.0.113.7' }))).toMatchObject({
      external: ['203.0.113.7', 'db.example.com'],
      ports: ['53/UDP to dns'],
    });
    expect(SIMPLIFY.service(balancer({ hostname: 'lb.example.com' }))).toMatchObject({
      external: ['lb.example.com', 'db.example.com'],
    });
  });

  it('reads events of the old and the new API', () => {
    const event = { metadata: { name: 'e', namespace: 'n', creationTimestamp: '2026-01-01T00:00:00Z' } };
    expect(
      simplifyEvent({ ...event, eventTime: '2026-01-02T00:00:00Z', reportingComponent: 'scheduler' }),
    ).toMatchObject({
      count: 1,
      lastSeen: '2026-01-02T00:00:00Z',
      source: 'scheduler',
    });
    const series = { count: 9, lastObservedTime: '2026-01-03T00:00:00Z' };
    expect(simplifyEvent({ ...event, series, reportingComponent: '', source: { component: 'kubelet' } })).toMatchObject(
      {
        count: 9,
        lastSeen: '2026-01-03T00:00:00Z',
        source: 'kubelet',
      },
    );
    expect(simplifyEvent(event)).toMatchObject({ firstSeen: '2026-01-01T00:00:00Z', lastSeen: '2026-01-01T00:00:00Z' });
  });
});
