import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { withLock } from '../cluster/lock';
import { lastLines, Processes } from '../cluster/processes';
import { cacheDirectory } from '../cluster';
import { N8nError } from './errors';
import { installedPackages, lockedPackages } from './packageCount';
import { buildSqliteDriver } from './sqliteDriver';

/** Where the installation of n8n stands; call for call the shape that `scripts/progress.ts` shows. */
export interface InstallProgress {
  readonly task: string;
  /** Share that is done, 0 to 1. */
  readonly fraction: number;
  /** Estimated seconds to the end, where known. */
  readonly secondsLeft?: number;
}

/** An installed n8n. */
export interface N8nProgram {
  readonly directory: string;
  /** The script to run with Node. */
  readonly entry: string;
  /** Node 24, which n8n needs. */
  readonly node: string;
  /** A folder with an empty, migrated database: a copy of it spares each start 266 migrations. */
  readonly emptyDatabase: string;
}

/** Options of `installN8n`. */
export interface InstallOptions {
  /** Told where it stands, every two seconds. */
  readonly onProgress?: (progress: InstallProgress) => void;
  /** Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A step of the installation: finished ones are not repeated when an interrupted installation goes on. */
interface Step {
  readonly task: string;
  /** Estimated seconds on two cores. */
  readonly seconds: number;
  /** Share of the step that is done, where it can be seen; else it is guessed from the time. */
  readonly fraction?: () => number;
  readonly run: () => Promise<void>;
}

const LOCKED = join(__dirname, 'n8n');
/** Files that say which n8n: exactly these versions are installed. */
const LOCKED_FILES = ['package.json', 'package-lock.json'] as const;
const NEEDED_BYTES = 4_000_000_000;
const PROGRESS_INTERVAL_MS = 2000;

/**
 * Finds the n8n that test/e2e/n8n/package-lock.json names in the cache (`NAVIN_CACHE_DIR`, else the user's cache
 * folder), or installs it there, once: about five minutes and 2.8 GB, from the npm registry alone. An interrupted
 * installation goes on at the step where it was; two installers do not meet.
 *
 * @throws N8nError install_failed, tools_missing, driver_failed
 */
export async function installN8n(options: InstallOptions = {}): Promise<N8nProgram> {
  if (Number(process.versions.node.split('.')[0]) < 24) {
    throw new N8nError(
      'install_failed',
      `n8n needs Node 24, and this is ${process.versions.node}. Run it by \`npm test\` or \`npm run demo\`, which bring it.`,
    );
  }
  const env = options.env ?? process.env;
  const tell = options.onProgress ?? (() => undefined);
  const cache = join(cacheDirectory(env), 'n8n');
  const key = installKey();
  const directory = join(cache, key);
  if (!existsSync(directory)) {
    await withLock(
      join(cache, 'install.lock'),
      async () => {
        if (!existsSync(directory)) await install(directory, tell);
      },
      () => {
        tell({ task: 'n8n (another installation)', fraction: 0 });
      },
    );
  }
  return {
    directory,
    entry: entryIn(directory),
    node: process.execPath,
    emptyDatabase: join(directory, 'empty-database'),
  };
}

/** Names what is installed: another lock file, Node or machine gets another folder. */
export function installKey(): string {
  const hash = createHash('sha256');
  for (const file of LOCKED_FILES) hash.update(readFileSync(join(LOCKED, file)));
  return `${process.platform}-${process.arch}-node${process.versions.node}-${hash.digest('hex').slice(0, 12)}`;
}

async function install(directory: string, tell: (progress: InstallProgress) => void): Promise<void> {
  const partial = `${directory}.partial`;
  mkdirSync(partial, { recursive: true });
  requireSpace(partial);
  for (const file of LOCKED_FILES) copyFileSync(join(LOCKED, file), join(partial, file));
  // Its programs die with this process, also by kill -9.
  const processes = await Processes.start(mkdtempSync(join(tmpdir(), 'navin-n8n-install-')));
  try {
    for (const step of steps(partial, processes)) {
      const marker = join(partial, `.done-${step.task.replaceAll(' ', '-')}`);
      if (existsSync(marker)) continue;
      await withProgress(step, tell);
      writeFileSync(marker, '');
    }
  } finally {
    await processes.stop();
  }
  renameSync(partial, directory);
}

function steps(partial: string, processes: Processes): readonly Step[] {
  const lock = join(partial, 'package-lock.json');
  const modules = join(partial, 'node_modules');
  let expected: number | undefined;
  return [
    {
      task: 'n8n packages',
      seconds: 300,
      fraction: () => installedPackages(modules) / (expected ??= lockedPackages(lock)),
      run: async () => installPackages(partial, processes),
    },
    { task: 'n8n database driver', seconds: 90, run: async () => buildSqliteDriver(modules, processes) },
    { task: 'n8n database', seconds: 15, run: async () => makeEmptyDatabase(partial, processes) },
  ];
}

async function installPackages(partial: string, processes: Processes): Promise<void> {
  const log = join(partial, 'npm.log');
  rmSync(log, { force: true });
  // No package runs code while it is installed; sqlite3, the only one that must, is compiled by us.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];
  await processes.run({ name: 'npm', command: 'npm', args, cwd: partial, log, env: { npm_config_yes: 'true' } });
  const { code } = await processes.exited('npm');
  if (code !== 0) {
    throw new N8nError(
      'install_failed',
      `npm could not install n8n (exit code ${code ?? 'none'}). Check that npm reaches its registry, then run the command again; what was downloaded is kept. The full log is ${log}. It ends with:\n${lastLines(log, 15)}`,
    );
  }
}

/** `list:workflow` is the cheapest command that migrates the database. */
async function makeEmptyDatabase(partial: string, processes: Processes): Promise<void> {
  const folder = join(partial, 'empty-database');
  rmSync(folder, { recursive: true, force: true });
  const work = join(processes.directory, 'home');
  const log = join(partial, 'migration.log');
  await processes.run({
    name: 'migration',
    command: process.execPath,
    args: [entryIn(partial), 'list:workflow'],
    log,
    env: { NODE_ENV: 'production', N8N_USER_FOLDER: work, N8N_DIAGNOSTICS_ENABLED: 'false' },
  });
  const { code } = await processes.exited('migration');
  const database = join(work, '.n8n', 'database.sqlite');
  if (code !== 0 || !existsSync(database)) {
    throw new N8nError(
      'install_failed',
      `n8n could not make its database. The full log is ${log}. It ends with:\n${lastLines(log, 15)}`,
    );
  }
  mkdirSync(folder);
  for (const suffix of ['', '-wal', '-shm']) {
    if (existsSync(database + suffix)) copyFileSync(database + suffix, join(folder, `database.sqlite${suffix}`));
  }
}

/** Runs a step and tells its share every two seconds: what is seen, or the time gone against the estimate. */
async function withProgress(step: Step, tell: (progress: InstallProgress) => void): Promise<void> {
  const begin = performance.now();
  const report = (): void => {
    const gone = (performance.now() - begin) / 1000;
    const fraction = Math.min(0.99, step.fraction?.() ?? gone / step.seconds);
    // The further it is, the more the speed so far counts against the estimate.
    const total = fraction * (gone / Math.max(fraction, 0.01)) + (1 - fraction) * Math.max(step.seconds, gone);
    const secondsLeft = Math.max(0, total - gone);
    tell({ task: step.task, fraction, secondsLeft });
  };
  tell({ task: step.task, fraction: 0, secondsLeft: step.seconds });
  const ticker = setInterval(report, PROGRESS_INTERVAL_MS);
  try {
    await step.run();
  } finally {
    clearInterval(ticker);
  }
  tell({ task: step.task, fraction: 1 });
}

function entryIn(directory: string): string {
  return join(directory, 'node_modules', 'n8n', 'bin', 'n8n');
}

function requireSpace(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const free = bavail * bsize + (existsSync(join(folder, 'node_modules')) ? NEEDED_BYTES : 0);
  if (free < NEEDED_BYTES) {
    throw new N8nError(
      'install_failed',
      `n8n takes 2.8 GB, npm's cache 1 GB more, and ${dirname(folder)} has ${(free / 1e9).toFixed(1)} GB free. Make room, or set NAVIN_CACHE_DIR to a folder on another disk.`,
    );
  }
}
