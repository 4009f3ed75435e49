import { expect, it } from '@jest/globals';
import { benchmarksMarkdown } from '../bench/budgets';

it('a section renews its rows of the page of figures, and no others', () => {
  const figure = { what: 'a thing', measured: 1, budget: 2, unit: 'ms', from: 'one run' };
  const page = benchmarksMarkdown([figure, { ...figure, what: 'another' }], 'yesterday');
  const renewed = benchmarksMarkdown(
    [
      { ...figure, what: 'another', measured: 3 },
      { ...figure, what: 'a third' },
    ],
    'today',
    // As prettier has it.
    page.replaceAll('| a thing |', '| a thing    |'),
  );
  expect(renewed.split('\n').filter((line) => line.startsWith('| a'))).toEqual([
    '| a thing    | 1.00 ms | ≤ 2.00 ms | kept | one run |',
    '| another | 3.00 ms | ≤ 2.00 ms | **broken** | one run |',
    '| a third | 1.00 ms | ≤ 2.00 ms | kept | one run |',
  ]);
  expect(renewed).toContain('Last run: today.');
});
