import { describe, expect, it } from '@jest/globals';
import { plain, webChart, workload } from '../testing/charts';
import { ModelCluster, type Chart } from '../testing/modelCluster';
import type { ComponentSpec } from '../resource/spec';

const SPEC: ComponentSpec = { source: { chart: { path: 'web' } } };
const WEB = 'apps/Deployment/web';
const at = (minute: number): string => `2026-01-01T10:${String(minute).padStart(2, '0')}:00Z`;

/** A component that runs. */
function running(spec: Partial<ComponentSpec> = {}, chart: Chart = webChart): ModelCluster {
  const cluster = new ModelCluster({ ...SPEC, ...spec }, chart);
  cluster.settle();
  expect(cluster.status.converged).toBe(true);
  cluster.log.length = 0;
  return cluster;
}

function shows({ status }: Pick<ModelCluster, 'status'>) {
  const { state, health, operationState, operation, converged } = status;
  return [state, health, `${operation?.type ?? ''} ${operationState ?? ''}`, operation?.reason, converged];
}

const replicasOf = (cluster: ModelCluster, key = WEB) => (cluster.object(key)?.spec as { replicas: number }).replicas;
const annotationOf = (cluster: ModelCluster, key = WEB): unknown =>
  (cluster.object(key)?.spec as { template: { metadata: { annotations?: Record<string, string> } } }).template.metadata
    .annotations?.['platform.navin.ai/restarted-at'];

describe('stop and start', () => {
  it('take the replicas to none and back, and are told while they last', () => {
    const cluster = running();
    cluster.write({ desiredState: 'Stopped' });
    cluster.pass();
    expect(shows(cluster)).toEqual(['stopping', 'ok', 'stop running', undefined, false]);
    cluster.pass();
    expect(replicasOf(cluster)).toBe(0);
    cluster.pass();
    expect(shows(cluster)).toEqual(['stopping', 'unknown', 'stop running', undefined, false]);
    cluster.settle();
    expect(shows(cluster)).toEqual(['stopped', 'ok', 'stop succeeded', undefined, true]);
    cluster.write({ desiredState: 'Running' });
    cluster.pass();
    cluster.pass();
    cluster.report();
    cluster.pass();
    expect(shows(cluster)).toEqual(['starting', 'critical', 'start running', undefined, false]);
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'start succeeded', undefined, true]);
    expect(cluster.log).toEqual(['replicas web 0', 'replicas web 3']);
  });

  it('stop also a component whose chart cannot be rendered any more', () => {
    const cluster = running();
    const because = { reason: 'RenderFailed', message: 'The chart cannot be rendered.' } as const;
    cluster.write({ desiredState: 'Stopped', values: { level: 'broken' } });
    for (let pass = 0; pass < 4; pass += 1) {
      const configuration = (
        cluster.pass(Infinity, { rendering: 'pending' })[0] as { configuration?: string } | undefined
      )?.configuration;
      cluster.pass(Infinity, { rendering: 'failed', configuration: configuration ?? '', because, at: cluster.now });
    }
    expect(replicasOf(cluster)).toBe(0);
  });

  it('install without a single Pod when it is to be stopped', () => {
    const cluster = running({ desiredState: 'Stopped' });
    expect(shows(cluster)).toEqual(['stopped', 'ok', 'install succeeded', undefined, true]);
    expect(cluster.witness.ends).toEqual([]);
    expect(replicasOf(cluster)).toBe(0);
  });
});

