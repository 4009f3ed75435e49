import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { ClusterError } from './errors';
import { lastLines, Processes } from './processes';
import { KWOK_FILES, missingFiles, PROGRAMS, type ProgramName, type ProgramSource } from './sources';

/** Where the build of the programs stands. */
export interface BuildProgress {
  /** The program, or what is waited for. */
  readonly program: string;
  readonly state: 'waiting' | 'building' | 'done';
  readonly elapsedSeconds: number;
  /** Estimated seconds of the program's whole build. */
  readonly estimatedSeconds: number;
}

/** What to build and where to. */
export interface BuildPlan {
  /** Folder of the Go modules. */
  readonly modules: string;
  /** Folder that gets the programs. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onProgress: (progress: BuildProgress) => void;
}

/** Oldest Go that builds the modules: the `go` line of their go.mod. */
const GO_MINIMUM = [1, 26] as const;
const GO_HELP =
  'The disposable cluster is built from Go modules, once. Install Go 1.26 or newer (https://go.dev/dl/, or your package manager) and run the command again, or set NAVIN_TEST_ASSETS to a folder that holds the programs.';
/** A build needs this much for the programs alone; Go's own caches take about 3.7 GB more at the first build. */
const NEEDED_BYTES = 1_000_000_000;
const MODULE_HELP =
  'Go fetches the sources by its module proxy: check the network and `go env GOPROXY`, then run the command again; it goes on where it was.';

const execute = promisify(execFile);

/**
 * Builds what is missing. The caller holds the lock. Go runs under a supervisor, so an interrupted command leaves no
 * compiler behind; what was compiled stays in Go's cache, and each finished program in its place.
 *
 * @throws ClusterError go_missing, go_too_old, build_failed, disk_full
 */
export async function buildPrograms(plan: BuildPlan): Promise<void> {
  const missing = missingFiles(plan.directory);
  if (missing.length === 0) return;
  await requireGo(plan);
  mkdirSync(plan.directory, { recursive: true });
  requireSpace(plan.directory);
  removePartials(plan.directory);
  const work = mkdtempSync(join(plan.directory, PARTIAL));
  const processes = await Processes.start(work);
  try {
    for (const [name, source] of Object.entries(PROGRAMS)) {
      if (missing.includes(name)) await buildProgram(plan, processes, name as ProgramName, source);
    }
  } finally {
    await processes.stop();
  }
  if (missing.some((file) => file.startsWith('kwok-files'))) await copyKwokFiles(plan);
}

/** Prefix of the folders that hold unfinished programs. */
const PARTIAL = '.partial-';

async function buildProgram(
  plan: BuildPlan,
  processes: Processes,
  name: ProgramName,
  source: ProgramSource,
): Promise<void> {
  const output = join(processes.directory, name);
  const log = join(plan.directory, `${name}.build.log`);
  rmSync(log, { force: true });
  const begin = performance.now();
  const tell = (state: BuildProgress['state']): void => {
    plan.onProgress({
      program: name,
      state,
      elapsedSeconds: (performance.now() - begin) / 1000,
      estimatedSeconds: source.seconds,
    });
  };
  tell('building');
  const ticker = setInterval(tell, 1000, 'building' satisfies BuildProgress['state']);
  try {
    await processes.run({
      name,
      command: 'go',
      args: ['build', '-trimpath', `-ldflags=${source.ldflags}`, '-o', output, source.package],
      cwd: join(plan.modules, source.module),
      env: definedOnly(plan.env),
      log,
    });
    const { code } = await processes.exited(name);
    if (code !== 0) throw buildError(name, log, plan.directory);
  } finally {
    clearInterval(ticker);
  }
  renameSync(output, join(plan.directory, name));
  rmSync(log, { force: true });
  tell('done');
}

function buildError(name: string, log: string, directory: string): ClusterError {
  const tail = lastLines(log, 15);
  if (/no space left on device|disk quota exceeded/i.test(tail)) return diskFull(directory);
  const help = /dial tcp|i\/o timeout|TLS handshake|no such host|proxyconnect|bad gateway|connection re/i.test(tail)
    ? ` ${MODULE_HELP}`
    : '';
  return new ClusterError(
    'build_failed',
    `Go could not build ${name}.${help} The full log is ${log}. It ends with:\n${tail}`,
  );
}

function diskFull(directory: string): ClusterError {
  const free = freeBytes(directory);
  return new ClusterError(
    'disk_full',
    `No room for the programs of the disposable cluster: ${directory} has ${(free / 1e9).toFixed(1)} GB free. The programs take 0.5 GB, Go's module and build caches (\`go env GOMODCACHE GOCACHE\`) about 3.7 GB. Make room, or set NAVIN_CACHE_DIR to another disk; the build goes on where it was.`,
  );
}

function requireSpace(directory: string): void {
  if (freeBytes(directory) < NEEDED_BYTES) throw diskFull(directory);
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** Asks Go in the folder of a module, because a newer Go than the installed one may serve there (GOTOOLCHAIN). */
async function requireGo({ modules, env }: BuildPlan): Promise<void> {
  const options = { cwd: join(modules, 'kubernetes'), env: definedOnly(env) };
  let found: string;
  try {
    found = (await execute('go', ['env', 'GOVERSION'], options)).stdout.trim();
  } catch (cause) {
    const error = cause as NodeJS.ErrnoException & { stderr?: string };
    if (error.code === 'ENOENT') throw new ClusterError('go_missing', `Go is not installed. ${GO_HELP}`, { cause });
    // Go itself refuses a go.mod of a newer Go.
    const own = /running go (\S+?)[;)]/.exec(error.stderr ?? '')?.[1];
    if (own !== undefined) throw new ClusterError('go_too_old', `Go ${own} is too old. ${GO_HELP}`, { cause });
    throw new ClusterError('build_failed', `\`go env\` failed: ${(error.stderr ?? error.message).trim()}`, { cause });
  }
  const [major = 0, minor = 0] = (/^go(\d+)\.(\d+)/.exec(found)?.slice(1) ?? []).map(Number);
  if (major < GO_MINIMUM[0] || (major === GO_MINIMUM[0] && minor < GO_MINIMUM[1])) {
    throw new ClusterError('go_too_old', `Go ${found.replace(/^go/, '')} is too old. ${GO_HELP}`);
  }
}

/** kwok's stages and definitions go beside the programs, so that running them needs no Go. */
async function copyKwokFiles({ modules, directory, env }: BuildPlan): Promise<void> {
  const { stdout } = await execute('go', ['list', '-m', '-f', '{{.Dir}}', 'sigs.k8s.io/kwok'], {
    cwd: join(modules, 'kwok'),
    env: definedOnly(env),
  });
  for (const file of KWOK_FILES) {
    const target = join(directory, 'kwok-files', file);
    mkdirSync(dirname(target), { recursive: true });
    const partial = `${target}.partial`;
    copyFileSync(join(stdout.trim(), 'kustomize', file), partial);
    renameSync(partial, target);
  }
}

function removePartials(directory: string): void {
  for (const entry of readdirSync(directory)) {
    if (entry.startsWith(PARTIAL)) rmSync(join(directory, entry), { recursive: true, force: true });
  }
}

function definedOnly(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined));
}
