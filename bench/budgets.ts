/** One measured figure beside its budget. */
export interface Figure {
  readonly what: string;
  readonly measured: number;
  readonly budget: number;
  readonly unit: string;
  /** The figures the ratio comes from, in words. */
  readonly from: string;
}

/** Whether a figure keeps its budget. */
export function within({ measured, budget }: Figure): boolean {
  return measured <= budget;
}

/**
 * The page of figures.
 *
 * @param machine one line on where it was measured
 */
export function benchmarksMarkdown(figures: readonly Figure[], machine: string): string {
  const rows = figures.map(
    (figure) =>
      `| ${figure.what} | ${format(figure.measured)} ${figure.unit} | ≤ ${format(figure.budget)} ${figure.unit} | ${within(figure) ? 'kept' : '**broken**'} | ${figure.from} |`,
  );
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
