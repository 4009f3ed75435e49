import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { JsonValue } from '../errors';
import { canonicalJson, digest, hash } from './digest';
import { restoredValue, storedValue } from './facts';
import { escapeText, packUid, unescapeText, unpackUid } from './rowText';
import { Tracked } from './tracked';
import { weigh } from './weight';

describe('digests', () => {
  it('do not depend on the order of fields, nor on heartbeats', () => {
    expect(digest({ a: 1, b: [{ c: 2, lastHeartbeatTime: 'x' }] })).toBe(
      digest({ b: [{ lastHeartbeatTime: 'y', c: 2 }], a: 1 }),
    );
    expect(digest({ a: 1 })).not.toBe(digest({ a: '1' }));
    expect(digest(undefined)).toHaveLength(8);
    expect(canonicalJson({ b: undefined, a: [null, true] })).toBe('{"a":[null,true]}');
  });

  it('tell lists apart that read alike when joined', () => {
    expect(hash(['ab', 'c'])).not.toBe(hash(['a', 'bc']));
  });
});

describe('texts in rows', () => {
  it('come back, and hold nothing that would break a row or grow in JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const escaped = escapeText(text);
        expect(unescapeText(escaped)).toBe(text);
        expect(JSON.stringify(escaped)).toBe(`"${escaped}"`);
        expect(escaped).not.toMatch(/[,\n]/);
      }),
    );
  });

  it('uids come back, short where they are UUIDs', () => {
    const uuid = '0a1b2c3d-4e5f-4a7b-8c9d-0e1f2a3b4c5d';
    expect(packUid(uuid)).toHaveLength(22);
    fc.assert(
      fc.property(fc.oneof(fc.uuid(), fc.string({ minLength: 1 })), (uid) => {
        expect(unpackUid(packUid(uid))).toBe(uid);
      }),
    );
    expect([unpackUid(''), unpackUid('!'), unpackUid('short')]).toEqual([undefined, undefined, undefined]);
  });

  it('values come back, or are known to be unknown', () => {
    fc.assert(
      fc.property(fc.option(fc.jsonValue(), { nil: undefined }), (value) => {
        const kept = value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as JsonValue);
        const restored = restoredValue(storedValue(kept));
        if (restored.known) expect(restored.value).toEqual(kept);
        else expect(JSON.stringify(kept).length).toBeGreaterThan(20);
      }),
    );
    expect(storedValue('x'.repeat(200))).toMatch(/^#.{8}$/);
  });
});

describe('tracked objects', () => {
  it('are bounded by number and by size', () => {
    const tracked = new Tracked<{ readonly row: string }>(2);
    const short = { row: 'r' };
    const long = { row: 'x'.repeat(5000) };
    for (const uid of ['a', 'b']) tracked.put(uid, short);
    expect([tracked.fits('c', short), tracked.fits('a', short), tracked.fits('a', long)]).toEqual([false, true, false]);
    tracked.put('b', undefined);
    expect([tracked.fits('c', short), tracked.fits('c', long), tracked.size]).toEqual([true, false, 1]);
  });
});

describe('weights', () => {
  it('are about the size of the JSON, and stop at the limit', () => {
    const object = { a: 'x'.repeat(1000), b: Array.from({ length: 100 }, (_, at) => ({ at })) };
    const size = JSON.stringify(object).length;
    expect(weigh(object)).toBeGreaterThan(size * 0.8);
    expect(weigh(object)).toBeLessThan(size * 2.5);
    expect(
      weigh(
        Array.from({ length: 100_000 }, () => 'text'),
        1000,
      ),
    ).toBeLessThan(1100);
  });
});