describe('scale', () => {
  it('sets the replicas alone', () => {
    const cluster = running({ replicas: 3 });
    cluster.write({ replicas: 5 });
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'scale succeeded', undefined, true]);
    cluster.write({ replicas: 2 });
    cluster.settle();
    expect(cluster.log).toEqual(['replicas web 5', 'replicas web 2']);
  });

  it('in lowers what a rolling update may end before anything else', () => {
    const cluster = running({ replicas: 10, pdb: { minAvailable: 2 } });
    const allowed = () =>
      (cluster.object(WEB)?.spec as { strategy: { rollingUpdate: unknown } }).strategy.rollingUpdate;
    expect(allowed()).toEqual({ maxSurge: 1, maxUnavailable: 8 });
    cluster.write({ replicas: 3 });
    cluster.pass();
    cluster.pass();
    expect([allowed(), replicasOf(cluster)]).toEqual([{ maxSurge: 1, maxUnavailable: 1 }, 10]);
    cluster.pass();
    // Not before the controller has seen it.
    expect(replicasOf(cluster)).toBe(10);
    cluster.settle();
    expect(cluster.log).toEqual(['apply Deployment/web', 'replicas web 3']);
  });

  it.each(['Deployment', 'StatefulSet'])(
    'in waits until a rollout of a %s is over: too many Pods could end',
    (kind) => {
      const cluster = running({ replicas: 10, pdb: { minAvailable: 2 }, values: { kind } });
      const key = `apps/${kind}/web`;
      cluster.write({ replicas: 3, restartRequestedAt: at(1) });
      for (let step = 0; step < 4; step += 1) {
        cluster.pass();
        cluster.controllerStep();
        cluster.report();
      }
      expect([replicasOf(cluster, key), cluster.log]).toEqual([10, [`apply ${kind}/web`]]);
      cluster.settle();
      expect(cluster.log).toEqual([`apply ${kind}/web`, 'replicas web 3']);
      expect(shows(cluster)).toEqual(['started', 'ok', 'scale succeeded', undefined, true]);
    },
  );

  it('out raises what a rolling update may end after everything else', () => {
    const cluster = running({ replicas: 3, pdb: { minAvailable: 2 } });
    cluster.write({ replicas: 10 });
    cluster.pass();
    cluster.pass();
    expect([replicasOf(cluster), cluster.log]).toEqual([10, ['replicas web 10']]);
    expect(cluster.object(WEB)?.spec).toMatchObject({ strategy: { rollingUpdate: { maxUnavailable: 1 } } });
    cluster.settle();
    expect(cluster.object(WEB)?.spec).toMatchObject({ strategy: { rollingUpdate: { maxUnavailable: 8 } } });
  });

  it('puts right what somebody scaled by hand', () => {
    const cluster = running({ replicas: 3 });
    cluster.edit(WEB, ['spec', 'replicas'], 7, 'kubectl-scale');
    cluster.settle();
    expect([replicasOf(cluster), shows(cluster)]).toEqual([3, ['started', 'ok', 'install succeeded', undefined, true]]);
  });

  it.each<[string, Partial<ComponentSpec>, Chart, string, string]>([
    [
      'has nothing to scale',
      { replicas: 2 },
      () => [plain('v1', 'ConfigMap', 'web')],
      'AmbiguousWorkload',
      'The chart has no workload: replicas and autoscaling need exactly one.',
    ],
    [
      'has two workloads',
      { replicas: 2 },
      () => [workload('Deployment', 'web'), workload('StatefulSet', 'db')],
      'AmbiguousWorkload',
      'The chart has Deployment/web, StatefulSet/db: replicas and autoscaling need exactly one. Name the one that is meant in scaleTarget.',
    ],
    [
      'has fewer replicas by its chart than its budget requires',
      { pdb: { minAvailable: 4 } },
      webChart,
      'ReplicasBelowBudget',
      'Deployment/web has 3 replicas, and its budget requires 4 of them. Raise the replicas or lower pdb.minAvailable.',
    ],
  ])('is refused when the component %s', (_what, spec, chart, reason, message) => {
    const cluster = new ModelCluster({ ...SPEC, ...spec }, chart);
    cluster.settle();
    expect(shows(cluster)).toEqual(['failed', 'unknown', 'install failed', reason, false]);
    expect([cluster.status.operation?.message, cluster.log]).toEqual([message, []]);
  });

  it('acts on the workload that is named', () => {
    const chart = () => [workload('Deployment', 'web'), workload('StatefulSet', 'db')];
    const cluster = running({ replicas: 2, scaleTarget: { kind: 'StatefulSet', name: 'db' } }, chart);
    expect([replicasOf(cluster), replicasOf(cluster, 'apps/StatefulSet/db')]).toEqual([3, 2]);
  });
});

