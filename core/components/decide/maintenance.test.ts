import { describe, expect, it } from '@jest/globals';
import { webChart } from '../testing/charts';
import { ModelCluster, type SpecChange } from '../testing/modelCluster';
import type { ComponentSpec } from '../resource/spec';
import type { Accepted } from '../resource/status';
import { inputsOf } from './inputs';
import { permit } from './maintenance';

const SPEC: ComponentSpec = { source: { chart: { path: 'web' } }, replicas: 3, pdb: { minAvailable: 2 } };
const WEB = 'apps/Deployment/web';

function maintained(spec: Partial<ComponentSpec> = {}): ModelCluster {
  const cluster = new ModelCluster({ ...SPEC, ...spec }, webChart);
  cluster.settle();
  cluster.write({ maintenance: true });
  cluster.settle();
  expect(cluster.status).toMatchObject({ converged: true, operation: { type: 'maintenance' } });
  cluster.log.length = 0;
  return cluster;
}

function shows({ status }: ModelCluster) {
  const { state, health, operationState, operation, converged } = status;
  return [state, health, `${operation?.type ?? ''} ${operationState ?? ''}`, operation?.reason, converged];
}

const replicasOf = (cluster: ModelCluster) => (cluster.object(WEB)?.spec as { replicas: number }).replicas;

describe('maintenance', () => {
  it.each<[string, SpecChange, string]>([
    ['a stop', { desiredState: 'Stopped' }, 'stop'],
    ['a restart', { restartRequestedAt: '2026-01-01T10:00:00Z' }, 'restart'],
    ['a scale in', { replicas: 2 }, 'scale'],
    ['an autoscaler', { replicas: undefined, autoscaling: { minReplicas: 3, maxReplicas: 5 } }, 'scale'],
    ['other values', { values: { image: 'web:2' } }, 'configure'],
    ['another budget', { pdb: { minAvailable: 1 } }, 'configure'],
    ['another version', { version: '1.0.0' }, 'configure'],
  ])('refuses %s, whoever writes it, until it ends', (_what, change, operation) => {
    const cluster = maintained();
    cluster.write(change);
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', `${operation} blocked`, 'MaintenanceActive', false]);
    expect(cluster.status.operation?.message).toBe(
      `The component is in maintenance: ${operation} waits until maintenance is false, or is taken back.`,
    );
    expect(cluster.status.securityState).toBe('compliant');
    cluster.restartOperator();
    cluster.settle();
    expect(cluster.log).toEqual([]);
    cluster.write({ maintenance: false });
    cluster.settle();
    expect(cluster.status).toMatchObject({ operationState: 'succeeded', converged: true });
    expect(cluster.log.length).toBeGreaterThan(operation === 'configure' && change.version !== undefined ? -1 : 0);
  });

  it('refuses what a changed chart folder renders from the same spec', () => {
    let image = 'web:1';
    const cluster = new ModelCluster(SPEC, (spec) => webChart({ ...spec, values: { image } }));
    cluster.chartDigest = 'sha256:1';
    cluster.settle();
    cluster.write({ maintenance: true });
    cluster.settle();
    cluster.log.length = 0;
    [image, cluster.chartDigest] = ['web:2', 'sha256:2'];
    cluster.restartOperator();
    cluster.settle();
    expect([cluster.log, shows(cluster).slice(0, 2), cluster.status.operation?.reason]).toEqual([
      [],
      ['started', 'ok'],
      'MaintenanceActive',
    ]);
    cluster.write({ maintenance: false });
    cluster.settle();
    expect(cluster.log).toContain('apply Deployment/web');
    expect(cluster.status).toMatchObject({ converged: true, chart: { digest: 'sha256:2' } });
  });

  it('lets scaling out go on, also while a configuration waits, and touches replicas only', () => {
    const cluster = maintained();
    cluster.write({ values: { image: 'web:2' }, replicas: 5 });
    cluster.settle();
    expect([replicasOf(cluster), cluster.log]).toEqual([5, ['replicas web 5']]);
    expect(shows(cluster)).toEqual(['started', 'ok', 'configure blocked', 'MaintenanceActive', false]);
  });

  it('lets scaling out and starting be done', () => {
    const cluster = maintained();
    cluster.write({ replicas: 4 });
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'scale succeeded', undefined, true]);
    const stopped = maintained({ desiredState: 'Stopped' });
    stopped.write({ desiredState: 'Running' });
    stopped.settle();
    expect(shows(stopped)).toEqual(['started', 'ok', 'start succeeded', undefined, true]);
  });

  it('that is turned off together with a change releases it, and that is turned on together with a stop blocks it', () => {
    const cluster = maintained();
    cluster.write({ maintenance: false, replicas: 2 });
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'scale succeeded', undefined, true]);
    cluster.write({ maintenance: true, desiredState: 'Stopped' });
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'stop blocked', 'MaintenanceActive', false]);
    expect(replicasOf(cluster)).toBe(2);
  });

  it('tells what drifts while a configuration waits, and puts nothing right from it', () => {
    const cluster = maintained();
    cluster.write({ values: { level: 'debug' } });
    cluster.edit('/ConfigMap/web', ['data', 'level'], 'trace');
    cluster.settle();
    expect(cluster.log).toEqual([]);
    expect(cluster.status.conditions?.find(({ type }) => type === 'Drifted')).toMatchObject({
      status: 'True',
      reason: 'Changed',
      message: 'ConfigMap/web changed by somebody else.',
    });
  });

  it('does not scale in what somebody scaled out by hand', () => {
    const cluster = maintained();
    cluster.edit(WEB, ['spec', 'replicas'], 7, 'kubectl-scale');
    cluster.settle();
    expect([replicasOf(cluster), cluster.log]).toEqual([7, []]);
  });

  it('lets a deletion wait, and the spec can still release it', () => {
    const cluster = maintained();
    cluster.remove();
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'remove blocked', 'MaintenanceActive', false]);
    expect(cluster.objects.size).toBe(3);
    cluster.write({ maintenance: false });
    cluster.settle();
    expect([cluster.component, cluster.objects.size]).toEqual([undefined, 0]);
  });

  it('lets what was refused be taken back', () => {
    const cluster = maintained();
    cluster.write({ values: { level: 'debug' } });
    cluster.settle();
    cluster.write({ values: undefined });
    cluster.settle();
    expect([shows(cluster)[4], cluster.log]).toEqual([true, []]);
  });

  it('does not keep a new component from being installed', () => {
    const cluster = new ModelCluster({ ...SPEC, maintenance: true }, webChart);
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'install succeeded', undefined, true]);
  });
});

