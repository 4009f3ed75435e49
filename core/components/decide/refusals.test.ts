import { describe, expect, it } from '@jest/globals';
import { plain, webChart, workload } from '../testing/charts';
import { ModelCluster, type Chart } from '../testing/modelCluster';
import type { ComponentSpec } from '../resource/spec';
import { decide } from './decide';
import { componentProblems } from '../resource/validate';
import { configurationOf } from './inputs';
import type { Desired } from './types';

const SPEC: ComponentSpec = { source: { chart: { path: 'web' } } };
const SECRETS: ComponentSpec = {
  ...SPEC,
  secretRefs: [{ secretName: 'database', key: 'password', valuePath: 'auth.existingSecret' }],
};

function component(spec: ComponentSpec = SPEC, chart: Chart = webChart): ModelCluster {
  const cluster = new ModelCluster(spec, chart);
  cluster.pass();
  return cluster;
}

function told({ status }: ModelCluster) {
  return [status.state, status.operationState, status.operation?.reason, status.operation?.message];
}

describe('before anything is applied', () => {
  it.each<[string, ComponentSpec, Chart, string, string]>([
    [
      'a secret among the values',
      { ...SPEC, values: { auth: { password: 'hunter2' } } },
      webChart,
      'InlineSecret',
      'spec.values.auth.password holds a secret as text. Put it into a Secret, and name that in secretRefs.',
    ],
    [
      'something where the name of a Secret is to go',
      { ...SECRETS, values: { auth: 'none' } },
      webChart,
      'InvalidSpec',
      'spec.values has something at auth.existingSecret, where the name of a Secret is to go.',
    ],
    [
      'a spec that is not valid',
      { ...SPEC, replicas: -1 },
      webChart,
      'InvalidSpec',
      'spec.replicas must be at least 0.',
    ],
    [
      'an object the operator makes itself',
      { ...SPEC, pdb: { minAvailable: 1 } },
      (spec) => [
        ...webChart(spec),
        plain('policy/v1', 'PodDisruptionBudget', 'web-deployment', {
          spec: { selector: { matchLabels: { a: 'b' } } },
        }),
      ],
      'DuplicateObject',
      'The chart renders PodDisruptionBudget/web-deployment, which the operator makes itself for this spec.',
    ],
    ['a chart that renders nothing', SPEC, () => [], 'RenderFailed', 'The chart renders nothing.'],
  ])('%s is refused', (_what, spec, chart, reason, message) => {
    const cluster = component(spec, chart);
    cluster.settle();
    expect(told(cluster)).toEqual(['failed', 'failed', reason, message]);
    expect(cluster.log).toEqual([]);
    expect(JSON.stringify(cluster.status)).not.toContain('hunter2');
    expect(cluster.status.securityState === 'non_compliant').toBe(reason === 'InlineSecret');
  });

  it('whatever a chart calls itself and wherever a secret stands, the status stays within its bounds', () => {
    const key = 'k'.repeat(63);
    const deep = Array.from({ length: 30 }).reduce<object>((inner) => ({ [key]: inner }), { password: 'hunter2' });
    const cluster = component({ ...SPEC, values: { deep } });
    cluster.settle();
    expect([cluster.status.security?.path?.length, componentProblems(cluster.component)]).toEqual([512, []]);
    const other = component();
    const chart = { name: 'x'.repeat(5_000), version: '', digest: 'y'.repeat(500) };
    other.pass(Infinity, { rendering: 'done', configuration: configurationOf(SPEC), chart, documents: webChart(SPEC) });
    expect([other.status.chart?.name.length, componentProblems(other.component)]).toEqual([253, []]);
  });

  it('a chart of another version is refused', () => {
    const cluster = component({ ...SPEC, version: '2.0.0' });
    const configuration = configurationOf({ ...SPEC, version: '2.0.0' });
    const chart = { name: 'web', version: '1.0.0' };
    cluster.pass(Infinity, { rendering: 'done', configuration, chart, documents: webChart(SPEC) });
    expect(told(cluster)).toEqual(['failed', 'failed', 'VersionMismatch', 'The chart has another version than 2.0.0.']);
  });

  it('a render that failed is told, and tried again after a minute', () => {
    const cluster = component();
    const because = { reason: 'DigestMismatch', message: 'The chart is another one.' } as const;
    const desired: Desired = { rendering: 'failed', configuration: configurationOf(SPEC), because, at: cluster.now };
    const first = cluster.decide(desired);
    expect([first.actions, first.againAfterMs, first.status.operation?.reason]).toEqual([[], 60_000, 'DigestMismatch']);
    cluster.now += 60_000;
    const second = cluster.decide(desired);
    expect([second.actions[0]?.type, second.status.operationState]).toEqual(['render', 'failed']);
  });

  it('a Secret is asked for, waited for, and not asked for again once the configuration is accepted', () => {
    const cluster = component(SECRETS);
    expect(cluster.decide().actions).toEqual([
      { type: 'checkSecrets', secrets: [{ secretName: 'database', key: 'password' }] },
    ]);
    cluster.secrets = new Map([['database/password', false]]);
    expect(cluster.decide()).toMatchObject({
      actions: [],
      againAfterMs: 30_000,
      status: { operationState: 'blocked', operation: { reason: 'SecretMissing' } },
    });
    cluster.secrets = new Map([['database/password', true]]);
    cluster.settle();
    cluster.secrets = new Map();
    expect([cluster.status.converged, cluster.decide().actions]).toEqual([true, []]);
  });

  it('every object is looked at', () => {
    const cluster = component();
    const observed = { ...cluster.observe(), live: new Map() };
    Object.assign(cluster, { observe: () => observed });
    expect(cluster.decide().actions).toMatchObject([
      {
        type: 'observe',
        refs: [
          { kind: 'Deployment', name: 'web' },
          { kind: 'ConfigMap', name: 'web' },
        ],
      },
    ]);
  });
});

