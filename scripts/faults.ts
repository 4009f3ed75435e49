/**
 * The fault proofs. Without a word more: the trigger between a faulty n8n and the real API server behind a faulty proxy, by
 * seeded stories. `operator`: operators that are killed and led astray. Each ends with plain lines, and with 1 when anything
 * is wrong.
 */
import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import Table from 'cli-table3';
import { startCluster } from '../test/cluster';
import {
  describeOperatorSeed,
  OPERATOR_PROOF_CLUSTER,
  operatorLine,
  proveOperator,
  type OperatorProofResult,
} from '../test/faults/operator';
import { describeSeed, PROOF_CLUSTER, prove, summaryLine, type ProofResult } from '../test/faults/proof';
import { prepare } from './prepare';
import { ProgressDisplay } from './progress';

interface Options {
  readonly runs: number;
  readonly seed?: number;
  readonly tell?: boolean;
}

/** Failed runs whose story is told. */
const MAX_STORIES = 3;

async function main(): Promise<void> {
  const seed = ['--seed <number>', 'of the first story; the next has the next (default: drawn)'] as const;
  const program = new Command('npm run faults --')
    .enablePositionalOptions()
    .description('Proves on a real cluster that the trigger loses no event, repeats none, and reports every gap.')
    .option('--runs <number>', 'stories to live through', wholeNumber(1, 1_000_000), 1000)
    .option(...seed, wholeNumber(0, 2 ** 31))
    .option('--parallel <number>', 'stories at a time', wholeNumber(1, 100), 24)
    .option('--tell', 'only tell the story and the faults of the seed')
    .action(proveTrigger);
  program
    .command('operator')
    .description('Proves on a real cluster that operators lose nothing, do nothing twice, and tell no secret.')
    .option('--runs <number>', 'stories to live through, each in a cluster of its own', wholeNumber(1, 1_000), 1)
    .option('--steps <number>', 'of each story', wholeNumber(1, 1_000_000), 1000)
    .option(...seed, wholeNumber(0, 2 ** 31))
    .option('--tell', 'only tell the story of the seed')
    .option('--follow', 'tell whatever happens while it does')
    .action(proveOperators);
  await program.parseAsync();
}

async function proveTrigger(options: Options & { readonly parallel: number }): Promise<void> {
  const { runs, parallel, seed = randomInt(2 ** 31) } = options;
  if (options.tell) {
    console.log(describeSeed(seed));
    return;
  }
  console.log(`seeds ${seed} to ${seed + runs - 1}`);
  await prepare({ cluster: true });
  const cluster = await startCluster(PROOF_CLUSTER);
  const display = new ProgressDisplay();
  const begun = performance.now();
  try {
    const result = await prove({
      cluster,
      runs,
      seed,
      parallel,
      onRun: ({ story }, done) => {
        if (runs === 1) console.log(story);
        display.report({ task: 'runs', ...progress(done / runs, begun) });
      },
    });
    display.stop();
    report(result, performance.now() - begun);
  } finally {
    display.stop();
    await cluster.stop();
  }
}

async function proveOperators(options: Options & { readonly steps: number; readonly follow?: boolean }): Promise<void> {
  const { runs, steps, seed = randomInt(2 ** 31) } = options;
  if (options.tell) {
    console.log(describeOperatorSeed(seed, steps));
    return;
  }
  await prepare({ cluster: true, helm: true });
  const lines: string[] = [];
  for (let run = 0; run < runs; run += 1) {
    const cluster = await startCluster(OPERATOR_PROOF_CLUSTER);
    const display = new ProgressDisplay();
    const begun = performance.now();
    try {
      const result = await proveOperator({
        ...{ cluster, steps, seed: seed + run },
        ...(options.follow ? { onNote: console.log } : {}),
        onProgress: (done) => {
          display.report({ task: `steps of seed ${seed + run}`, ...progress(done / steps, begun) });
        },
      });
      display.stop();
      reportOperators(result, performance.now() - begun);
      lines.push(operatorLine(result));
    } finally {
      display.stop();
      await cluster.stop();
    }
  }
  console.log(lines.join('\n'));
}

function progress(fraction: number, begun: number): { readonly fraction: number; readonly secondsLeft: number } {
  return { fraction, secondsLeft: ((performance.now() - begun) / 1000 / fraction) * (1 - fraction) };
}

function report(result: ProofResult, milliseconds: number): void {
  const { failed, faults, restarts, pauses } = result;
  console.log(
    tableOf(faults, [
      ['API server killed', restarts],
      ['API server stood still', pauses],
    ]),
  );
  for (const { problems, story } of failed.slice(0, MAX_STORIES)) console.log(`\n${[...problems, story].join('\n')}`);
  if (failed.length > 0) {
    console.log(
      `\nFailed: ${failed.map(({ seed }) => seed).join(', ')}. Again: npm run faults -- --runs 1 --seed <seed>`,
    );
  }
  console.log(`${Math.round(milliseconds / 1000)} s`);
  console.log(summaryLine(result));
  process.exitCode = failed.length === 0 ? 0 : 1;
}

function reportOperators({ problems, story, faults, seed }: OperatorProofResult, milliseconds: number): void {
  console.log(tableOf(faults, []));
  if (problems.length > 0) {
    console.log(`\n${[...problems.map(({ fault, what }) => `${fault}: ${what}`), story].join('\n')}`);
    console.log(`\nAgain: npm run faults -- operator --seed ${seed}`);
    process.exitCode = 1;
  }
  console.log(`${Math.round(milliseconds / 1000)} s`);
}

function tableOf(faults: ReadonlyMap<string, number>, more: readonly (readonly [string, number])[]): string {
  const table = new Table({ head: ['fault', 'met'], style: { head: [], border: [], compact: true } });
  for (const [kind, times] of [...[...faults].sort(), ...more]) table.push([kind, times]);
  return table.toString();
}

function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`Give a whole number from ${least} to ${most}.`);
  };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
