import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { factsOf } from './facts';
import { memoryOf } from './memory';
import { ScopeState, type TriggerState } from './state';
import { readState, writeState, type StoredState } from './stateCodec';
import { listedState, objectOf, settingsFor } from './testing/objects';

const settings = settingsFor({
  labelSelector: 'app=a',
  watch: { modifiedWhen: 'fields', fields: ['a', 'b', 'c'] },
  tracked: 5000,
});

function uuid(at: number): string {
  return `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
}

/** A state that knows so many objects, with names as long as they usually are at most. */
function stateWith(count: number, limit: number, fields: unknown = 'value'): TriggerState {
  const tracked = settingsFor({
    labelSelector: 'app=a',
    watch: { modifiedWhen: 'fields', fields: ['a', 'b', 'c'] },
    tracked: limit,
  });
  const state = listedState(tracked, '123456789');
  for (let at = 0; at < count; at += 1) {
    const uid = uuid(at);
    const name = `checkout-service-7d9c5b8f66-${String(at).padStart(5, '0')}`;
    const object = objectOf(name, 123_000_000 + at, {
      metadata: { uid, namespace: 'shop-production' },
      a: fields,
      b: at,
      c: true,
    });
    const facts = factsOf(object, '122000000', tracked, false);
    const { known } = state.scope('');
    if (known.fits(uid, facts)) known.put(uid, facts);
  }
  return state;
}

function same(left: TriggerState, right: TriggerState): void {
  expect(writeState(right)).toEqual(writeState(left));
  expect([...right.scope('').known].map(([uid, { recent, ...facts }]) => [uid, facts, void recent])).toEqual(
    [...left.scope('').known].map(([uid, { recent, ...facts }]) => [uid, facts, void recent]),
  );
  expect([...right.scope('').incidents]).toEqual([...left.scope('').incidents]);
}

/** As it comes back from the database of n8n. */
function stored(state: TriggerState): StoredState {
  return JSON.parse(JSON.stringify(writeState(state))) as StoredState;
}

describe('a stored state', () => {
  it('comes back as it was', () => {
    const state = stateWith(20, 5000, { deep: ['x', 1, null], 'odd,"key"': 'line\nbreak %2c; \\ ' });
    state.cluster = { server: 'abc', uid: 'cluster-uid' };
    state.epoch = 3;
    state.newestCreation = '2026-01-01T00:00:00Z';
    Object.assign(state.scope(''), { cursor: '17', relist: 'expired', overflow: true });
    const memory = memoryOf('odd uid, "x"', { namespace: 'n', name: 'p' }, [
      { slot: 'app', key: 'loop-1', number: 1, phase: 'clearing', since: 1_767_225_600 },
    ]);
    state.apply([{ kind: 'incident', scope: '', uid: 'odd uid, "x"', memory }]);
    const read = readState(stored(state), 'owner', settings);
    if (!('state' in read)) throw new Error(read.problem);
    same(state, read.state);
    expect(read.state.scope('')).toMatchObject({ cursor: '17', relist: 'expired', overflow: true });
  });

  it('comes back as it was, whatever names and values it holds', () => {
    const anything = fc.record({
      uid: fc.string({ minLength: 1 }),
      name: fc.string(),
      value: fc.jsonValue(),
      version: fc.stringMatching(/^[1-9]\d{0,20}$/),
    });
    fc.assert(
      fc.property(fc.array(anything, { maxLength: 5 }), (objects) => {
        const state = listedState(settings);
        for (const { uid, name, value, version } of objects) {
          const object = objectOf('x', version, { metadata: { uid, name }, a: value });
          state.apply([{ kind: 'known', scope: '', uid, facts: factsOf(object, version, settings, false) }]);
        }
        const read = readState(stored(state), 'owner', settings);
        if (!('state' in read)) throw new Error(read.problem);
        same(state, read.state);
      }),
      { numRuns: 200 },
    );
  });

  it('takes less than 64 KB for 300 objects, and about 200 bytes each for 5,000', () => {
    const small = stateWith(400, 300);
    expect(small.scope('').known.size).toBeGreaterThan(250);
    expect(JSON.stringify(writeState(small)).length).toBeLessThan(64 * 1024);
    const large = stateWith(6000, 5000);
    expect(JSON.stringify(writeState(large)).length).toBeLessThan(200 * 5000 + 4096);
  });

  it('takes 15 to 30 kB for 300 ordinary objects, as the documentation says', () => {
    const bytesOf = (name: string, labelSelector: string): number => {
      const ordinary = settingsFor({ labelSelector, watch: { modifiedWhen: 'spec' } });
      const state = listedState(ordinary, '123456789');
      for (let at = 0; at < 300; at += 1) {
        const metadata = { uid: uuid(at), namespace: 'production', generation: 3 };
        const facts = factsOf(objectOf(`${name}${at}`, 123_000_000 + at, { metadata }), '122000000', ordinary, false);
        state.apply([{ kind: 'known', scope: '', uid: uuid(at), facts }]);
      }
      return Buffer.byteLength(JSON.stringify(writeState(state)));
    };
    expect(bytesOf('settings-', '')).toBeGreaterThan(15_000);
    expect(bytesOf('checkout-service-7d9c5b8f66-x0', 'app=checkout')).toBeLessThan(30_000);
  });

  it('never takes 64 KB for 300 objects, however long their names, in 50 namespaces', () => {
    const state = stateWith(0, 300);
    const long = 'n'.repeat(253);
    for (let at = 0; at < 50; at += 1) {
      const scope = new ScopeState(0);
      Object.assign(scope, { cursor: '9'.repeat(20), relist: 'restored', overflow: true });
      state.scopes.set(`${String(at).padStart(3, '0')}${'s'.repeat(60)}`, scope);
    }
    const { known } = state.scope('');
    for (let at = 0; at < 300; at += 1) {
      const object = objectOf(long, '9'.repeat(20), {
        metadata: { uid: uuid(at), namespace: 's'.repeat(63) },
        a: long,
        b: long,
        c: long,
      });
      const facts = factsOf(object, '9'.repeat(20), settings, false);
      if (known.fits(uuid(at), facts)) known.put(uuid(at), facts);
    }
    expect(known.size).toBeLessThan(300);
    expect(JSON.stringify(writeState(state)).length).toBeLessThan(64 * 1024);
  });

  it('is a new object each time, because n8n writes it out later than it was given', () => {
    const state = stateWith(1, 300);
    const before = writeState(state);
    state.apply([{ kind: 'cursor', scope: '', cursor: '999999999' }]);
    expect(before.p).toEqual([['', '123456789', '', 0]]);
  });

  it('lets go of what is too many when the user tracks fewer objects, and says so', () => {
    const fewer = settingsFor({ labelSelector: 'app=a', tracked: 10 });
    const read = readState(stored(stateWith(20, 5000)), 'owner', fewer);
    expect('state' in read && [read.state.scope('').known.size, read.state.scope('').overflow]).toEqual([10, true]);
  });
});

describe('what is stored may be anything', () => {
  const good = stored(stateWith(2, 5000));
  it.each([
    ['nothing', undefined, 'absent'],
    ['null', null, 'absent'],
    ['a text', 'state', 'damaged'],
    ['a list', [], 'damaged'],
    ['an empty object', {}, 'damaged'],
    ['of a newer version', { ...good, v: 2 }, 'newer'],
    ['of another workflow', { ...good, o: 'other' }, 'foreign'],
    ['of another collection', { ...good, c: 'other' }, 'other-collection'],
    ['a damaged row', { ...good, k: `${good.k}\nbroken` }, 'damaged'],
    ['a damaged incident', { ...good, i: 'broken' }, 'damaged'],
    ['no scopes', { ...good, p: [] }, 'damaged'],
    ['a scope that is none', { ...good, p: [['', 1, '', 0]] }, 'damaged'],
    ['an unknown cause', { ...good, p: [['', '1', 'other', 0]] }, 'damaged'],
    ['no cursor and nothing to list', { ...good, p: [['', '', '', 0]] }, 'damaged'],
    ['a cursor no watch would take', { ...good, p: [['', 'a b', '', 0]] }, 'damaged'],
    ['a negative epoch', { ...good, e: -1 }, 'damaged'],
    ['numbers where texts should be', { ...good, k: 7 }, 'damaged'],
  ])('%s', (_, value, problem) => {
    expect(readState(value, 'owner', settings)).toEqual({ problem });
  });

  it('never makes reading throw', () => {
    const hostile = fc.oneof(
      fc.anything(),
      fc
        .tuple(fc.constantFrom(...Object.keys(good)), fc.anything())
        .map(([field, value]) => ({ ...good, [field]: value })),
      fc
        .tuple(fc.nat({ max: good.k.length }), fc.string())
        .map(([at, text]) => ({ ...good, k: good.k.slice(0, at) + text + good.k.slice(at) })),
    );
    fc.assert(
      fc.property(hostile, (value) => {
        const read = readState(value, 'owner', settings);
        expect('state' in read || typeof read.problem === 'string').toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
