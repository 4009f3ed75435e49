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

  it('reads an event of the new API, which has other names for the same', () => {
    const regarding = { kind: 'Pod', name: 'web', fieldPath: 'spec.initContainers{migrate}' };
    expect(
      simplifyEvent({
        metadata: { name: 'e' },
        regarding,
        note: 'Back-off',
        deprecatedSource: { component: 'kubelet', host: 'node-1' },
        deprecatedCount: 4,
        deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
        deprecatedLastTimestamp: '2026-01-02T00:00:00Z',
      }),
    ).toEqual({
      message: 'Back-off',
      object: 'Pod/web',
      objectKind: 'Pod',
      objectName: 'web',
      container: 'migrate',
      count: 4,
      firstSeen: '2026-01-01T00:00:00Z',
      lastSeen: '2026-01-02T00:00:00Z',
      source: 'kubelet',
      node: 'node-1',
      name: 'e',
    });
  });

  it('says what a namespace that is being deleted waits for', () => {
    const message = 'Some resources are remaining: pods. has 1 resource instances';
    const condition = { type: 'NamespaceContentRemaining', status: 'True', reason: 'SomeResourcesRemain', message };
    const conditions = [{ ...condition, lastTransitionTime: '2026-01-01T00:00:00Z' }];
    const namespace = { metadata: { name: 'shop' }, status: { phase: 'Terminating', conditions } };
    expect(SIMPLIFY.namespace(namespace)).toEqual({
      name: 'shop',
      status: 'Terminating',
      conditions: [condition],
      labels: {},
    });
  });

  it('shows each kind of metric of an autoscaler as kubectl does, with its name', () => {
    const metrics: readonly (readonly [object, object])[] = [
      [
        { type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 80 } } },
        { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 45, averageValue: '90m' } } },
      ],
      [
        { type: 'Resource', resource: { name: 'memory', target: { averageValue: '500Mi' } } },
        { type: 'Resource', resource: { name: 'memory', current: { averageValue: '412Mi' } } },
      ],
      [
        {
          type: 'ContainerResource',
          containerResource: { name: 'cpu', container: 'app', target: { averageUtilization: 60 } },
        },
        { type: 'ContainerResource', containerResource: { current: { averageUtilization: 0 } } },
      ],
      [
        { type: 'Pods', pods: { metric: { name: 'requests' }, target: { averageValue: '1k' } } },
        { type: 'Pods', pods: { current: { averageValue: '10' } } },
      ],
      [
        { type: 'Object', object: { metric: { name: 'latency' }, target: { value: '2' } } },
        { type: 'Object', object: { current: { value: '1500m' } } },
      ],
      // The controller leaves out what it could not measure.
      [{ type: 'External', external: { metric: { name: 'queue' }, target: { value: '30' } } }, { type: '' }],
      [{ type: 'Future' }, {}],
    ];
    const autoscaler: KubeObject = {
      metadata: { name: 'web' },
      spec: {
        maxReplicas: 5,
        scaleTargetRef: { kind: 'Deployment', name: 'web' },
        metrics: metrics.map(([spec]) => spec),
      },
      status: { currentReplicas: 2, desiredReplicas: 3, currentMetrics: metrics.map(([, status]) => status) },
    };
    expect(SIMPLIFY.horizontalpodautoscaler(autoscaler)).toMatchObject({
      target: 'Deployment/web',
      minReplicas: 1,
      currentReplicas: 2,
      desiredReplicas: 3,
      metrics: [
        'cpu: 45%/80%',
        'memory: 412Mi/500Mi (avg)',
        'cpu of app: 0%/60%',
        'requests: 10/1k (avg)',
        'latency: 1500m/2',
        'queue: <unknown>/30',
        'Future',
      ],
    });
  });

  it('tells a claim that is being deleted from one that is bound', () => {
    const claim = { metadata: { name: 'data', deletionTimestamp: '2026-01-01T00:00:00Z' }, status: { phase: 'Bound' } };
    expect(SIMPLIFY.persistentvolumeclaim(claim)).toMatchObject({ status: 'Terminating' });
  });

  it('gives an Ingress rule without paths its host, and leaves copies of the object out of annotations', () => {
    const ingress = { metadata: { name: 'web' }, spec: { rules: [{ host: 'a.example' }], tls: [{}] } };
    expect(SIMPLIFY.ingress(ingress)).toMatchObject({
      hosts: ['a.example'],
      rules: [{ host: 'a.example', path: '/' }],
    });
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': '{}', role: 'shop' };
    expect(SIMPLIFY.serviceaccount({ metadata: { name: 'web', annotations } })).toMatchObject({
      annotations: { role: 'shop' },
    });
  });
});
