import { describe, expect, it } from '@jest/globals';
import { RESOURCES } from '../kube';
import { runPass, type Observation } from './pass';
import type { TriggerState } from './state';
import { bookmark, contextOf, listed, listedState, objectOf, settingsFor, watched } from './testing/objects';
import type { CheckedSettings } from './settings';

/** Runs a pass and shows its events as `type identity`, with GAP where marked. */
function run(state: TriggerState, settings: CheckedSettings, observations: readonly Observation[]) {
  const result = runPass(state, observations, contextOf(settings));
  const shown = result.events.map((event) => `${event.type} ${event.identity}${event.gap ? ' GAP' : ''}`);
  return { ...result, shown };
}

const any = settingsFor();
const byLabel = settingsFor({ labelSelector: 'app=a' });
const events = settingsFor({ resource: RESOURCES.events });

describe('a watch window', () => {
  const cases: readonly {
    name: string;
    settings?: CheckedSettings;
    observed: readonly Observation[];
    shown: readonly string[];
    cursor: string;
  }[] = [
    {
      name: 'tells what is created, changed and deleted, in order',
      observed: [
        watched('ADDED', objectOf('a', 101)),
        watched('MODIFIED', objectOf('a', 102)),
        watched('DELETED', objectOf('a', 103)),
      ],
      shown: ['added uid-a@101', 'modified uid-a@102', 'deleted uid-a:gone'],
      cursor: '103',
    },
    { name: 'goes on from a bookmark, and tells nothing of it', observed: [bookmark(150)], shown: [], cursor: '150' },
    {
      name: 'never goes back for an older bookmark',
      observed: [bookmark(150), bookmark(120)],
      shown: [],
      cursor: '150',
    },
    {
      name: 'compares versions as decimal texts, not as numbers or words',
      observed: [bookmark('9007199254740993'), bookmark('9007199254740992'), bookmark('99')],
      shown: [],
      cursor: '9007199254740993',
    },
    {
      name: 'tells a repeated line once',
      observed: [
        watched('ADDED', objectOf('a', 101)),
        watched('ADDED', objectOf('a', 101)),
        watched('DELETED', objectOf('a', 102)),
        watched('DELETED', objectOf('a', 102)),
      ],
      shown: ['added uid-a@101', 'deleted uid-a:gone'],
      cursor: '102',
    },
    {
      name: 'does not take an old line for the end of a new stay',
      settings: byLabel,
      observed: [
        watched('ADDED', objectOf('a', 101)),
        watched('DELETED', objectOf('a', 103)),
        watched('ADDED', objectOf('a', 104)),
        watched('DELETED', objectOf('a', 103)),
        watched('DELETED', objectOf('a', 105)),
      ],
      shown: ['added uid-a@101', 'deleted uid-a:left:101', 'added uid-a@104', 'deleted uid-a:left:104'],
      cursor: '105',
    },
    {
      name: 'does not tell what a list has shown already',
      observed: [
        listed(110, [objectOf('a', 105)]),
        watched('ADDED', objectOf('a', 105)),
        watched('MODIFIED', objectOf('a', 111)),
      ],
      shown: ['added uid-a@105 GAP', 'modified uid-a@111'],
      cursor: '111',
    },
    {
      name: 'with a selector names each stay by the version at which the object came in',
      settings: byLabel,
      observed: [
        watched('ADDED', objectOf('a', 101)),
        watched('MODIFIED', objectOf('a', 102)),
        watched('DELETED', objectOf('a', 103)),
        watched('ADDED', objectOf('a', 104)),
        watched('DELETED', objectOf('a', 105)),
      ],
      shown: [
        'added uid-a@101',
        'modified uid-a@102',
        'deleted uid-a:left:101',
        'added uid-a@104',
        'deleted uid-a:left:104',
      ],
      cursor: '105',
    },
    {
      name: 'knows an Event by its count and ignores that it grows old',
      settings: events,
      observed: [
        watched('ADDED', objectOf('e', 101, { count: 1 })),
        watched('MODIFIED', objectOf('e', 102, { count: 1, note: 'other' })),
        watched('MODIFIED', objectOf('e', 103, { count: 2 })),
        watched('DELETED', objectOf('e', 104, { count: 2 })),
      ],
      shown: ['added uid-e*1', 'modified uid-e*2'],
      cursor: '104',
    },
    {
      name: 'reads the count of a series in the newer API of Events',
      settings: events,
      observed: [
        watched('ADDED', objectOf('e', 101)),
        watched('MODIFIED', objectOf('e', 102, { series: { count: 4 }, deprecatedCount: 1 })),
      ],
      shown: ['added uid-e*1', 'modified uid-e*4'],
      cursor: '102',
    },
    {
      name: 'tells only the chosen types, and remembers the others',
      settings: settingsFor({ watch: { types: ['deleted'] } }),
      observed: [
        watched('ADDED', objectOf('a', 101)),
        watched('MODIFIED', objectOf('a', 102)),
        watched('DELETED', objectOf('a', 103)),
      ],
      shown: ['deleted uid-a:gone'],
      cursor: '103',
    },
    {
      name: 'takes versions that are no numbers as they come',
      observed: [
        watched('ADDED', objectOf('a', 'x1')),
        watched('MODIFIED', objectOf('a', 'x0')),
        watched('MODIFIED', objectOf('a', 'x0')),
      ],
      shown: ['added uid-a@x1', 'modified uid-a@x0'],
      cursor: 'x0',
    },
  ];
  it.each(cases)('$name', ({ settings = any, observed, shown, cursor }) => {
    const result = run(listedState(settings), settings, observed);
    expect(result.shown).toEqual(shown);
    expect(result.state.scope('').cursor).toBe(cursor);
  });

  it('leaves the state it was given as it was', () => {
    const state = listedState(any);
    run(state, any, [watched('ADDED', objectOf('a', 101))]);
    expect(state.scope('').cursor).toBe('100');
    expect(state.scope('').known.size).toBe(0);
  });

  it('refuses an object without a version: it could never be gone on from', () => {
    const nameless = { metadata: { name: 'a', uid: 'uid-a' } };
    expect(() => run(listedState(any), any, [watched('ADDED', nameless)])).toThrow('without a resourceVersion');
  });

  it('moves each namespace on by itself', () => {
    const settings = settingsFor({ namespaces: ['left', 'right'] });
    const { state } = run(listedState(settings), settings, [bookmark(120, 'left'), bookmark(110, 'right')]);
    expect([...state.scopes].map(([name, { cursor }]) => [name, cursor])).toEqual([
      ['left', '120'],
      ['right', '110'],
    ]);
  });
});

