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
 * @param machine one line on where it was measured
 */
export function benchmarksMarkdown(figures: readonly Figure[], machine: string): string {
  const rows = figures.map((figure) => {
    const { what, measured, budget, unit, from } = figure;
    const limit = budget === undefined ? '' : `≤ ${format(budget)} ${unit}`;
    return `| ${what} | ${format(measured)} ${unit} | ${limit} | ${MARKS[verdict(figure)]} | ${from} |`;
  });
  return [
    '# Benchmarks',
    '',
    '`npm run bench` measures these figures against the disposable cluster and writes this page. Where a peer exists the figure is a ratio within one run, so that a slow or busy machine falls on both alike.',
    '',
    `Last run: ${machine}.`,
    '',
    '| what | measured | budget | | from |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function format(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toPrecision(3);
}
