import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(__dirname, '../..');

interface Row {
  readonly number: number;
  readonly issues: readonly string[];
  readonly file: string;
  readonly test: string;
}

/** The table of README.md. */
const ROWS: readonly Row[] = readFileSync(join(__dirname, 'README.md'), 'utf8')
  .split('\n')
  .filter((line) => /^\| +\d/.test(line))
  .map((line) => {
    const [number = '', issues = '', , file = '', test = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return {
      number: Number(number),
      issues: issues.split('; '),
      file: file.replaceAll('`', ''),
      test: test.replaceAll('`', ''),
    };
  });

function textOf(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8');
}

describe('the table of complaints', () => {
  it('has a test for each complaint about actions', () => {
    const numbers = Array.from({ length: 29 }, (_, index) => 29 + index);
    expect([...new Set(ROWS.map(({ number }) => number))]).toEqual(numbers);
  });

  it.each(ROWS.map((row) => [row.number, row.test, row] as const))('%d: %s', (_number, _test, { file, test }) => {
    expect(textOf(file)).toContain(`'${test}'`);
  });

  it('names issues that stand with their tests', () => {
    const missing = ROWS.flatMap(({ number, issues }) => {
      const sources = ROWS.filter((row) => row.number === number).map(({ file }) => textOf(file));
      return issues.filter((issue) => !sources.some((source) => source.includes(issue)));
    });
    expect(missing).toEqual([]);
  });
});
