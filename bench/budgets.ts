/** One measured figure beside its budget, where it has one. */
export interface Figure {
  readonly what: string;
  readonly measured: number;
  /** None for what follows from the settings, or is told to plan with. */
  readonly budget?: number;
  readonly unit: string;
  /** The figures the ratio comes from, in words. */
  readonly from: string;
}

/** What a figure is against its budget. */
export type Verdict = 'kept' | 'broken' | 'no budget';

/** Holds a figure against its budget. */
export function verdict({ measured, budget }: Figure): Verdict {
  if (budget === undefined) return 'no budget';
  return measured <= budget ? 'kept' : 'broken';
}

const MARKS: Readonly<Record<Verdict, string>> = { kept: 'kept', broken: '**broken**', 'no budget': '' };

/**
 * The page of figures.
 *
 * @param machine one line on where and when it was measured
 * @param page the page so far, when only some figures were measured: the rows of the others stay
 */
export function benchmarksMarkdown(figures: readonly Figure[], machine: string, page = ''): string {
  const rows = new Map(
    page
      .split('\n')
      .filter(isRow)
      .map((row) => [cellsOf(row)[0] ?? '', row]),
  );
  for (const figure of figures) rows.set(figure.what, rowOf(figure));
  return [
    '# Benchmarks',
    '',
    '`npm run bench` measures these figures against the disposable cluster and writes this page; with `-- --only SECTION` it renews the rows of a section. Where a peer exists the figure is a ratio within one run, so that a slow or busy machine falls on both alike.',
    '',
    `Last run: ${machine}.`,
    '',
    '| what | measured | budget | | from |',
    '|---|---|---|---|---|',
    ...rows.values(),
    '',
  ].join('\n');
}

function rowOf(figure: Figure): string {
  const { what, measured, budget, unit, from } = figure;
  const limit = budget === undefined ? '' : `≤ ${format(budget)} ${unit}`;
  return `| ${what} | ${format(measured)} ${unit} | ${limit} | ${MARKS[verdict(figure)]} | ${from} |`;
}

/** Whether a line of the page is a row with a figure. */
function isRow(line: string): boolean {
  const [first = ''] = cellsOf(line);
  return line.startsWith('|') && first !== 'what' && !/^-+$/.test(first);
}

function cellsOf(row: string): readonly string[] {
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
