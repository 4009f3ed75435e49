import { describe, expect, it } from '@jest/globals';
import { NavinError } from '../../errors';
import type { ManagedComponent } from '../resource/component';
import type { ComponentSpec } from '../resource/spec';
import { webChart } from '../testing/charts';
import { ModelCluster, type SpecChange } from '../testing/modelCluster';
import type { Ask, Configuration } from './ask';
import { laterTime } from './laterTime';
import { checkComponent, checkRemoval, meansTheSame, planChange, stillAsks } from './plan';

const NOW = Date.parse('2026-01-01T10:00:00.000Z');
const SPEC: ComponentSpec = { source: { chart: { path: 'web' } }, replicas: 3, pdb: { minAvailable: 2 } };
const STOP: Ask = { type: 'stop' };
const RESTART: Ask = { type: 'restart', now: NOW };

function component(spec: Partial<ComponentSpec> = {}, more: Partial<ManagedComponent> = {}): ManagedComponent {
  const metadata = { name: 'web', namespace: 'apps', uid: 'u-1', resourceVersion: '7', generation: 1 };
  return { metadata, spec: { ...SPEC, ...spec }, ...more };
}

function configure(configuration: Configuration): Ask {
  return { type: 'configure', configuration };
}

function scale(replicas: number): Ask {
  return { type: 'scale', scale: { replicas, scaleTarget: undefined } };
}

