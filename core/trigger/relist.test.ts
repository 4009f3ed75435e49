import { describe, expect, it } from '@jest/globals';
import { RESOURCES } from '../kube';
import { runPass, type Observation } from './pass';
import type { CheckedSettings } from './settings';
import type { TriggerState } from './state';
import { bookmark, contextOf, listed, listedState, newState, objectOf, settingsFor, watched } from './testing/objects';

function run(state: TriggerState, settings: CheckedSettings, observations: readonly Observation[]) {
  const result = runPass(state, observations, contextOf(settings));
  const shown = result.events.map((event) => `${event.type} ${event.identity}${event.gap ? ' GAP' : ''}`);
  return { ...result, shown, notes: result.notes.map(({ kind }) => kind), messages: result.notes };
}

const any = settingsFor();
const expired: Observation = { kind: 'expired', scope: '' };
const three = [objectOf('a', 50), objectOf('b', 60), objectOf('c', 70)];

describe('the first list', () => {
  it('tells nothing, and knows everything', () => {
    const result = run(newState(any), any, [listed(100, three)]);
    expect(result.shown).toEqual([]);
    expect(result.notes).toEqual(['seeded']);
    expect(result.state.scope('')).toMatchObject({ cursor: '100', relist: undefined, overflow: false });
    expect(result.state.scope('').known.size).toBe(3);
  });

  it('tells what exists, where that was asked for', () => {
    const settings = settingsFor({ emitExisting: true });
    const result = run(newState(settings), settings, [listed(100, three)]);
    expect(result.shown).toEqual(['added uid-a@50', 'added uid-b@60', 'added uid-c@70']);
    expect(result.events.map(({ existing }) => existing)).toEqual([true, true, true]);
  });

  it('says so when more exists than is tracked', () => {
    const settings = settingsFor({ tracked: 2 });
    const result = run(newState(settings), settings, [listed(100, three)]);
    expect(result.notes).toEqual(['seeded', 'untracked']);
    expect(result.messages[1]?.message).toContain('3 objects exist, 2 of them are tracked');
    expect(result.state.scope('').overflow).toBe(true);
  });

  it('refuses a list without a version', () => {
    expect(() => run(newState(any), any, [listed('', three)])).toThrow('no resourceVersion');
  });
});