describe('what may be scaled in maintenance', () => {
  const spec = (change: SpecChange): ComponentSpec =>
    ({ source: SPEC.source, maintenance: true, ...change }) as ComponentSpec;
  const auto = (minReplicas: number, maxReplicas: number, more: object = {}): SpecChange => ({
    autoscaling: { minReplicas, maxReplicas, ...more },
  });
  it.each<[string, SpecChange, SpecChange, number | undefined, boolean]>([
    ['out', { replicas: 3 }, { replicas: 4 }, 3, true],
    ['in', { replicas: 3 }, { replicas: 2 }, 3, false],
    ['out from what the chart says', {}, { replicas: 4 }, 3, true],
    ['in from what the chart says', {}, { replicas: 2 }, 3, false],
    ['to a number when nobody knows how many there are', {}, { replicas: 4 }, undefined, false],
    ['to what the chart says', { replicas: 3 }, {}, 3, false],
    ['an autoscaler upwards', auto(2, 4), auto(3, 5), 2, true],
    ['the floor of an autoscaler down', auto(2, 4), auto(1, 5), 2, false],
    ['the ceiling of an autoscaler down', auto(2, 4), auto(2, 3), 2, false],
    ['an autoscaler by another measure', auto(2, 4), auto(2, 5, { targetCPUUtilizationPercentage: 90 }), 2, false],
    ['from an autoscaler to a number', auto(2, 4), { replicas: 5 }, 2, false],
    ['another workload', { replicas: 3 }, { replicas: 4, scaleTarget: { kind: 'Deployment', name: 'a' } }, 3, false],
  ])('%s', (_what, before, after, live, isAllowed) => {
    const accepted: Accepted = { ...inputsOf(spec(before)), operation: 'install' };
    expect(permit(inputsOf(spec(after)), accepted, live).refused).toEqual(isAllowed ? [] : ['scale']);
  });
});