describe('restart', () => {
  it('puts the time into the pod template, and is done when all Pods are new', () => {
    const cluster = running();
    cluster.write({ restartRequestedAt: at(1) });
    cluster.pass();
    // That the Deployment is about to change is written down first.
    expect([annotationOf(cluster), cluster.status.inventory?.[0]?.digest]).toEqual([undefined, undefined]);
    cluster.pass();
    expect(annotationOf(cluster)).toBe(at(1));
    cluster.pass();
    expect(shows(cluster).slice(2)).toEqual(['restart running', undefined, false]);
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'restart succeeded', undefined, true]);
    cluster.write({ restartRequestedAt: undefined });
    cluster.settle();
    // Without a wish for a restart nothing restarts.
    expect([annotationOf(cluster), cluster.log]).toEqual([at(1), ['apply Deployment/web']]);
  });

  it('waits while fewer Pods are available than the budget requires, and goes on by itself', () => {
    const cluster = running({ pdb: { minAvailable: 3 } });
    cluster.crash(WEB);
    cluster.report();
    cluster.write({ restartRequestedAt: at(1) });
    cluster.pass();
    cluster.pass();
    expect(shows(cluster)).toEqual(['started', 'critical', 'restart blocked', 'DisruptionBudgetExhausted', false]);
    expect(cluster.status.operation?.message).toBe('Deployment/web has 2 available Pods, and its budget requires 3.');
    expect(annotationOf(cluster)).toBeUndefined();
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'restart succeeded', undefined, true]);
    expect(annotationOf(cluster)).toBe(at(1));
  });

  it('waits when a set is to be scaled in so far that it could not be restarted any more', () => {
    const cluster = running({ replicas: 4, pdb: { minAvailable: 3 }, values: { kind: 'StatefulSet' } });
    cluster.write({ replicas: 3, restartRequestedAt: at(1) });
    cluster.settle();
    expect(cluster.log).toEqual(['replicas web 3']);
    expect(shows(cluster)).toEqual(['started', 'ok', 'scale blocked', 'DisruptionBudgetExhausted', false]);
  });

  it.each<[string, Partial<ComponentSpec>, string, string]>([
    [
      'a set that needs all its Pods',
      { pdb: { minAvailable: 3 }, values: { kind: 'StatefulSet' } },
      'DisruptionBudgetExhausted',
      'StatefulSet/web has 3 replicas, and its budget requires 3: a StatefulSet ends a Pod before it starts the next one, so this never can be. Raise the replicas or change pdb.',
    ],
    [
      'a set that is updated by hand',
      { values: { kind: 'StatefulSet', spec: { updateStrategy: { type: 'OnDelete' } } } },
      'HeldByStrategy',
      'StatefulSet/web replaces Pods only when somebody deletes them (OnDelete).',
    ],
    [
      'a set with a partition',
      { values: { kind: 'StatefulSet', spec: { updateStrategy: { rollingUpdate: { partition: 2 } } } } },
      'HeldByStrategy',
      'StatefulSet/web keeps some of its Pods as they are (partition).',
    ],
    [
      'a Deployment that is paused',
      { values: { spec: { paused: true } } },
      'HeldByStrategy',
      'Deployment/web is paused.',
    ],
    [
      'a Deployment that recreates, within a budget',
      { pdb: { minAvailable: 1 }, values: { spec: { strategy: { type: 'Recreate' } } } },
      'HeldByStrategy',
      'Deployment/web ends all its Pods at once (Recreate), and its budget requires 1 of them.',
    ],
  ])('is blocked for %s', (_what, spec, reason, message) => {
    const cluster = running(spec);
    cluster.write({ restartRequestedAt: at(1) });
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'restart blocked', reason, false]);
    expect([cluster.status.operation?.message, cluster.log]).toEqual([message, []]);
  });

  it('of a set waits for one Pod more than the budget requires', () => {
    const cluster = running({ pdb: { minAvailable: 2 }, values: { kind: 'StatefulSet' } });
    cluster.crash('apps/StatefulSet/web');
    cluster.report();
    cluster.write({ restartRequestedAt: at(1) });
    cluster.pass();
    cluster.pass();
    expect(shows(cluster)).toEqual(['started', 'warning', 'restart blocked', 'DisruptionBudgetExhausted', false]);
    expect(cluster.status.operation?.message).toBe(
      'StatefulSet/web has 2 available Pods, its budget requires 2, and a StatefulSet ends a Pod before it starts the next one.',
    );
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'restart succeeded', undefined, true]);
  });

  it.each(['apps/Deployment/web', 'policy/PodDisruptionBudget/web-deployment'])(
    'waits while the numbers of %s are those of an older generation',
    (key) => {
      const cluster = running({ pdb: { minAvailable: 2 } });
      cluster.setStatus(key, { ...(cluster.object(key)?.status as object), observedGeneration: 0 });
      cluster.write({ restartRequestedAt: at(1) });
      cluster.pass();
      cluster.pass();
      expect([cluster.status.operation?.message, cluster.log]).toEqual([
        'The numbers of Deployment/web are not of its newest generation yet.',
        [],
      ]);
    },
  );

  it('needs no budget where nothing runs', () => {
    const cluster = running({ pdb: { minAvailable: 3 }, desiredState: 'Stopped' });
    cluster.write({ restartRequestedAt: at(1) });
    cluster.settle();
    expect(shows(cluster)).toEqual(['stopped', 'ok', 'restart succeeded', undefined, true]);
  });
});