describe('after a gap', () => {
  const known = run(newState(any), any, [listed(100, three)]).state;

  it('tells what was created, changed and deleted, marked, and goes on from the list', () => {
    const result = run(known, any, [expired, listed(200, [objectOf('a', 50), objectOf('b', 150), objectOf('d', 160)])]);
    expect(result.shown).toEqual(['modified uid-b@150 GAP', 'added uid-d@160 GAP', 'deleted uid-c:gone GAP']);
    expect(result.messages).toMatchObject([
      { kind: 'gap', cause: 'expired', scope: '', from: '100', to: '200' },
      { kind: 'relisted', objects: 3, events: 3 },
    ]);
    expect(result.state.scope('').cursor).toBe('200');
  });

  it('says what was deleted as well as it knows it', () => {
    const result = run(known, any, [expired, listed(200, three.slice(1))]);
    expect(result.events[0]).toMatchObject({ type: 'deleted', namespace: 'shop', name: 'a', uid: 'uid-a' });
    expect(result.events[0]).not.toHaveProperty('object');
    expect(result.events[0]).not.toHaveProperty('resourceVersion');
  });

  it('names everything as the watch would have', () => {
    const byWatch = run(known, any, [watched('MODIFIED', objectOf('b', 150)), watched('DELETED', objectOf('c', 170))]);
    const byList = run(known, any, [expired, listed(200, [objectOf('a', 50), objectOf('b', 150)])]);
    expect(byList.events.map(({ key }) => key)).toEqual(byWatch.events.map(({ key }) => key));
  });

  it('starts the workflow for the gap itself, where that was asked for', () => {
    const settings = settingsFor({ tellGaps: true });
    const result = run(known, settings, [expired, listed(200, three)]);
    expect(result.shown).toEqual(['gap gap::100:200 GAP']);
    expect(result.events[0]?.message).toContain('no longer reaches back');
  });

  it('with a selector names the end of a stay by its beginning, also when it was not watched', () => {
    const settings = settingsFor({ labelSelector: 'app=a' });
    const inside = run(newState(settings), settings, [listed(100, three), watched('ADDED', objectOf('d', 120))]).state;
    const result = run(inside, settings, [expired, listed(200, three)]);
    expect(result.shown).toEqual(['deleted uid-d:left:120 GAP']);
    expect(result.events[0]?.left).toBe(true);
  });

  it('with a selector names the stay of a changed object anew: it may have left and come back', () => {
    const settings = settingsFor({ labelSelector: 'app=a' });
    const inside = run(newState(settings), settings, [listed(100, three)]).state;
    const result = run(inside, settings, [
      expired,
      listed(200, [objectOf('a', 150)]),
      watched('DELETED', objectOf('a', 210)),
    ]);
    expect(result.shown).toContain('deleted uid-a:left:150');
  });

  it('does not tell of Events that grew old', () => {
    const settings = settingsFor({ resource: RESOURCES.events });
    const inside = run(newState(settings), settings, [listed(100, three)]).state;
    expect(run(inside, settings, [expired, listed(200, [])]).shown).toEqual([]);
  });

  it('is done again from the start when it was broken off, and tells nothing twice', () => {
    const settings = settingsFor();
    const result = runPass(known, [expired], contextOf(settings));
    const half = run(result.state, settings, [
      { kind: 'list', scope: '', pages: [{ items: [objectOf('b', 150)], version: '200', inconsistent: false }] },
    ]);
    // Broken off after the first page: the scope is still to be listed, and b is known at 150.
    const broken = known.clone();
    for (const step of half.steps.slice(0, 2)) broken.apply(step.patches);
    expect(broken.scope('').relist).toBe('expired');
    expect(broken.scope('').cursor).toBe('100');
    const again = run(broken, settings, [listed(300, [objectOf('a', 50), objectOf('b', 150), objectOf('c', 70)])]);
    expect(again.shown).toEqual([]);
  });

  it('with more objects than are tracked tells the others by their version', () => {
    const settings = settingsFor({ tracked: 1 });
    const full = run(newState(settings), settings, [listed(100, three)]).state;
    const young = objectOf('d', 160, { metadata: { creationTimestamp: '2025-12-31T01:00:00Z' } });
    const old = objectOf('c', 150, { metadata: { creationTimestamp: '2025-12-30T00:00:00Z' } });
    const result = run(full, settings, [expired, listed(200, [objectOf('a', 50), objectOf('b', 60), old, young])]);
    expect(result.shown).toEqual(['modified uid-c@150 GAP', 'added uid-d@160 GAP']);
    expect(result.notes).toEqual(['gap', 'relisted', 'untracked']);
  });

  it('keeps the version of the first page, also when later pages are of another moment', () => {
    const pages = [
      { items: [objectOf('a', 50)], version: '200', inconsistent: false },
      { items: [objectOf('c', 210)], version: '200', inconsistent: true },
    ];
    const result = run(known, any, [expired, { kind: 'list', scope: '', pages }]);
    expect(result.state.scope('').cursor).toBe('200');
    expect(result.messages[1]?.message).toContain('not of one moment');
  });

  it('leaves to the watch what has changed since the first page', () => {
    const pages = [
      { items: [objectOf('b', 60)], version: '200', inconsistent: false },
      { items: [objectOf('a', 214), objectOf('c', 70), objectOf('d', 213)], version: '200', inconsistent: true },
    ];
    const { state, shown, messages } = run(known, any, [expired, { kind: 'list', scope: '', pages }]);
    expect(shown).toEqual([]);
    expect(messages.map(({ kind }) => kind)).toEqual(['gap', 'relisted']);
    const since = [
      watched('MODIFIED', objectOf('a', 212)),
      watched('ADDED', objectOf('d', 213)),
      watched('MODIFIED', objectOf('a', 214)),
    ];
    expect(run(state, any, since).shown).toEqual(['modified uid-a@212', 'added uid-d@213', 'modified uid-a@214']);
  });

  it('looks only at its own namespace', () => {
    const settings = settingsFor({ namespaces: ['left', 'right'] });
    const inside = run(newState(settings), settings, [
      listed(100, [objectOf('a', 50, { metadata: { namespace: 'left' } })], 'left'),
      listed(100, [objectOf('b', 60, { metadata: { namespace: 'right' } })], 'right'),
    ]).state;
    const result = run(inside, settings, [{ kind: 'expired', scope: 'left' }, listed(200, [], 'left')]);
    expect(result.shown).toEqual(['deleted uid-a:gone GAP']);
    expect(result.state.scope('right').cursor).toBe('100');
  });
});

