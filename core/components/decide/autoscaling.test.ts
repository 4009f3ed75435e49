import { describe, expect, it } from '@jest/globals';
import { webChart } from '../testing/charts';
import { ModelCluster } from '../testing/modelCluster';
import type { ComponentSpec } from '../resource/spec';
import { replicasManagers } from './ownership';

const WEB = 'apps/Deployment/web';
const HPA = 'autoscaling/HorizontalPodAutoscaler/web';
const SCALED = 'keda.sh/ScaledObject/web';
const AUTO = { minReplicas: 2, maxReplicas: 5 };

function running(spec: Partial<ComponentSpec>): ModelCluster {
  const cluster = new ModelCluster({ source: { chart: { path: 'web' } }, ...spec }, webChart, () => 0.9);
  cluster.settle();
  expect(cluster.status.converged).toBe(true);
  cluster.log.length = 0;
  return cluster;
}

const replicasOf = (cluster: ModelCluster) => (cluster.object(WEB)?.spec as { replicas: number }).replicas;
const holders = (cluster: ModelCluster): readonly string[] => {
  const live = cluster.observe().live.get(WEB);
  return live === undefined || live === 'absent' ? [] : replicasManagers(live);
};

describe('an autoscaler', () => {
  it('gets the replicas as they are, and is not overruled from then on', () => {
    const cluster = running({ replicas: 4 });
    cluster.write({ replicas: undefined, autoscaling: AUTO });
    cluster.settle();
    expect(cluster.log).toEqual(['apply HorizontalPodAutoscaler/web', 'replicas web 4']);
    expect(cluster.object(HPA)?.spec).toEqual({
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicas: 2,
      maxReplicas: 5,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
      ],
    });
    cluster.autoscale();
    expect([replicasOf(cluster), holders(cluster)]).toEqual([5, ['kube-controller-manager (Update)']]);
    cluster.write({ values: { image: 'web:2' } });
    cluster.settle();
    // The body leaves them out, and they are not reset to 1.
    expect([replicasOf(cluster), holders(cluster)]).toEqual([5, ['kube-controller-manager (Update)']]);
    expect(cluster.status.converged).toBe(true);
  });

  it('starts a new component with its fewest', () => {
    const cluster = running({ autoscaling: AUTO });
    expect([replicasOf(cluster), holders(cluster).length]).toEqual([2, 2]);
  });

  it('loses the replicas again when it is taken away, after it is gone', () => {
    const cluster = running({ autoscaling: AUTO });
    cluster.autoscale();
    cluster.settle();
    cluster.log.length = 0;
    cluster.write({ autoscaling: undefined, replicas: 3 });
    cluster.settle();
    expect(cluster.log).toEqual(['delete HorizontalPodAutoscaler/web', 'replicas web 3']);
    expect(cluster.status).toMatchObject({ operation: { type: 'scale' }, converged: true });
  });

  it('rests while the component is stopped, and begins again with its fewest', () => {
    const cluster = running({ autoscaling: AUTO });
    cluster.autoscale();
    cluster.write({ desiredState: 'Stopped' });
    cluster.settle();
    expect([replicasOf(cluster), cluster.status.state, cluster.object(HPA) !== undefined]).toEqual([
      0,
      'stopped',
      true,
    ]);
    cluster.write({ desiredState: 'Running' });
    cluster.settle();
    expect([replicasOf(cluster), cluster.status.state]).toEqual([2, 'started']);
    expect(cluster.log).toEqual(['replicas web 0', 'replicas web 2']);
  });

  it('of KEDA is held still before the stop, and let go before the start', () => {
    const cluster = running({ autoscaling: { ...AUTO, engine: 'KEDA' } });
    expect(cluster.object(SCALED)?.spec).toEqual({
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
      minReplicaCount: 2,
      maxReplicaCount: 5,
      triggers: [{ type: 'cpu', metricType: 'Utilization', metadata: { value: '80' } }],
    });
    const paused = () => cluster.object(SCALED)?.metadata.annotations?.['autoscaling.keda.sh/paused-replicas'];
    cluster.write({ desiredState: 'Stopped' });
    cluster.pass();
    cluster.pass();
    expect([paused(), replicasOf(cluster)]).toEqual(['0', 2]);
    cluster.settle();
    expect([replicasOf(cluster), cluster.status.state]).toEqual([0, 'stopped']);
    cluster.write({ desiredState: 'Running' });
    cluster.settle();
    expect([paused(), replicasOf(cluster), cluster.status.converged]).toEqual([undefined, 2, true]);
    expect(cluster.log).toEqual([
      'apply ScaledObject/web',
      'replicas web 0',
      'apply ScaledObject/web',
      'replicas web 2',
    ]);
  });

  it('of KEDA waits until the cluster serves it', () => {
    const cluster = new ModelCluster(
      { source: { chart: { path: 'web' } }, autoscaling: { ...AUTO, engine: 'KEDA' } },
      webChart,
    );
    cluster.servesScaledObjects = false;
    cluster.settle();
    expect(cluster.status).toMatchObject({ operationState: 'blocked', operation: { reason: 'AutoscalerMissing' } });
    expect(cluster.log).toEqual([]);
    cluster.servesScaledObjects = true;
    cluster.settle();
    expect(cluster.status.converged).toBe(true);
  });

  it('bounds a rolling update by its fewest replicas', () => {
    const cluster = running({ autoscaling: { minReplicas: 3, maxReplicas: 10 }, pdb: { minAvailable: 2 } });
    cluster.autoscale();
    cluster.settle();
    const { strategy } = cluster.object(WEB)?.spec as { strategy: unknown };
    expect([replicasOf(cluster), strategy]).toEqual([
      10,
      { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 1 } },
    ]);
  });

  it.each([
    ['ScalingActive', 'FailedGetResourceMetric', 'False', 'FailedGetResourceMetric'],
    ['ScalingActive', 'ScalingDisabled', 'True', 'Active'],
    ['AbleToScale', 'FailedGetScale', 'False', 'FailedGetScale'],
    ['ScalingLimited', 'TooManyReplicas', 'True', 'Active'],
  ])('that says %s %s is told as a condition', (type, reason, status, told) => {
    const cluster = running({ autoscaling: AUTO });
    cluster.setStatus(HPA, { conditions: [{ type, status: 'False', reason }] });
    cluster.settle();
    const condition = cluster.status.conditions?.find((one) => one.type === 'Autoscaling');
    expect([condition?.status, condition?.reason, cluster.status.health]).toEqual([status, told, 'ok']);
  });

  it.each([
    ['Fallback', 'True', 'False'],
    ['Ready', 'False', 'False'],
    ['Ready', 'True', 'True'],
  ])('of KEDA that says %s %s is told as a condition', (type, is, status) => {
    const cluster = running({ autoscaling: { ...AUTO, engine: 'KEDA' } });
    cluster.setStatus(SCALED, { conditions: [{ type, status: is, reason: 'word; rm -rf' }] });
    cluster.settle();
    const condition = cluster.status.conditions?.find((one) => one.type === 'Autoscaling');
    expect([condition?.status, JSON.stringify(condition).includes('rm -rf')]).toEqual([status, false]);
  });
});
