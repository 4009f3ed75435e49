import { describe, expect, it } from '@jest/globals';
import { NavinError } from '../errors';
import { KubeApiError, type KubeObject, type StatusCause } from '../kube';
import { isStale, refusalOf } from './refusal';

const invalid = (...causes: readonly Partial<StatusCause>[]): KubeApiError =>
  new KubeApiError('k8s_invalid', 'refused', {
    httpStatus: 422,
    causes: causes.map((cause) => ({ reason: 'FieldValueForbidden', field: undefined, message: undefined, ...cause })),
  });

function set(replicas: number, size: string, chart: string): KubeObject {
  return {
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: {
      replicas,
      volumeClaimTemplates: [{ metadata: { name: 'data', labels: { chart } }, spec: { storage: size } }],
    },
  };
}

describe('a refused apply', () => {
  it('names what differs below the field that may not change, as older API servers word it', () => {
    const message =
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy' are forbidden";
    const live = { ...set(1, '1Gi', 'db-1.0'), status: {} };
    expect(refusalOf(invalid({ field: 'spec', message }), set(3, '1Gi', 'db-1.1'), live)).toEqual({
      reason: 'ImmutableField',
      message: 'refused',
      paths: ['spec.volumeClaimTemplates[0].metadata.labels.chart'],
    });
  });

  it.each([
    'field is immutable',
    'field is immutable when `immutable` is set',
    'may not change once set',
    'can only be modified in tandem with spec.parallelism',
    'cannot be changed',
  ])('is an immutable field: %s', (message) => {
    const wanted = set(1, '1Gi', 'a');
    expect(refusalOf(invalid({ field: 'roleRef', message }), wanted, wanted)).toMatchObject({
      reason: 'ImmutableField',
      paths: ['roleRef'],
    });
  });

  it('is never an immutable field where nothing exists yet, nor for other rules', () => {
    const wanted = set(1, '1Gi', 'a');
    const fixed = invalid({ field: 'data', message: 'field is immutable' });
    expect(refusalOf(fixed, wanted, undefined)?.reason).toBe('ApplyRefused');
    const wrong = invalid({ field: 'spec.replicas', message: 'must be greater than or equal to 0' });
    expect(refusalOf(wrong, wanted, wanted)).toMatchObject({ reason: 'ApplyRefused', paths: ['spec.replicas'] });
  });

  it('by a right, a quota or an admission policy is one: somebody has to change something', () => {
    const error = new KubeApiError('k8s_forbidden', 'no', { httpStatus: 403 });
    expect(refusalOf(error, set(1, '1Gi', 'a'), undefined)).toEqual({ reason: 'ApplyRefused', message: 'no' });
  });

  it('is none where trying again may help', () => {
    const wanted = set(1, '1Gi', 'a');
    for (const error of [
      new Error('mine'),
      new NavinError('k8s_outcome_unknown', 'who knows'),
      new KubeApiError('k8s_server_error', 'fault', { httpStatus: 500 }),
      new KubeApiError('k8s_conflict', 'changed', { httpStatus: 409 }),
    ]) {
      expect(refusalOf(error, wanted, wanted)).toBeUndefined();
    }
  });
});

it('what was read is stale after a conflict of versions or uids, not after one of fields', () => {
  const object = set(1, '1Gi', 'a');
  const conflict = new KubeApiError('k8s_conflict', 'changed', { httpStatus: 409 });
  const conflicts = [{ manager: 'hand', field: '.spec.replicas' }];
  const fields = new KubeApiError('k8s_conflict', 'fields', { httpStatus: 409, conflicts });
  const uid = invalid({ field: 'metadata.uid', message: 'field is immutable' });
  expect([isStale(conflict, object), isStale(fields, object), isStale(uid, object)]).toEqual([true, false, true]);
  // What was to be made exists by now.
  expect([isStale(fields, undefined), isStale(new Error('mine'), undefined)]).toEqual([true, false]);
});