function errorOf(action: () => unknown): NavinError {
  try {
    action();
  } catch (error) {
    if (error instanceof NavinError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('a change of a component', () => {
  it('changes its own field and is bound to the version it was planned for', () => {
    expect(planChange(component(), STOP)).toEqual({
      fields: { desiredState: 'Stopped' },
      patch: [
        { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
        { op: 'add', path: '/spec/desiredState', value: 'Stopped' },
      ],
    });
  });

  it.each<[string, Partial<ComponentSpec>, Ask]>([
    ['a stop of what is to be stopped', { desiredState: 'Stopped' }, STOP],
    ['a start of what is to run', {}, { type: 'start' }],
    ['the end of no maintenance', {}, { type: 'maintenance', enabled: false }],
    ['the replicas it has', {}, scale(3)],
    [
      'values in another order',
      { values: { a: 1, b: 2 } },
      configure({ values: { mode: 'replace', values: { b: 2, a: 1 } } }),
    ],
    ['an empty configuration', {}, configure({})],
  ])('%s changes nothing', (_what, spec, ask) => {
    expect(planChange(component(spec), ask)).toEqual({ fields: {}, patch: [] });
  });

  it('takes the replicas away for an autoscaler, and the autoscaler for replicas', () => {
    const autoscaling = { minReplicas: 2, maxReplicas: 6 };
    const scaleTarget = { kind: 'Deployment', name: 'web' } as const;
    expect(planChange(component(), { type: 'scale', scale: { autoscaling, scaleTarget } }).fields).toEqual({
      replicas: undefined,
      autoscaling,
      scaleTarget,
    });
    const scaled = component({ autoscaling });
    expect(planChange({ ...scaled, spec: { ...scaled.spec, replicas: undefined } as never }, scale(4)).patch).toEqual([
      { op: 'replace', path: '/metadata/resourceVersion', value: '7' },
      { op: 'add', path: '/spec/replicas', value: 4 },
      { op: 'remove', path: '/spec/autoscaling' },
    ]);
  });

  it('merges values, keeps a null as one, and takes values and secret references away by path', () => {
    const before = component({
      version: '1.0.0',
      values: { image: { tag: 'v1', pull: 'Always' }, list: [1, 2], old: true },
      secretRefs: [
        { secretName: 'a', key: 'k', valuePath: 'db.existingSecret' },
        { secretName: 'b', key: 'k', valuePath: 'mail.existingSecret' },
      ],
    });
    const { fields } = planChange(
      before,
      configure({
        version: null,
        values: { mode: 'merge', values: { image: { tag: 'v2', pull: null }, list: [3], ['__proto__x']: 1 } },
        withoutValues: ['old', 'no.such'],
        secretRefs: { mode: 'merge', refs: [{ secretName: 'c', key: 'k', valuePath: 'db.existingSecret' }] },
        pdb: null,
      }),
    );
    expect(fields).toEqual({
      version: undefined,
      values: { image: { tag: 'v2', pull: null }, list: [3], ['__proto__x']: 1 },
      secretRefs: [
        { secretName: 'b', key: 'k', valuePath: 'mail.existingSecret' },
        { secretName: 'c', key: 'k', valuePath: 'db.existingSecret' },
      ],
      pdb: undefined,
    });
  });

  it('is planned for a component that is being removed only to end or begin its maintenance', () => {
    const leaving = component();
    const removed = { ...leaving, metadata: { ...leaving.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(errorOf(() => planChange(removed, STOP)).code).toBe('k8s_operation_refused');
    expect(planChange(removed, { type: 'maintenance', enabled: true }).fields).toEqual({ maintenance: true });
  });
});

describe('what is certain to be refused is refused before it is sent', () => {
  it('names the path of a secret among the values, and not the secret', () => {
    const values = { auth: { password: 'hunter2-hunter2' } };
    const error = errorOf(() => planChange(component(), configure({ values: { mode: 'merge', values } })));
    expect(error.code).toBe('k8s_values_secret');
    expect(error.details).toEqual({ path: 'spec.values.auth.password', reason: 'InlineSecret' });
    expect(JSON.stringify([error.message, error.hint, error.details])).not.toContain('hunter2');
  });

  it.each<[string, Ask, string]>([
    ['replicas below the budget', scale(1), 'spec.replicas'],
    [
      'an autoscaler that may go below the budget',
      { type: 'scale', scale: { autoscaling: { minReplicas: 1, maxReplicas: 3 }, scaleTarget: undefined } },
      'spec.autoscaling',
    ],
    ['a budget above the replicas', configure({ pdb: { minAvailable: 4 } }), 'spec.replicas'],
    ['a chart by its tag', configure({ source: { oci: { ref: 'oci://r.example/web:1.0' } } }), 'spec.source.oci.ref'],
    ['a chart outside of its folder', configure({ source: { chart: { path: '../x' } } }), 'spec.source.chart.path'],
    [
      'a value where the name of a Secret is to go',
      configure({
        values: { mode: 'merge', values: { db: 'x' } },
        secretRefs: { mode: 'merge', refs: [{ secretName: 's', key: 'k', valuePath: 'db.existingSecret' }] },
      }),
      'spec.values.db.existingSecret',
    ],
  ])('%s', (_what, ask, path) => {
    const error = errorOf(() => planChange(component(), ask));
    expect([error.code, error.details]).toEqual(['k8s_parameter_invalid', { path, reason: 'InvalidSpec' }]);
  });

  it('a new component whose name is kept for the platform', () => {
    const object = { metadata: { name: 'navin-operator-2' }, spec: SPEC };
    expect(
      errorOf(() => {
        checkComponent(object);
      }).message,
    ).toContain('ReservedName');
  });

  it('leaves a component alone that nothing changes of, though it would be refused by now', () => {
    expect(planChange(component({ values: { password: 'old' }, desiredState: 'Stopped' }), STOP).patch).toEqual([]);
  });
});

describe('in maintenance exactly that is refused which the operator would block', () => {
  const autoscaling = (minReplicas: number): Ask => ({
    type: 'scale',
    scale: { autoscaling: { minReplicas, maxReplicas: 6 }, scaleTarget: undefined },
  });
  const values = { mode: 'merge', values: { greeting: 'x' } } as const;

  it.each<[string, SpecChange, Ask, boolean]>([
    ['stop', {}, STOP, true],
    ['restart', {}, RESTART, true],
    ['scale in', {}, scale(2), true],
    ['configuration', {}, configure({ values }), true],
    ['another budget', {}, configure({ pdb: { maxUnavailable: 1 } }), true],
    ['an autoscaler in the place of replicas', {}, autoscaling(3), true],
    ['scale out', {}, scale(5), false],
    ['the same replicas', {}, scale(3), false],
    ['start', { desiredState: 'Stopped' }, { type: 'start' }, false],
    ['a second stop', { desiredState: 'Stopped' }, STOP, false],
    ['scale in of what a chart decides', { replicas: undefined }, scale(2), true],
    ['scale out of what a chart decides', { replicas: undefined }, scale(5), false],
    ['the end of the maintenance', {}, { type: 'maintenance', enabled: false }, false],
  ])('%s', (_what, change, ask, isRefused) => {
    const cluster = new ModelCluster({ ...SPEC, ...change } as ComponentSpec, webChart);
    cluster.settle();
    cluster.write({ maintenance: true });
    cluster.settle();
    const { component: maintained } = cluster;
    if (maintained === undefined) throw new Error('the component is gone');

    let code = '';
    try {
      const { fields } = planChange(maintained, ask);
      cluster.write(fields);
    } catch (error) {
      code = error instanceof NavinError ? error.code : '?';
      // Somebody who does not ask writes it all the same.
      const free = { ...maintained, spec: { ...maintained.spec, maintenance: false } };
      cluster.write(planChange(free, ask).fields);
    }
    cluster.settle();

    expect(code).toBe(isRefused ? 'k8s_maintenance' : '');
    const { operationState, operation } = cluster.status;
    expect([operationState === 'blocked', operation?.reason === 'MaintenanceActive']).toEqual([isRefused, isRefused]);
  });

  it('refuses a removal', () => {
    expect(
      errorOf(() => {
        checkRemoval(component({ maintenance: true }));
      }),
    ).toMatchObject({
      code: 'k8s_maintenance',
      details: { operation: 'remove', reason: 'MaintenanceActive' },
    });
    checkRemoval(component());
  });
});

describe('when somebody else was faster', () => {
  const plan = planChange(component(), STOP);

  it.each<[string, ManagedComponent, boolean]>([
    ['a change of the status', component({}, { status: { state: 'started' } }), true],
    ['a change of other fields', component({ replicas: 4, restartRequestedAt: '2026-01-01T00:00:00Z' }), true],
    ['the same stop', component({ desiredState: 'Stopped' }), false],
    ['maintenance', component({ maintenance: true }), false],
    ['another component of the same name', component({}, { metadata: { name: 'web', uid: 'u-2' } }), false],
  ])('%s: the change means the same or does not', (_what, now, same) => {
    expect(meansTheSame(plan, component(), now)).toBe(same);
  });

  it('two restarts at the same moment are two', () => {
    const first = planChange(component(), RESTART);
    const restarted = component(first.fields);
    expect(meansTheSame(first, component(), restarted)).toBe(true);
    const second = planChange(restarted, RESTART);
    expect([first.fields, second.fields]).toEqual([
      { restartRequestedAt: '2026-01-01T10:00:00.000Z' },
      { restartRequestedAt: '2026-01-01T10:00:00.001Z' },
    ]);
  });

  it.each([
    [undefined, '2026-01-01T10:00:00.000Z'],
    ['2025-12-31T00:00:00Z', '2026-01-01T10:00:00.000Z'],
    ['2026-01-01T10:00:00.000999999Z', '2026-01-01T10:00:00.001Z'],
    ['2026-01-01T11:30:00+01:00', '2026-01-01T10:30:00.001Z'],
    ['not a time', '2026-01-01T10:00:00.000Z'],
  ])('a restart after %s has the time %s', (before, expected) => {
    expect(laterTime(NOW, before)).toBe(expected);
  });

  it('sees whether a component still asks for what was written', () => {
    expect(stillAsks(component({ desiredState: 'Stopped' }), plan.fields)).toBe(true);
    expect(stillAsks(component({ desiredState: 'Running' }), plan.fields)).toBe(false);
    expect(stillAsks(component(), { autoscaling: undefined })).toBe(true);
    const { fields } = planChange(component(), RESTART);
    expect(stillAsks(component({ restartRequestedAt: '2026-01-01T10:00:00.001Z' }), fields)).toBe(true);
    expect(stillAsks(component({ restartRequestedAt: '2026-01-01T09:00:00Z' }), fields)).toBe(false);
    expect(stillAsks(component(), fields)).toBe(false);
  });
});
