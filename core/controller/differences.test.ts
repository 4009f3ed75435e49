import { expect, it } from '@jest/globals';
import { differingPaths, valueAt } from './differences';

it('finds what is wanted otherwise, and does not mind what is there besides', () => {
  const wanted = { spec: { a: 1, list: [{ name: 'x', size: '2Gi' }, { name: 'y' }], more: { deep: true }, long: [1] } };
  const live = {
    spec: { a: 1, list: [{ name: 'x', size: '1Gi', filled: 'in' }, { name: 'y' }], long: [1, 2], status: {} },
  };
  expect(differingPaths(wanted, live)).toEqual(['spec.list[0].size', 'spec.more', 'spec.long']);
  expect(differingPaths(live, live)).toEqual([]);
  expect(
    differingPaths(
      Array.from({ length: 50 }, (_, index) => ({ index })),
      Array(50).fill({}),
    ).length,
  ).toBe(10);
});

it('looks up what is at a path', () => {
  const object = { spec: { clusterIPs: ['10.0.0.1'], list: [{ name: 'x' }] } };
  expect(
    ['spec.clusterIPs[0]', 'spec.list[0].name', 'spec.none.at.all', 'spec.list[7].name', '', 'spec[0]'].map((path) =>
      valueAt(object, path),
    ),
  ).toEqual(['10.0.0.1', 'x', undefined, undefined, object, undefined]);
});
