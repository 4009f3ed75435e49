import { describe, expect, it } from '@jest/globals';
import { answerProgress, isDrained, seeProgress, startProgress, toEvict } from './drainProgress';
import type { PodOnNode } from './podOnNode';

function pod(name: string, uid: string, isEnding = false): PodOnNode {
  const rest = { controller: 'StatefulSet/db', ofDaemonSet: false, isMirror: false, isFinished: false, emptyDirs: [] };
  return { uid, name, namespace: 'shop', isEnding, ...rest };
}

const [first] = startProgress([pod('db-0', 'u-1')]);
if (first === undefined) throw new Error('there is one');
const who = { uid: 'u-1', namespace: 'shop', name: 'db-0' };

describe('the progress of a drain', () => {
  it('does not evict what is ending already', () => {
    expect(toEvict(startProgress([pod('db-0', 'u-1', true), pod('db-1', 'u-2')])).map(({ name }) => name)).toEqual([
      'db-1',
    ]);
  });

  it.each([
    [{ kind: 'accepted' } as const, { ...who, state: 'ending' }],
    [{ kind: 'gone' } as const, { ...who, state: 'gone' }],
    [
      { kind: 'blocked', budget: 'db', message: 'no room' } as const,
      { ...who, state: 'blocked', budget: 'db', message: 'no room' },
    ],
    [{ kind: 'failed', message: 'not now' } as const, { ...who, state: 'waiting', message: 'not now' }],
  ])('after the answer %j', (answer, after) => {
    expect(answerProgress(first, answer)).toEqual(after);
  });

  it('asks again for what was blocked', () => {
    const blocked = answerProgress(first, { kind: 'blocked', message: 'no room' });
    expect(toEvict([blocked])).toEqual([blocked]);
    expect(answerProgress(blocked, { kind: 'accepted' })).toEqual({ ...who, state: 'ending' });
  });

  it('is through when the pod of that UID is gone, even if its StatefulSet has made one of the same name', () => {
    const progress = seeProgress([first], [pod('db-0', 'u-2')]);
    expect([progress, isDrained(progress)]).toEqual([[{ ...who, state: 'gone' }], true]);
  });

  it('is not through while the pod is ending', () => {
    const progress = seeProgress([first], [pod('db-0', 'u-1', true)]);
    expect([progress, isDrained(progress), toEvict(progress)]).toEqual([[{ ...who, state: 'ending' }], false, []]);
  });

  it('is through when there is nothing to do', () => {
    expect(isDrained([])).toBe(true);
  });
});
