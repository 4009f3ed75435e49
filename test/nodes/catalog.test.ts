import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { NODES, OPERATIONS } from '../../nodes/catalog';

const ROOT = join(__dirname, '../..');

it('no two nodes have a resource of the same value', () => {
  const values = NODES.flatMap(({ resources }) => resources.map(({ value }) => value));
  expect(values.filter((value, index) => values.indexOf(value) !== index)).toEqual([]);
});

it('the operations are those of all nodes', () => {
  expect(OPERATIONS).toEqual(NODES.flatMap(({ resources }) => resources.flatMap(({ operations }) => operations)));
});

it.each(NODES)('$displayName has a page, and a function for each operation', ({ folder, page, resources, runs }) => {
  expect(existsSync(join(ROOT, 'docs', page))).toBe(true);
  expect(existsSync(join(ROOT, 'nodes', folder, `${folder}.node.ts`))).toBe(true);
  const named = resources.flatMap(({ value, operations }) => operations.map((one) => `${value} ${one.value}`));
  const written = Object.entries(runs).flatMap(([value, all]) => Object.keys(all).map((one) => `${value} ${one}`));
  expect(written.sort()).toEqual([...named].sort());
});
