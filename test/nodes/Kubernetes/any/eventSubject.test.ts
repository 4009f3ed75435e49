import { describe, expect, it } from '@jest/globals';
import type { KubeObject } from '../../../../core/kube';
import { isAbout } from '../../../../nodes/Kubernetes/actions/eventSubject';

const CREATED = '2026-01-01T12:00:00Z';
const POD = { metadata: { name: 'web', uid: 'u-2', creationTimestamp: CREATED } };

function event(uid: string | undefined, lastTimestamp: string): KubeObject {
  return { metadata: { name: 'e' }, involvedObject: { name: 'web', uid }, lastTimestamp };
}

describe('an event', () => {
  it.each([
    ['of this object', event('u-2', '2026-01-01T13:00:00Z'), true],
    ['of an earlier one of its name', event('u-1', '2026-01-01T13:00:00Z'), false],
    ['without a uid, after it was made', event(undefined, CREATED), true],
    ['without a uid, before it was made', event('', '2026-01-01T11:59:59Z'), false],
    ['with the name as uid, as kubelets write it of nodes', event('web', '2026-01-01T13:00:00Z'), true],
    ['with the name as uid, before it was made', event('web', '2026-01-01T11:00:00Z'), false],
    ['without a uid and a time', { metadata: { name: 'e' } }, false],
  ])('%s', (_what, about, isIt) => {
    expect(isAbout(POD)(about)).toBe(isIt);
  });

  it('of a pod that a kubelet made from a file has the uid of the file', () => {
    const mirror = { metadata: { ...POD.metadata, annotations: { 'kubernetes.io/config.mirror': 'f-1' } } };
    expect(isAbout(mirror)(event('f-1', CREATED))).toBe(true);
    expect(isAbout(POD)(event('f-1', CREATED))).toBe(false);
  });
});
