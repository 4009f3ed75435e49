/**
 * The fault proof: the trigger between a faulty n8n and the real API server behind a faulty proxy, by seeded stories.
 * Ends with one plain line, and with 1 when anything was lost, repeated or not reported.
 */
import { randomInt } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import Table from 'cli-table3';
import { startCluster } from '../test/cluster';
import { describeSeed, PROOF_CLUSTER, prove, summaryLine, type ProofResult } from '../test/faults/proof';
import { prepare } from './prepare';
import { ProgressDisplay } from './progress';

interface Options {
  readonly runs: number;
  readonly seed?: number;
  readonly parallel: number;
  readonly tell?: boolean;
}

/** Failed runs whose story is told. */
const MAX_STORIES = 3;

async function main(): Promise<void> {
  const options = new Command('npm run faults --')
    .description('Proves on a real cluster that the trigger loses no event, repeats none, and reports every gap.')
    .option('--runs <number>', 'stories to live through', wholeNumber(1, 1_000_000), 1000)
    .option('--seed <number>', 'of the first story; the next has the next (default: drawn)', wholeNumber(0, 2 ** 31))
    .option('--parallel <number>', 'stories at a time', wholeNumber(1, 100), 24)
    .option('--tell', 'only tell the story and the faults of the seed')
    .parse()
    .opts<Options>();
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
        const secondsLeft = ((performance.now() - begun) / 1000 / done) * (runs - done);
        display.report({ task: 'runs', fraction: done / runs, secondsLeft });
      },
    });
    display.stop();
    report(result, performance.now() - begun);
  } finally {
    display.stop();
    await cluster.stop();
  }
}

function report(result: ProofResult, milliseconds: number): void {
  const { failed, faults, restarts, pauses } = result;
  const table = new Table({ head: ['fault', 'met'], style: { head: [], border: [], compact: true } });
  for (const [kind, times] of [...faults].sort()) table.push([kind, times]);
  table.push(['API server killed', restarts], ['API server stood still', pauses]);
  console.log(table.toString());
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
