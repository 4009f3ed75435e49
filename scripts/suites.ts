import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(__dirname, '..');
const bin = (program: string): string => join(root, 'node_modules', '.bin', program);

/** What a suite found. */
export interface SuiteResult {
  readonly name: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** One line of what a suite of checks runs. */
export interface Check {
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
}

/** The checks that need no cluster. The build is one of them: it checks the types and makes what the later suites test. */
export const CHECKS: readonly Check[] = [
  { name: 'generated files', program: bin('tsx'), args: ['scripts/generate.ts', '--check'] },
  { name: 'format', program: bin('prettier'), args: ['--check', '--log-level=warn', '.'] },
  { name: 'lint', program: bin('eslint'), args: ['.', '--max-warnings', '0'] },
  { name: 'types and build', program: bin('gulp'), args: ['build'] },
];

/** Runs checks one after another; each counts as a test. What a failed one printed is shown. */
export async function runChecks(checks: readonly Check[]): Promise<SuiteResult> {
  let failed = 0;
  for (const check of checks) {
    const started = performance.now();
    const { code, output } = await capture(check.program, check.args);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${check.name} (${seconds} s)`);
    if (code !== 0) {
      failed += 1;
      console.log(output.slice(-8000));
    }
  }
  return { name: 'checks', passed: checks.length - failed, failed, skipped: 0 };
}

/**
 * Runs a project of jest.config.mjs.
 *
 * @param patterns file patterns that choose among its tests; none: all
 */
export async function runJest(name: string, workers: number, patterns: readonly string[] = []): Promise<SuiteResult> {
  const folder = mkdtempSync(join(tmpdir(), 'navin-test-'));
  const report = join(folder, 'report.json');
  try {
    const code = await inherit(bin('jest'), [
      '--selectProjects',
      name,
      '--maxWorkers',
      String(workers),
      '--json',
      '--outputFile',
      report,
      ...patterns,
    ]);
    const { numPassedTests, numFailedTests, numPendingTests, numFailedTestSuites } = readReport(report);
    // A file that cannot even be loaded has no failed tests, and is a failure all the same.
    const failed = Math.max(numFailedTests, numFailedTestSuites > 0 || code !== 0 ? 1 : 0);
    return { name, passed: numPassedTests, failed, skipped: numPendingTests };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface JestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numPendingTests: number;
  readonly numFailedTestSuites: number;
}

function readReport(path: string): JestReport {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as JestReport;
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, numPendingTests: 0, numFailedTestSuites: 1 };
  }
}

function capture(program: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    const keep = (chunk: Buffer): void => {
      output = (output + chunk.toString()).slice(-100_000);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.on('error', (error) => {
      resolve({ code: 1, output: error.message });
    });
    child.on('close', (code) => {
      resolve({ code: code ?? 1, output });
    });
  });
}

function inherit(program: string, args: readonly string[]): Promise<number> {
  return new Promise((resolve) => {
    const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
    child.on('error', () => {
      resolve(1);
    });
    child.on('close', (code) => {
      resolve(code ?? 1);
    });
  });
}