describe('what is told', () => {
  it('carries the object with its kind and without managedFields', () => {
    const object = objectOf('a', 101, { metadata: { managedFields: [{}] }, data: { key: 'value' } });
    const { events: told } = run(listedState(any), any, [watched('ADDED', object)]);
    expect(told[0]).toMatchObject({
      type: 'added',
      namespace: 'shop',
      name: 'a',
      uid: 'uid-a',
      resourceVersion: '101',
      observedAt: '2026-01-01T00:00:00.000Z',
      object: { apiVersion: 'v1', kind: 'ConfigMap', data: { key: 'value' } },
    });
    expect(told[0]?.object?.metadata).not.toHaveProperty('managedFields');
  });

  it('has a key that depends on epoch, workflow and node', () => {
    const once = run(listedState(any), any, [watched('ADDED', objectOf('a', 101))]).events[0]?.key;
    const later = listedState(any);
    later.epoch = 2;
    const other = runPass(listedState(any), [watched('ADDED', objectOf('a', 101))], {
      ...contextOf(any),
      owner: { workflowId: 'workflow', nodeId: 'other' },
    });
    const keys = [once, run(later, any, [watched('ADDED', objectOf('a', 101))]).events[0]?.key, other.events[0]?.key];
    expect(new Set(keys).size).toBe(3);
    for (const key of keys) expect(key).toMatch(/^navin-k8s-[\w-]{43}$/);
  });
});

