import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { KubeObject } from '../kube';
import { isRestarted, isRestartOver, restartPatch, restartState, restartTime } from './restart';

const PREFIX = 'mcpserver.toolhive.stacklok.dev';
const NOW = Date.parse('2026-03-01T12:00:00.700Z');

function server(annotations: Readonly<Record<string, string>> = {}): KubeObject {
  const named = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`${PREFIX}/${key}`, value]));
  return { metadata: { name: 'fetch', uid: 'u-1', resourceVersion: '7', annotations: named } };
}

/** The Deployment of a rollout that is complete, with the operator's mark in its template. */
function deployment(mark: string | undefined, status: object = {}): KubeObject {
  const annotations = mark === undefined ? {} : { [`${PREFIX}/restarted-at`]: mark };
  return {
    metadata: { name: 'fetch', generation: 2 },
    spec: { replicas: 1, template: { metadata: { annotations } } },
    status: {
      observedGeneration: 2,
      replicas: 1,
      updatedReplicas: 1,
      readyReplicas: 1,
      availableReplicas: 1,
      ...status,
    },
  };
}

describe('the time a restart is asked for with', () => {
  it.each([
    ['now, in whole seconds', {}, '2026-03-01T12:00:00Z'],
    [
      'later than one within the same second',
      { 'last-processed-restart': '2026-03-01T12:00:00Z' },
      '2026-03-01T12:00:01Z',
    ],
    ['later than one that waits to be taken up', { 'restarted-at': '2026-03-01T12:00:05Z' }, '2026-03-01T12:00:06Z'],
    ['later than a fraction', { 'last-processed-restart': '2026-03-01T12:00:00.9Z' }, '2026-03-01T12:00:01Z'],
    ['later than one in another zone', { 'restarted-at': '2026-03-01T13:30:00+01:00' }, '2026-03-01T12:30:01Z'],
    ['later than one in the future', { 'last-processed-restart': '2099-01-01T00:00:00Z' }, '2099-01-01T00:00:01Z'],
    ['not held up by what the operator cannot read', { 'restarted-at': 'tomorrow' }, '2026-03-01T12:00:00Z'],
    ['not held up by a day that is none', { 'restarted-at': '2026-13-41T00:00:00Z' }, '2026-03-01T12:00:00Z'],
  ])('is %s', (_what, annotations, time) => {
    expect(restartTime(server(annotations as Readonly<Record<string, string>>), NOW)).toBe(time);
  });

  it('is strictly later than whatever was asked for before, on any clock', () => {
    const times = fc.date({ min: new Date('1970-01-01'), max: new Date('9998-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(times, times, fc.nat(4e12), (asked, processed, now) => {
        const before = { 'restarted-at': asked.toISOString(), 'last-processed-restart': processed.toISOString() };
        const time = restartTime(server(before), now);
        expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
        expect(Date.parse(time)).toBeGreaterThan(Math.max(asked.getTime(), processed.getTime()));
      }),
      { seed: 7 },
    );
  });

  it('cannot be later than the end of time', () => {
    expect(() => restartTime(server({ 'restarted-at': '9999-12-31T23:59:59Z' }), NOW)).toThrow(
      expect.objectContaining({ code: 'k8s_operation_refused' }),
    );
  });
});

describe('the request for a restart', () => {
  const time = '2026-03-01T12:00:00Z';

  it('is for this very version of this very object', () => {
    expect(restartPatch(server(), time)).toEqual({
      metadata: { uid: 'u-1', resourceVersion: '7', annotations: { [`${PREFIX}/restarted-at`]: time } },
    });
  });

  it('is for a rolling restart, whatever somebody has set', () => {
    expect(restartPatch(server({ 'restart-strategy': 'immediate' }), time)).toMatchObject({
      metadata: { annotations: { [`${PREFIX}/restart-strategy`]: 'rolling' } },
    });
  });
});

describe('a restart', () => {
  const time = '2026-03-01T12:00:00Z';
  const processed = server({ 'last-processed-restart': time });

  it.each([
    ['has not begun while the operator says nothing', server(), 'a', 'unknown', false],
    [
      'has not begun while the operator speaks of another',
      server({ 'last-processed-restart': '2026-03-01T12:00:00.0Z' }),
      'b',
      'unknown',
      false,
    ],
    ['is done when the operator took it up and the pods were replaced', processed, 'b', 'complete', true],
    ['is not done when the pods were not asked to restart', processed, 'a', 'pending', false],
  ])('%s', (_what, object, mark, rollout, restarted) => {
    const state = restartState(object, time, deployment('a'), deployment(mark));
    expect(state.rollout).toBe(rollout);
    expect(isRestarted(state)).toBe(restarted);
  });

  it('goes on while pods are replaced', () => {
    const state = restartState(processed, time, deployment('a'), deployment('b', { updatedReplicas: 0 }));
    expect(state).toEqual({
      processed: true,
      rollout: 'progressing',
      message: '0 of 1 new replicas have been updated.',
    });
    expect(isRestartOver(state, deployment('b'))).toBe(false);
  });

  it('of nothing is none, though the operator counts it as done', () => {
    const state = restartState(processed, time, 'missing', 'missing');
    expect(state).toMatchObject({ processed: true, rollout: 'missing' });
    expect([isRestarted(state), isRestartOver(state, 'missing')]).toEqual([false, true]);
  });

  it('whose rollout may not be seen is never called done', () => {
    const state = restartState(processed, time, 'unreadable', 'unreadable');
    expect([isRestarted(state), isRestartOver(state, 'unreadable')]).toEqual([false, true]);
    const waiting = restartState(server(), time, 'unreadable', 'unreadable');
    expect(isRestartOver(waiting, 'unreadable')).toBe(false);
  });

  it('of a Deployment that came later is one', () => {
    expect(isRestarted(restartState(processed, time, 'missing', deployment('b')))).toBe(true);
  });
});
