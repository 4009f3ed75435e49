/** Measures the budgets, prints them, and writes docs/benchmarks.md. Ends with 1 when a budget is broken. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import Table from 'cli-table3';
import { benchmarksMarkdown, type Figure, within } from '../bench/budgets';
import { loadFigures } from '../bench/load';
import { podFigures } from '../bench/pods';

const root = join(__dirname, '..');

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'navin-bench-'));
  try {
    const figures: Figure[] = [...(await loadFigures()), ...(await podFigures(folder))];
    const table = new Table({ head: ['what', 'measured', 'budget', ''] });
    for (const figure of figures) {
      table.push([
        figure.what,
        `${figure.measured.toPrecision(3)} ${figure.unit}`,
        `<= ${figure.budget} ${figure.unit}`,
        within(figure) ? 'kept' : 'BROKEN',
      ]);
    }
    console.log(table.toString());
    const page = join(root, 'docs', 'benchmarks.md');
    const text = benchmarksMarkdown(figures, machine());
    writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
    process.exitCode = figures.every(within) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function machine(): string {
  const date = new Date().toISOString().slice(0, 10);
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  return `${date}, ${cpus().length} cores, ${gibibytes} GiB, Node ${process.versions.node}, Kubernetes 1.37.2`;
}

void main();