describe('configure', () => {
  it('applies what is new, and prunes what is no longer wanted when the last old Pod is gone', () => {
    const cluster = running({ values: { extra: true } });
    cluster.write({ values: { extra: false, image: 'web:2' } });
    cluster.pass();
    cluster.pass();
    cluster.pass();
    expect(cluster.log).toEqual(['apply Deployment/web']);
    expect(cluster.object('/ConfigMap/extra')).toBeDefined();
    cluster.settle();
    expect(cluster.log).toEqual(['apply Deployment/web', 'delete ConfigMap/extra']);
    expect(shows(cluster)).toEqual(['started', 'ok', 'configure succeeded', undefined, true]);
  });

  it('never deletes a claim, and lists the ones it keeps', () => {
    const cluster = running({ values: { extra: true } });
    cluster.write({ values: { extra: false } });
    cluster.settle();
    expect(cluster.object('/PersistentVolumeClaim/data')).toBeDefined();
    expect(cluster.status.inventory?.find(({ name }) => name === 'data')?.retained).toBe(true);
    expect(cluster.status.conditions?.find(({ type }) => type === 'RetainedStorage')).toMatchObject({
      status: 'True',
      message: 'Kept, though nothing uses it any more: PersistentVolumeClaim/data.',
    });
    cluster.write({ values: { extra: true } });
    cluster.settle();
    expect(cluster.status.conditions?.some(({ type }) => type === 'RetainedStorage')).toBe(false);
  });

  it('lists the claims of a set before the set goes', () => {
    const volumeClaimTemplates = [{ metadata: { name: 'data' } }];
    const chart: Chart = ({ values }) =>
      values?.gone === true
        ? [plain('v1', 'ConfigMap', 'web')]
        : [plain('v1', 'ConfigMap', 'web'), workload('StatefulSet', 'db', { spec: { volumeClaimTemplates } })];
    const cluster = running({}, chart);
    cluster.write({ values: { gone: true } });
    cluster.settle();
    expect([cluster.log, cluster.status.retainedClaims]).toEqual([['delete StatefulSet/db'], ['data-db-*']]);
  });

  it('of a set waits for its budget as a restart does, with everything that is new', () => {
    const cluster = running({ pdb: { minAvailable: 3 }, values: { kind: 'StatefulSet' } });
    cluster.write({ values: { kind: 'StatefulSet', image: 'web:2', level: 'debug' } });
    cluster.settle();
    expect(shows(cluster).slice(2)).toEqual(['configure blocked', 'DisruptionBudgetExhausted', false]);
    expect(cluster.log).toEqual([]);
    cluster.write({ pdb: { minAvailable: 2 } });
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'configure succeeded', undefined, true]);
  });

  it('that nobody can wait for is not done in secret', () => {
    const spec = { updateStrategy: { type: 'OnDelete' } };
    const cluster = running({ values: { kind: 'StatefulSet', spec } });
    cluster.write({ values: { kind: 'StatefulSet', spec, image: 'web:2' } });
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'configure blocked', 'HeldByStrategy', false]);
  });

  it('leaves what runs alone when it is refused', () => {
    const cluster = running({}, (spec) =>
      spec.values?.bad === true ? [plain('v1', 'Secret', 'web')] : webChart(spec),
    );
    cluster.write({ values: { bad: true } });
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'configure failed', 'ForbiddenKind', false]);
    expect(cluster.status).toMatchObject({
      securityState: 'non_compliant',
      security: { reason: 'ForbiddenKind', object: 'Secret/web', path: 'kind' },
    });
    cluster.write({ values: {} });
    cluster.settle();
    expect([shows(cluster)[4], cluster.status.securityState, cluster.log]).toEqual([true, 'compliant', []]);
  });
});