describe('modifications that count', () => {
  const spec = settingsFor({ watch: { modifiedWhen: 'spec' } });
  const status = settingsFor({ watch: { modifiedWhen: 'status' } });
  const fields = settingsFor({ watch: { modifiedWhen: 'fields', fields: ['spec.replicas', 'status.phase'] } });
  const start = {
    metadata: { generation: 1 },
    spec: { replicas: 1 },
    status: { phase: 'Pending', lastProbeTime: '1' },
  };

  const cases: readonly [string, CheckedSettings, Readonly<Record<string, unknown>>, readonly string[]][] = [
    ['spec: a new generation', spec, { ...start, metadata: { generation: 2 } }, ['modified uid-a#g2']],
    ['spec: not the status', spec, { ...start, status: { phase: 'Running' } }, []],
    ['status: the status', status, { ...start, status: { phase: 'Running' } }, ['modified uid-a@102']],
    ['status: not a heartbeat', status, { ...start, status: { phase: 'Pending', lastProbeTime: '2' } }, []],
    ['status: not the spec', status, { ...start, metadata: { generation: 2 }, spec: { replicas: 2 } }, []],
    ['fields: one of them', fields, { ...start, spec: { replicas: 3 } }, ['modified uid-a@102']],
    ['fields: none of them', fields, { ...start, spec: { replicas: 1, paused: true } }, []],
  ];
  it.each(cases)('%s', (_, settings, after, shown) => {
    const result = run(listedState(settings), settings, [
      watched('ADDED', objectOf('a', 101, start)),
      watched('MODIFIED', objectOf('a', 102, after)),
    ]);
    expect(result.shown.slice(1)).toEqual(shown);
  });

  it('spec of objects without generation: anything outside metadata and status', () => {
    const result = run(listedState(spec), spec, [
      watched('ADDED', objectOf('a', 101, { data: { x: '1' } })),
      watched('MODIFIED', objectOf('a', 102, { data: { x: '1' }, metadata: { labels: { new: 'label' } } })),
      watched('MODIFIED', objectOf('a', 103, { data: { x: '2' } })),
    ]);
    expect(result.shown).toEqual(['added uid-a@101', 'modified uid-a@103']);
  });

  it('a later write of the status does not make the same change of the spec another one', () => {
    const known = run(listedState(spec), spec, [watched('ADDED', objectOf('a', 101, start))]).state;
    const changed = { ...start, metadata: { generation: 2 } };
    const byWatch = run(known, spec, [watched('MODIFIED', objectOf('a', 102, changed))]);
    const byList = run(known, spec, [
      { kind: 'expired', scope: '' },
      listed(120, [objectOf('a', 115, { ...changed, status: {} })]),
    ]);
    expect(byWatch.events[0]?.key).toBe(byList.events[0]?.key);
  });

  it('fields come with the value before and after', () => {
    const result = run(listedState(fields), fields, [
      watched('ADDED', objectOf('a', 101, start)),
      watched('MODIFIED', objectOf('a', 102, { ...start, spec: { replicas: 3 }, status: {} })),
    ]);
    expect(result.events[1]?.changed).toEqual([
      { path: 'spec.replicas', previous: 1, current: 3 },
      { path: 'status.phase', previous: 'Pending' },
    ]);
  });

  it('an object that is not tracked counts, because nobody can tell', () => {
    const result = run(listedState(fields), fields, [watched('MODIFIED', objectOf('a', 101, start))]);
    expect(result.events[0]).toMatchObject({
      previousUnknown: true,
      changed: [
        { path: 'spec.replicas', previousUnknown: true, current: 1 },
        { path: 'status.phase', previousUnknown: true, current: 'Pending' },
      ],
    });
  });
});
