/**
 * Measures the budgets, prints them, and writes docs/benchmarks.md, or renews the rows of some sections. Ends with 1 when a
 * budget is broken.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import Table from 'cli-table3';
import { Command, Option } from 'commander';
import { applyFigures } from '../bench/apply';
import { benchmarksMarkdown, type Figure, type Verdict, verdict } from '../bench/budgets';
import { hundredTriggersFigures } from '../bench/hundredTriggers';
import { inventoryFigures } from '../bench/inventory';
import { latencyFigures } from '../bench/latency';
import { loadFigures } from '../bench/load';
import { logFigures } from '../bench/log';
import { operatorFigures } from '../bench/operator';
import { pagesFigures } from '../bench/pages';
import { podFigures } from '../bench/pods';
import { triggerFigures } from '../bench/trigger';
import { buildPackage } from './buildPackage';
import { prepare } from './prepare';

const root = join(__dirname, '..');

const SECTIONS = {
  load: loadFigures,
  pods: podFigures,
  pages: pagesFigures,
  apply: applyFigures,
  log: logFigures,
  inventory: inventoryFigures,
  trigger: triggerFigures,
  latency: latencyFigures,
  hundred: hundredTriggersFigures,
  operator: operatorFigures,
} as const satisfies Record<string, (folder: string) => Promise<Figure[]>>;
type Section = keyof typeof SECTIONS;
const SIGNS: Readonly<Record<Verdict, string>> = { kept: 'kept', broken: 'BROKEN', 'no budget': '' };
const NAMES = Object.keys(SECTIONS) as Section[];

async function main(): Promise<void> {
  const command = new Command('npm run bench --')
    .description('Measures the budgets and writes docs/benchmarks.md.')
    .addOption(
      new Option('--only <sections...>', 'measure only these, and renew their rows of the page').choices(NAMES),
    )
    .parse();
  const { only } = command.opts<{ readonly only?: readonly Section[] }>();
  await Promise.all([prepare({ cluster: true, n8n: true }), buildPackage()]);
  const folder = mkdtempSync(join(tmpdir(), 'navin-bench-'));
  try {
    const figures: Figure[] = [];
    for (const name of only ?? NAMES) figures.push(...(await SECTIONS[name](folder)));
    const table = new Table({ head: ['what', 'measured', 'budget', ''] });
    for (const figure of figures) {
      table.push([
        figure.what,
        `${figure.measured.toPrecision(3)} ${figure.unit}`,
        figure.budget === undefined ? '' : `<= ${figure.budget} ${figure.unit}`,
        SIGNS[verdict(figure)],
      ]);
    }
    console.log(table.toString());
    process.exitCode = figures.some((figure) => verdict(figure) === 'broken') ? 1 : 0;
    const page = join(root, 'docs', 'benchmarks.md');
    const text = benchmarksMarkdown(figures, machine(), only === undefined ? '' : readFileSync(page, 'utf8'));
    writeFileSync(page, await format(text, { ...(await resolveConfig(page)), filepath: page }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function machine(): string {
  const date = new Date().toISOString().slice(0, 10);
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  return `${date}, ${cpus().length} cores, ${gibibytes} GiB, Node ${process.versions.node}, Kubernetes 1.37.2`;
}

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
