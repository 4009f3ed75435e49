import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { PackedItems, unpackList } from './packedItems';

function itemsOf(json: Buffer): unknown[] | undefined {
  const list = unpackList(json);
  return list && [...new PackedItems(json, list.ends, true, () => undefined)];
}

describe('unpackList', () => {
  it('gives the same as parsing the whole list, for any JSON and any space in it', () => {
    const key = fc.constantFrom('items', 'a', '"items":[', 'b\\', '],[', '{');
    const value = fc.letrec<{ json: unknown }>((tie) => ({
      json: fc.oneof(
        { maxDepth: 3 },
        fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null)),
        fc.array(tie('json'), { maxLength: 3 }),
        fc.dictionary(key, tie('json'), { maxKeys: 3 }),
      ),
    })).json;
    const space = fc.constantFrom(undefined, ' ', '\t', 3);
    fc.assert(
      fc.property(fc.array(value), value, value, space, (items, before, after, indent) => {
        const list = { kind: 'PodList', metadata: before, items, after };
        const json = Buffer.from(JSON.stringify(list, undefined, indent));
        expect(itemsOf(json)).toEqual(items);
        expect(unpackList(json)?.envelope).toEqual({ ...list, items: [] });
      }),
    );
  });

  it.each([
    '',
    '[]',
    '{}',
    '{"metadata":{"items":[1]}}',
    '{"items":null}',
    '{"items":{"a":1}}',
    '{"items":[1,]}',
    '{"items":[,1]}',
    '{"items":[1 2]}',
    '{"items":["a',
    '{"items":[{"a":1}',
    '{"kind" "items":[]}',
  ])('finds no list in %s', (json) => {
    expect(unpackList(Buffer.from(json))).toBeUndefined();
  });

  it('refuses what is no JSON, where it stands', () => {
    expect(() => unpackList(Buffer.from('{"kind":Pod,"items":[]}'))).toThrow('not valid JSON');
    const json = Buffer.from('{"items":[{"a":1},{"b":x}]}');
    const items = new PackedItems(json, unpackList(json)?.ends ?? [], true, () => undefined)[Symbol.iterator]();
    expect(items.next().value).toEqual({ a: 1 });
    expect(() => items.next()).toThrow('not valid JSON');
  });
});
