/**
 * The test command: checks, unit tests, tests against the disposable cluster, a real n8n. Ends with one plain line
 * `N passed, N failed, N skipped` over all suites and with 1 when anything failed.
 */
import { Command, Option } from 'commander';
import { prepare } from './prepare';
import { CHECKS, runChecks, runJest, type SuiteResult } from './suites';

const SUITES = ['checks', 'unit', 'cluster', 'e2e'] as const;
type Suite = (typeof SUITES)[number];

interface Options {
  readonly only?: readonly Suite[];
}

async function main(): Promise<void> {
  const command = new Command('npm test --')
    .description('Runs every check and test; the first run builds the cluster programs and installs n8n.')
    .addOption(new Option('--only <suites...>', 'run only these suites').choices(SUITES))
    .argument('[patterns...]', 'file patterns: run only the tests whose path matches')
    .parse();
  const { only = SUITES } = command.opts<Options>();
  const chosen = new Set<Suite>(only);
  const patterns = command.args;

  // What takes long runs beside the checks, which need nothing of it.
  const ready = settle(
    prepare({
      cluster: chosen.has('cluster') || chosen.has('e2e'),
      registry: chosen.has('cluster'),
      n8n: chosen.has('e2e'),
      helm: chosen.has('unit') || chosen.has('cluster'),
    }),
  );
  const results: SuiteResult[] = [];
  if (chosen.has('checks')) results.push(await runChecks(CHECKS));
  const failure = await ready;
  if (chosen.has('unit')) results.push(await runJest('unit', 2, patterns));
  if (failure !== undefined) {
    console.error(`The cluster or n8n could not be made: ${failure}`);
    results.push({ name: 'set-up', passed: 0, failed: 1, skipped: 0 });
  } else {
    if (chosen.has('cluster')) results.push(await runJest('cluster', 1, patterns));
    if (chosen.has('e2e')) results.push(await runJest('e2e', 1, patterns));
  }
  summarize(results);
}

/** The message of a promise's rejection, undefined when it is fulfilled: so it may be awaited later. */
async function settle(promise: Promise<unknown>): Promise<string | undefined> {
  try {
    await promise;
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function summarize(results: readonly SuiteResult[]): void {
  const total = { passed: 0, failed: 0, skipped: 0 };
  console.log('');
  for (const { name, passed, failed, skipped } of results) {
    console.log(`${name}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
}

void main();