describe('removal', () => {
  it('deletes everything by uid, waits until it is gone, and lets go', () => {
    const cluster = running({ values: { extra: true } });
    cluster.remove();
    const actions = cluster.pass();
    expect(actions.map((action) => action.type)).toEqual(['delete', 'delete', 'delete', 'delete']);
    expect(cluster.status).toMatchObject({ state: 'uninstalling', operationState: 'running', converged: false });
    expect(cluster.pass().map(({ type }) => type)).toEqual(['removeFinalizer']);
    expect([cluster.component, cluster.objects.size]).toEqual([undefined, 0]);
  });

  it('leaves what is not the component’s', () => {
    const cluster = running();
    cluster.erase('/ConfigMap/web');
    cluster.put(plain('v1', 'ConfigMap', 'web', { data: { theirs: 'yes' } }));
    cluster.remove();
    cluster.pass();
    cluster.pass();
    expect([cluster.component, [...cluster.objects.keys()]]).toEqual([undefined, ['/ConfigMap/web']]);
  });

  it('of what never was is done at once', () => {
    const cluster = new ModelCluster(SPEC, webChart);
    cluster.pass();
    cluster.remove();
    cluster.pass();
    expect(cluster.component).toBeUndefined();
  });
});

describe('a budget', () => {
  it.each(['Deployment', 'StatefulSet'] as const)('may come together with other Pods of a %s', (kind) => {
    const cluster = running({ values: { kind } });
    cluster.write({ values: { kind, image: 'web:2' }, pdb: { minAvailable: 1 } });
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'configure succeeded', undefined, true]);
    expect(JSON.stringify(cluster.object(`apps/${kind}/web`)?.spec)).toContain('web:2');
    expect(cluster.object(`policy/PodDisruptionBudget/web-${kind.toLowerCase()}`)).toBeDefined();
  });
});

describe('an autoscaler', () => {
  it('that comes together with other Pods of a set keeps nothing from going on', () => {
    const spec = { values: { kind: 'StatefulSet' }, replicas: 2, pdb: { maxUnavailable: 1 } };
    const cluster = running(spec);
    const values = { kind: 'StatefulSet', image: 'web:2' };
    cluster.write({ values, replicas: undefined, autoscaling: { minReplicas: 3, maxReplicas: 5 } });
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'configure succeeded', undefined, true]);
    expect([
      replicasOf(cluster, 'apps/StatefulSet/web'),
      cluster.object('autoscaling/HorizontalPodAutoscaler/web'),
    ]).toEqual([3, expect.anything()]);
  });
});