describe('an apply that the API server refuses', () => {
  /** A component whose next apply is refused for a reason. */
  function refused(reason: 'ImmutableField' | 'ApplyRefused') {
    const cluster = component();
    cluster.settle();
    cluster.write({ values: { image: 'web:2' } });
    cluster.pass();
    const [action] = cluster.decide().actions;
    const [application] = action?.type === 'apply' ? action.objects : [];
    const answer = { digest: application?.digest ?? '', refused: { reason, message: 'No.' }, at: cluster.now };
    const observed = () => ({ ...cluster.observe(), answers: new Map([['apps/Deployment/web', answer]]) });
    return { cluster, observed };
  }

  it('because a field cannot be changed is not tried again, and nothing is deleted for it', () => {
    const { cluster, observed } = refused('ImmutableField');
    for (const later of [0, 86_400_000]) {
      const decision = decide(observed(), cluster.desired(), cluster.now + later);
      expect([decision.actions, decision.againAfterMs]).toEqual([[], undefined]);
      expect(decision.status).toMatchObject({
        state: 'started',
        operationState: 'failed',
        operation: { reason: 'ImmutableField' },
      });
    }
  });

  it('for another reason is tried again after five minutes', () => {
    const { cluster, observed } = refused('ApplyRefused');
    const now = decide(observed(), cluster.desired(), cluster.now);
    expect([now.actions, now.againAfterMs, now.status.operationState]).toEqual([[], 300_000, 'failed']);
    expect(decide(observed(), cluster.desired(), cluster.now + 300_000).actions).toMatchObject([{ type: 'apply' }]);
  });
});

describe('a rollout that does not end', () => {
  it('of a Deployment has failed when its deadline has passed, and succeeds when it goes on after all', () => {
    const cluster = component();
    cluster.pass();
    cluster.pass();
    const metadata = cluster.object('apps/Deployment/web')?.metadata;
    const conditions = [{ type: 'Progressing', status: 'False', reason: 'ProgressDeadlineExceeded' }];
    cluster.setStatus('apps/Deployment/web', { observedGeneration: metadata?.generation, replicas: 3, conditions });
    cluster.pass();
    expect(told(cluster)).toEqual([
      'failed',
      'failed',
      'ProgressDeadlineExceeded',
      'Deployment/web makes no progress: 0 of 3 Pods are available.',
    ]);
    cluster.settle();
    expect(told(cluster)).toEqual(['started', 'succeeded', undefined, undefined]);
  });

  it('of a StatefulSet has failed when nothing changed for ten minutes', () => {
    const cluster = component(SPEC, () => [workload('StatefulSet', 'db')]);
    cluster.pass();
    cluster.pass();
    cluster.report();
    cluster.pass();
    cluster.pass();
    expect(cluster.decide().againAfterMs).toBe(600_000);
    cluster.now += 600_000;
    cluster.pass();
    expect(told(cluster).slice(0, 3)).toEqual(['failed', 'failed', 'ProgressDeadlineExceeded']);
    cluster.settle();
    expect(told(cluster)).toEqual(['started', 'succeeded', undefined, undefined]);
  });

  it('has failed when a volume is gone', () => {
    const cluster = component(SPEC, () => [plain('v1', 'PersistentVolumeClaim', 'data')]);
    cluster.settle();
    expect(told(cluster)).toEqual(['started', 'succeeded', undefined, undefined]);
    cluster.setStatus('/PersistentVolumeClaim/data', { phase: 'Pending' });
    cluster.settle();
    expect(cluster.status.converged).toBe(true);
    cluster.setStatus('/PersistentVolumeClaim/data', { phase: 'Lost' });
    cluster.settle();
    expect([cluster.status.state, cluster.status.converged]).toEqual(['failed', false]);
  });
});
