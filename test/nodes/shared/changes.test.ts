import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { parseFieldPath, readField } from '../../../core/kube';
import { fieldChanges } from '../../../nodes/shared/changes';

const changes = (before: unknown, after: unknown, most = 100) =>
  fieldChanges({ value: before, shown: before }, { value: after, shown: after }, most);

describe('what changed, field by field', () => {
  it.each<[unknown, unknown, unknown[]]>([
    [{ a: 1 }, { a: 1 }, []],
    [{ spec: { replicas: 1 } }, { spec: { replicas: 2 } }, [{ path: 'spec.replicas', before: 1, after: 2 }]],
    [{}, { spec: { a: 1 } }, [{ path: 'spec', after: { a: 1 } }]],
    [{ spec: null }, {}, [{ path: 'spec', before: null }]],
    [{ l: { 'a.b/c': 'x' } }, { l: {} }, [{ path: 'l["a.b/c"]', before: 'x' }]],
    [
      { a: [1, 2] },
      { a: [1, 3, 4] },
      [
        { path: 'a[1]', before: 2, after: 3 },
        { path: 'a[2]', after: 4 },
      ],
    ],
    [
      { c: [{ name: 'app', image: 'a:1' }, { name: 'side' }] },
      { c: [{ name: 'new' }, { name: 'app', image: 'a:2' }] },
      [
        { path: 'c[name=app].image', before: 'a:1', after: 'a:2' },
        { path: 'c[name=side]', before: { name: 'side' } },
        { path: 'c[name=new]', after: { name: 'new' } },
      ],
    ],
    [
      { c: [{ name: 'a' }, { name: 'b' }] },
      { c: [{ name: 'b' }, { name: 'a' }] },
      [
        { path: 'c[0].name', before: 'a', after: 'b' },
        { path: 'c[1].name', before: 'b', after: 'a' },
      ],
    ],
    [{ a: '1' }, { a: 1 }, [{ path: 'a', before: '1', after: 1 }]],
    [{ a: [] }, { a: {} }, [{ path: 'a', before: [], after: {} }]],
  ])('%j → %j', (before, after, expected) => {
    expect(changes(before, after)).toEqual(expected);
  });

  it('stops after so many', () => {
    expect(changes({ a: 1, b: 2, c: 3 }, {}, 2)).toHaveLength(2);
  });

  it('shows what may be shown and compares what there is', () => {
    const masked = (value: string) => ({ value: { data: { a: value } }, shown: { data: { a: '(masked)' } } });
    expect(fieldChanges(masked('x'), masked('x'), 9)).toEqual([]);
    expect(fieldChanges(masked('x'), masked('y'), 9)).toEqual([
      { path: 'data.a', before: '(masked)', after: '(masked)' },
    ]);
  });

  it('names paths that can be read, and finds a change exactly where there is one', () => {
    const key = fc.constantFrom('spec', 'name', 'a.b/c', 'x');
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom('p', 'q', 1, true, null),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(key, tie('any'), { maxKeys: 3 }),
      ),
    })).any;
    fc.assert(
      fc.property(fc.dictionary(key, value), fc.dictionary(key, value), (before, after) => {
        const found = changes(before, after);
        expect(found.length === 0).toBe(JSON.stringify(sorted(before)) === JSON.stringify(sorted(after)));
        for (const { path, ...sides } of found) {
          expect(readField(before, parseFieldPath(path))).toEqual(sides.before);
          expect(readField(after, parseFieldPath(path))).toEqual(sides.after);
        }
      }),
      { numRuns: 300 },
    );
  });
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([k, v]) => [k, sorted(v)]),
  );
}
