import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { RESOURCES } from './apiResource';
import { dropManagedFields, isPlain, withoutManagedFields } from './managedFields';

function strip(json: string): string {
  return withoutManagedFields(Buffer.from(json, 'utf8')).toString('utf8');
}

const FIELDS = [{ manager: 'a"]}', operation: 'Update', fieldsV1: { 'f:x\\': { '.': {} }, 'k:{"name":"y"}': {} } }];

describe('withoutManagedFields', () => {
  it('cuts them out of every object of a list', () => {
    const item = (name: string) => ({ metadata: { name, managedFields: FIELDS }, spec: { note: 'ü' } });
    const list = { kind: 'PodList', items: [item('a'), item('b'), { metadata: { name: 'c' } }] };
    expect(JSON.parse(strip(JSON.stringify(list)))).toEqual({
      kind: 'PodList',
      items: [
        { metadata: { name: 'a' }, spec: { note: 'ü' } },
        { metadata: { name: 'b' }, spec: { note: 'ü' } },
        { metadata: { name: 'c' } },
      ],
    });
  });

  it.each([
    '{"a":1}',
    '',
    '{"metadata":{"name":"a","managedFields":{"x":1}}}',
    '{"text":"x,\\"managedFields\\":[1]"}',
    '{"list":["x","managedFields"]}',
    '{"a\\\\":1,"managedFields ":[1]}',
    // Cut off in the middle: left for the parser to refuse.
    '{"name":"a","managedFields":[{"b":"c',
  ])('leaves %s alone', (json) => {
    expect(strip(json)).toBe(json);
  });

  it('means the same as parsing and deleting, for any JSON', () => {
    const key = fc.constantFrom('managedFields', 'a', '"managedFields":[', 'b\\', ',');
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 5 },
        fc.string(),
        fc.constant(',"managedFields":['),
        fc.integer(),
        fc.constant(null),
        tie('list'),
        tie('record'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      record: fc
        .array(fc.tuple(key, tie('value')), { maxLength: 4 })
        .map((entries) => Object.fromEntries([['first', 1], ...entries])),
    }));
    const cleaned = (node: unknown): unknown => {
      if (Array.isArray(node)) return node.map(cleaned);
      if (typeof node !== 'object' || node === null) return node;
      return Object.fromEntries(
        Object.entries(node)
          .filter(([name, child]) => !(name === 'managedFields' && Array.isArray(child)))
          .map(([name, child]) => [name, cleaned(child)]),
      );
    };
    fc.assert(
      fc.property(value, (node) => {
        expect(JSON.parse(strip(JSON.stringify(node)))).toEqual(cleaned(node));
      }),
    );
  });

  it('never makes good JSON out of bad', () => {
    fc.assert(
      fc.property(fc.nat({ max: 200 }), (length) => {
        const json = JSON.stringify({ metadata: { name: 'a', managedFields: FIELDS }, spec: {} });
        const cut = json.slice(0, Math.min(length, json.length - 1));
        expect(() => JSON.parse(strip(cut)) as unknown).toThrow();
      }),
    );
  });
});

it('is for well-known kinds that hold no other objects', () => {
  expect(isPlain(RESOURCES.pods)).toBe(true);
  expect(isPlain({ ...RESOURCES.pods, version: 'v2' })).toBe(true);
  expect(isPlain(RESOURCES.controllerrevisions)).toBe(false);
  expect(isPlain(RESOURCES.customresourcedefinitions)).toBe(false);
  expect(isPlain({ ...RESOURCES.pods, group: 'metrics.k8s.io' })).toBe(false);
});

it('takes them off what was parsed', () => {
  const items = [{ metadata: { name: 'a', managedFields: FIELDS } }, { metadata: {} }, {}, null, 7];
  dropManagedFields(items);
  expect(items).toEqual([{ metadata: { name: 'a' } }, { metadata: {} }, {}, null, 7]);
});