describe('a change whose answer was lost', () => {
  const imageOf = (cluster: ModelCluster): unknown =>
    (cluster.object(WEB)?.spec as { template: { spec: { containers: { image: string }[] } } }).template.spec
      .containers[0]?.image;

  it('is taken back when the spec is', () => {
    const cluster = running();
    cluster.write({ values: { image: 'web:2' } });
    for (let passes = 0; passes < 5 && imageOf(cluster) !== 'web:2'; passes += 1) cluster.pass();
    cluster.restartOperator();
    expect(imageOf(cluster)).toBe('web:2');
    cluster.write({ values: undefined });
    cluster.settle();
    expect([imageOf(cluster), cluster.status.converged]).toEqual(['web:1', true]);
  });

  it('is taken back also when it was a restart', () => {
    const cluster = running({ restartRequestedAt: at(1) });
    cluster.write({ restartRequestedAt: at(2) });
    for (let passes = 0; passes < 5 && annotationOf(cluster) !== at(2); passes += 1) cluster.pass();
    cluster.restartOperator();
    cluster.write({ restartRequestedAt: at(1) });
    cluster.settle();
    expect([annotationOf(cluster), cluster.status.converged]).toEqual([at(1), true]);
  });
});

describe('objects of others', () => {
  it('are never touched, and nothing of the chart is applied', () => {
    const cluster = new ModelCluster(SPEC, webChart);
    cluster.put(plain('v1', 'ConfigMap', 'web', { data: { theirs: 'yes' } }));
    cluster.settle();
    expect(shows(cluster)).toEqual(['failed', 'unknown', 'install failed', 'ObjectOwned', false]);
    expect([cluster.log, cluster.object('/ConfigMap/web')?.data]).toEqual([[], { theirs: 'yes' }]);
    cluster.erase('/ConfigMap/web');
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'install succeeded', undefined, true]);
  });
});

describe('drift', () => {
  it('by deletion is put right', () => {
    const cluster = running();
    cluster.erase('/ConfigMap/web');
    cluster.settle();
    expect([cluster.log, cluster.status.converged]).toEqual([['apply ConfigMap/web'], true]);
  });

  it('is not called converged before it is put right', () => {
    const cluster = running({ replicas: 3 });
    cluster.edit(WEB, ['spec', 'replicas'], 4, 'kubectl-scale');
    cluster.converge();
    expect(shows(cluster.decide())).toEqual(['started', 'ok', 'install succeeded', undefined, false]);
    cluster.settle();
    expect([replicasOf(cluster), cluster.status.converged]).toEqual([3, true]);
  });

  it('of a field that another manager holds is told with manager and field, and not fought over', () => {
    const cluster = running();
    cluster.edit('/ConfigMap/web', ['data', 'level'], 'trace');
    cluster.pass();
    const { againAfterMs } = cluster.decide();
    cluster.pass();
    expect(cluster.status.conditions?.find(({ type }) => type === 'Drifted')).toMatchObject({
      status: 'True',
      reason: 'ApplyConflict',
      message: 'ConfigMap/web changed by somebody else. kubectl-edit Update ["data","level"]',
    });
    expect([againAfterMs, cluster.decide().actions, cluster.log, shows(cluster)[4]]).toEqual([300_000, [], [], true]);
  });

  it('that cannot be put right keeps no operation from its end', () => {
    const cluster = running({ pdb: { minAvailable: 1 } });
    cluster.edit('/ConfigMap/web', ['data', 'level'], 'trace');
    cluster.settle();
    cluster.write({ pdb: undefined, restartRequestedAt: at(1) });
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'configure succeeded', undefined, true]);
    expect([annotationOf(cluster), cluster.object('policy/PodDisruptionBudget/web-deployment')]).toEqual([
      at(1),
      undefined,
    ]);
    expect(cluster.status.conditions?.find(({ type }) => type === 'Drifted')).toMatchObject({
      reason: 'ApplyConflict',
    });
    // What the operation itself would change there is another matter.
    cluster.write({ values: { level: 'debug' } });
    cluster.settle();
    expect(shows(cluster)).toEqual(['started', 'ok', 'configure failed', 'ApplyConflict', false]);
  });

  it('of fields that others add is none', () => {
    const cluster = running();
    cluster.edit('/ConfigMap/web', ['data', 'theirs'], 'yes');
    expect(cluster.decide().actions).toEqual([]);
  });
});
