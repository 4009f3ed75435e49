import { describe, expect, it } from '@jest/globals';
import type { ManagedComponent } from '../resource/component';
import type { ComponentSpec } from '../resource/spec';
import type { ComponentStatus } from '../resource/status';
import { confirmedOf } from './confirmed';
import { judgeComponent, type Goal, type Verdict } from './judge';

const STARTED: ComponentStatus = {
  observedGeneration: 2,
  state: 'started',
  health: 'ok',
  operationState: 'succeeded',
  securityState: 'compliant',
  converged: true,
};
const CONVERGED: Goal = { until: 'converged' };
const STOPPED: Goal = { until: 'settled', state: 'stopped' };
const BY_STOP: Partial<ComponentSpec> = { desiredState: 'Stopped' };

function component(status: ComponentStatus | undefined, spec: Partial<ComponentSpec> = {}): ManagedComponent {
  return {
    metadata: { name: 'web', uid: 'u-1', generation: 2 },
    spec: { source: { chart: { path: 'web' } }, ...spec },
    ...(status === undefined ? {} : { status }),
  };
}

function operation(operationState: 'failed' | 'blocked', reason: string): ComponentStatus {
  const asked = { type: 'configure', key: 'k', startedAt: '2026-01-01T00:00:00Z', reason, message: 'why.' } as const;
  return { ...STARTED, operationState, converged: false, operation: asked };
}

describe('how far a component is', () => {
  it.each<[string, ManagedComponent, Goal, Verdict['state'], string | undefined]>([
    ['converged', component(STARTED), CONVERGED, 'met', undefined],
    ['nothing seen yet', component(undefined), CONVERGED, 'waiting', 'NotObserved'],
    ['success of an older spec', component({ ...STARTED, observedGeneration: 1 }), CONVERGED, 'waiting', 'NotObserved'],
    [
      'failure of an older spec',
      component({ ...operation('failed', 'RenderFailed'), observedGeneration: 1 }),
      CONVERGED,
      'waiting',
      'NotObserved',
    ],
    [
      'on the way',
      component({ ...STARTED, operationState: 'running', converged: false }),
      CONVERGED,
      'waiting',
      undefined,
    ],
    ['failed', component(operation('failed', 'RenderFailed')), CONVERGED, 'failed', 'RenderFailed'],
    ['blocked', component(operation('blocked', 'MaintenanceActive')), CONVERGED, 'blocked', 'MaintenanceActive'],
    [
      'not compliant',
      component({
        ...STARTED,
        converged: false,
        securityState: 'non_compliant',
        security: { reason: 'ForbiddenKind', message: 'no' },
      }),
      CONVERGED,
      'failed',
      'ForbiddenKind',
    ],
    [
      'a stop of what is not compliant',
      component({ ...STARTED, converged: false, operationState: 'running', securityState: 'non_compliant' }, BY_STOP),
      STOPPED,
      'waiting',
      undefined,
    ],
    [
      'healthy though the change has failed',
      component(operation('failed', 'X')),
      { until: 'healthy' },
      'met',
      undefined,
    ],
    ['converged, but not in the state', component(STARTED, BY_STOP), STOPPED, 'waiting', undefined],
    ['a state', component(STARTED), { until: 'state', state: 'started' }, 'met', undefined],
    [
      'maintenance that was accepted',
      component({ ...STARTED, converged: false, accepted: { maintenance: true } as never }),
      { until: 'maintenance', enabled: true },
      'met',
      undefined,
    ],
    ['maintenance that was not', component(STARTED), { until: 'maintenance', enabled: true }, 'waiting', undefined],
    [
      'somebody else asks for something else',
      component(STARTED),
      { ...STOPPED, asked: { desiredState: 'Stopped' } },
      'failed',
      'Superseded',
    ],
  ])('%s', (_what, object, goal, state, reason) => {
    const verdict = judgeComponent(object, goal);
    expect([verdict.state, verdict.reason]).toEqual([state, reason]);
  });

  it('has failed when it is being removed and something else is waited for', () => {
    const { metadata, ...rest } = component({ ...STARTED, state: 'uninstalling', converged: false });
    const leaving = { ...rest, metadata: { ...metadata, deletionTimestamp: '2026-01-01T00:00:00Z' } };
    expect(judgeComponent(leaving, CONVERGED).reason).toBe('Removed');
    expect(judgeComponent(leaving, { until: 'state', state: 'uninstalling' }).state).toBe('met');
  });
});

it('never takes what was asked for as what is', () => {
  const asked = component({ ...STARTED, observedGeneration: 1 }, BY_STOP);
  expect(confirmedOf(asked)).toMatchObject({ observed: false, state: 'started', converged: false });
  expect(confirmedOf(component(undefined))).toMatchObject({
    observed: false,
    state: 'unknown',
    health: 'unknown',
    operationState: 'idle',
    securityState: 'unknown',
    converged: false,
  });
});
