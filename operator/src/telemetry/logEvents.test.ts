import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../core/clock/testing/fakeClock';
import type { ComponentStatus, ManagedComponent } from '../../../core/components';
import { NavinError } from '../../../core/errors';
import { logEvents } from './logEvents';
import { createLogger, type LogLevel } from './logger';

const SECRET = 's3cr3t';
const FAULT = new NavinError('k8s_unreachable', 'Refused.', { details: { value: SECRET }, cause: SECRET });
const ERR = { code: 'k8s_unreachable', message: 'Refused.' };
let lines: Record<string, unknown>[];
let clock: FakeClock;

beforeEach(() => {
  lines = [];
  clock = new FakeClock();
});

function events(level: LogLevel = 'info') {
  const write = (text: string): void => {
    const { time, ...line } = JSON.parse(text) as Record<string, unknown>;
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    lines.push(line);
  };
  return logEvents(createLogger(level, { write }), clock);
}

function component(status: ComponentStatus): ManagedComponent {
  const spec = {
    values: { password: SECRET },
    source: { chart: { path: 'web' } },
  } as unknown as ManagedComponent['spec'];
  return { apiVersion: 'a', kind: 'b', metadata: { namespace: 'shop', name: 'web' }, spec, status };
}

describe('the log', () => {
  it('has each change of a component, from what to what', () => {
    const before: ComponentStatus = { state: 'installing', health: 'ok', converged: false };
    const operation = { type: 'install', key: 'k', reason: 'DisruptionBudgetExhausted', startedAt: 'now' } as const;
    events().onStatus?.(component({ state: 'started', health: 'ok', converged: true, operation }), before);
    events().onStatus?.(component({ state: 'started', observedGeneration: 2 }), { state: 'started' });
    events().onStatus?.(component({ state: 'installing' }), undefined);
    expect(lines).toEqual([
      {
        level: 'info',
        component: 'shop/web',
        state: 'installing→started',
        converged: 'false→true',
        operation: 'install',
        reason: 'DisruptionBudgetExhausted',
        msg: 'The state of a component changed.',
      },
      { level: 'info', component: 'shop/web', state: '→installing', msg: 'The state of a component changed.' },
    ]);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  it('has failures with their code, how many, and the pause', () => {
    events().onPassFailed?.({ component: 'shop/web', error: FAULT, failures: 3, pauseMs: 799.6 });
    events().onLeaseFault?.(FAULT);
    expect(lines).toEqual([
      {
        level: 'warn',
        component: 'shop/web',
        err: ERR,
        failures: 3,
        pauseMs: 800,
        msg: 'A component could not be brought forward; it is tried again.',
      },
      { level: 'warn', err: ERR, msg: 'The lease could not be read or written; it is tried again.' },
    ]);
  });

  it('has the same fault of a kind once in half a minute, however many namespaces have it', async () => {
    const told = events();
    const fault = (kind: string, namespace: string): void =>
      told.onWatchFault?.({ kind, namespace, error: FAULT, pauseMs: 1_000 });
    for (const namespace of ['a', 'b', 'c']) fault('deployments', namespace);
    fault('statefulsets', 'a');
    await clock.advance(30_000);
    fault('deployments', 'd');
    const faults = lines.map(({ level, kind, namespace, unsaid, err }) => [level, kind, namespace, unsaid, err]);
    expect(faults).toEqual([
      ['warn', 'deployments', 'a', undefined, ERR],
      ['warn', 'statefulsets', 'a', undefined, ERR],
      ['warn', 'deployments', 'd', 2, ERR],
    ]);
  });

  it('has who acts, and refused steps; all the rest is for debugging', () => {
    const tell = (level: LogLevel): void => {
      const told = events(level);
      told.onLeading?.();
      told.onFollowing?.('taken');
      const step = { component: 'shop/web', step: 'apply', object: 'Deployment/web', tookMs: 1.4 } as const;
      told.onStep?.({ ...step, outcome: 'refused', reason: 'ApplyConflict' });
      told.onStep?.({ ...step, outcome: 'done' });
      told.onPass?.({ component: 'shop/web', tookMs: 5, succeeded: true });
      told.onStatus?.(component({}), {});
      told.onGone?.('shop/web');
    };
    tell('info');
    expect(lines.map(({ level, msg }) => `${String(level)} ${String(msg)}`)).toEqual([
      'info It holds the lease and acts.',
      'info It no longer holds the lease.',
      'info A step is refused.',
      'info A component is gone.',
    ]);
    lines = [];
    tell('debug');
    expect(lines.filter(({ level }) => level === 'debug')).toHaveLength(3);
    lines = [];
    tell('error');
    expect(lines).toEqual([]);
  });
});
