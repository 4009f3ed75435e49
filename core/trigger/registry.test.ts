import { describe, expect, it } from '@jest/globals';
import type { Outcome } from './handover';
import { sharedRegistry, TriggerRegistry } from './registry';
import type { StoredState } from './stateCodec';
import { settled } from './testing/fakeClock';

const node = (nodeId: string): { workflowId: string; nodeId: string } => ({ workflowId: 'w', nodeId });
const nothing = (): void => undefined;
const state = (n: number): StoredState => ({
  v: 1,
  o: 'o',
  l: 'l',
  c: 'c',
  f: 'f',
  n,
  e: 1,
  t: '',
  p: [],
  k: '',
  i: '',
});

describe('the registry of triggers', () => {
  it('tells a registration to stop when another takes its node', () => {
    const registry = new TriggerRegistry();
    const stopped: string[] = [];
    registry.claim(node('a'), () => stopped.push('first'), nothing);
    registry.claim(node('b'), () => stopped.push('other'), nothing);
    registry.claim(node('a'), () => stopped.push('second'), nothing);
    expect(stopped).toEqual(['first']);
  });

  it('gives the next registration the state, the emits that are not settled, and the keys that are', () => {
    const registry = new TriggerRegistry();
    const first = registry.claim(node('a'), nothing, nothing);
    let at = 1;
    first.publish(() => state(at));
    first.fly('key', { attempt: 1, since: 5 }, new Promise(nothing));
    first.carried.recent.add('done');
    first.release();
    at = 2;
    const { carried } = registry.claim(node('a'), nothing, nothing);
    expect(carried).toEqual({
      state: state(2),
      flights: [['key', { attempt: 1, since: 5 }]],
      recent: new Set(['done']),
    });
  });

  it('ignores what a registration publishes that has lost its node', () => {
    const registry = new TriggerRegistry();
    const first = registry.claim(node('a'), nothing, nothing);
    registry.claim(node('a'), nothing, nothing).publish(() => state(2));
    first.publish(() => state(1));
    expect(registry.compose('w', {})).toEqual({ a: state(2) });
  });

  it('tells of an emit that settles both whoever made it and whoever holds the node then', async () => {
    const registry = new TriggerRegistry();
    const told: string[] = [];
    const tell = (who: string) => (key: string, outcome: Outcome) => {
      told.push(`${who} ${key} ${outcome}`);
    };
    const first = registry.claim(node('a'), nothing, tell('first'));
    let settle: (outcome: Outcome) => void = nothing;
    first.fly('key', { attempt: 1, since: 0 }, new Promise((resolve) => (settle = resolve)));
    first.fly('own', { attempt: 1, since: 0 }, Promise.resolve('created'));
    await settled();
    registry.claim(node('a'), nothing, tell('second'));
    settle('duplicate');
    await settled();
    expect(told).toEqual(['first own created', 'first key duplicate', 'second key duplicate']);
    expect(registry.claim(node('a'), nothing, nothing).carried.flights).toEqual([]);
  });

  it('puts the newest states of all triggers of a workflow together, and keeps what it does not know', () => {
    const registry = new TriggerRegistry();
    registry.claim(node('a'), nothing, nothing).publish(() => state(7));
    registry.claim({ workflowId: 'other', nodeId: 'x' }, nothing, nothing).publish(() => state(9));
    expect(registry.compose('w', { a: state(1), gone: state(3), odd: 'text' })).toEqual({
      a: state(7),
      gone: state(3),
    });
    expect(registry.compose('w', undefined)).toEqual({ a: state(7) });
  });

  it('keeps at most fifty nodes of a workflow, those it knows first', () => {
    const registry = new TriggerRegistry();
    registry.claim(node('a'), nothing, nothing).publish(() => state(7));
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [`n${at}`, state(at)]));
    const composed = registry.compose('w', many);
    expect(Object.keys(composed)).toHaveLength(50);
    expect(composed).toHaveProperty('a');
  });

  it('forgets nodes that nobody holds, when there are many', () => {
    const registry = new TriggerRegistry();
    for (let at = 0; at < 300; at += 1) {
      const claim = registry.claim(node(`n${at}`), nothing, nothing);
      claim.publish(() => state(at));
      claim.release();
    }
    expect(registry.claim(node('n0'), nothing, nothing).carried.state).toBeUndefined();
    expect(registry.claim(node('n299'), nothing, nothing).carried.state).toEqual(state(299));
  });

  it('is one for the process', () => {
    expect(sharedRegistry()).toBe(sharedRegistry());
  });
});