describe('a cluster that was set back or exchanged', () => {
  const seen = { server: 's', uid: 'cluster' };
  const known = run(newState(any), any, [{ kind: 'cluster', cluster: seen }, listed(100, three)]).state;

  it.each([
    ['a newest version before the cursor', { kind: 'newest', scope: '', version: '99' }, 2],
    ['another uid of kube-system', { kind: 'cluster', cluster: { server: 's', uid: 'other' } }, 2],
    ['another server, where no uid can be read', { kind: 'cluster', cluster: { server: 't', uid: undefined } }, 2],
    [
      'the same uid at another server is the same cluster',
      { kind: 'cluster', cluster: { server: 't', uid: 'cluster' } },
      1,
    ],
    [
      'a uid that can no longer be read proves nothing',
      { kind: 'cluster', cluster: { server: 's', uid: undefined } },
      1,
    ],
    ['a newest version at the cursor', { kind: 'newest', scope: '', version: '100' }, 1],
    ['a newest version after the cursor', { kind: 'newest', scope: '', version: '1000' }, 1],
  ] as const)('%s', (_, observation, epoch) => {
    const { state } = run(known, any, [observation]);
    expect(state.epoch).toBe(epoch);
    expect(state.scope('').relist === undefined).toBe(epoch === 1);
    expect(state.scope('').cursor).toBe('100');
  });

  it('never moves the cursor to the newest version: events up to it may be on their way', () => {
    expect(run(known, any, [{ kind: 'newest', scope: '', version: '1000' }]).state.scope('').cursor).toBe('100');
  });

  it('is noticed by a list that is older than the cursor', () => {
    const result = run(known, any, [expired, listed(80, three)]);
    expect(result.state.epoch).toBe(2);
    expect(result.messages[0]?.message).toContain('set back');
  });

  it('is noticed by an object that went back', () => {
    const result = run(known, any, [expired, listed(200, [objectOf('a', 40)])]);
    expect(result.state.epoch).toBe(2);
  });

  it('gives a repeated version a second meaning', () => {
    const before = run(known, any, [watched('MODIFIED', objectOf('a', 101))]);
    const after = run(before.state, any, [
      { kind: 'newest', scope: '', version: '90' },
      listed(90, three),
      watched('MODIFIED', objectOf('a', 101)),
    ]);
    expect(after.shown).toEqual(['modified uid-a@50 GAP', 'modified uid-a@101']);
    expect(after.events[1]?.identity).toBe(before.events[0]?.identity);
    expect(after.events[1]?.key).not.toBe(before.events[0]?.key);
  });

  it('is another history once, also where its versions are older', () => {
    const other = { kind: 'cluster', cluster: { server: 's', uid: 'other' } } as const;
    const result = run(known, any, [other, listed(40, [objectOf('d', 30)])]);
    expect(result.state.epoch).toBe(2);
    expect(result.shown).toEqual([
      'added uid-d@30 GAP',
      'deleted uid-a:gone GAP',
      'deleted uid-b:gone GAP',
      'deleted uid-c:gone GAP',
    ]);
  });

  it('is compared in all namespaces, under one new epoch', () => {
    const settings = settingsFor({ namespaces: ['left', 'right'] });
    const state = listedState(settings);
    const result = run(state, settings, [
      { kind: 'newest', scope: 'left', version: '50' },
      { kind: 'newest', scope: 'right', version: '50' },
      listed(50, [], 'left'),
      listed(50, [], 'right'),
    ]);
    expect(result.state.epoch).toBe(2);
    expect(result.notes).toEqual(['gap', 'relisted', 'gap', 'relisted']);
  });
});

describe('an event that is too large', () => {
  it('is stepped over by a list of metadata', () => {
    const spec = settingsFor({ watch: { modifiedWhen: 'status' } });
    const known = run(newState(spec), spec, [listed(100, [objectOf('a', 50, { status: { x: 1 } })])]).state;
    const result = run(known, spec, [
      { kind: 'oversize', scope: '' },
      { ...listed(200, [objectOf('a', 150)]), partial: true },
    ]);
    expect(result.events[0]).toMatchObject({ type: 'modified', gap: true, partial: true, previousUnknown: true });
    expect(run(result.state, spec, [bookmark(201)]).state.scope('').cursor).toBe('201');
  });
});
