import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { ClusterError } from './errors';
import { buildPrograms, type BuildPlan, type BuildProgress } from './build';
import { withLock } from './lock';
import { KUBERNETES_VERSION, missingFiles, PROGRAMS, type ProgramName, type ProgramPaths } from './sources';

/** Where to look for the programs. */
export interface FindProgramsOptions {
  /** Told about the build, about once a second. */
  readonly onProgress?: (progress: BuildProgress) => void;
  /** Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder of the Go modules. Default: `programs/` beside this file. */
  readonly modules?: string;
}

/**
 * Finds the programs: in the folder named by `NAVIN_TEST_ASSETS`, else in the cache, else builds them with Go into the
 * cache, once (about 13 minutes on two cores). An interrupted build goes on where it was.
 *
 * @throws ClusterError assets_incomplete, go_missing, go_too_old, build_failed, disk_full
 */
export async function findPrograms(options: FindProgramsOptions = {}): Promise<ProgramPaths> {
  const env = options.env ?? process.env;
  const assets = env.NAVIN_TEST_ASSETS;
  if (assets !== undefined && assets !== '') return givenPrograms(assets);

  const modules = options.modules ?? join(__dirname, 'programs');
  const cache = join(cacheDirectory(env), 'programs');
  const directory = join(cache, programsKey(modules));
  if (missingFiles(directory).length > 0) {
    const plan: BuildPlan = { modules, directory, env, onProgress: options.onProgress ?? (() => undefined) };
    await withLock(
      join(cache, 'build.lock'),
      async () => buildPrograms(plan),
      () => {
        plan.onProgress({ program: 'another build', state: 'waiting', elapsedSeconds: 0, estimatedSeconds: 0 });
      },
    );
  }
  return pathsIn(directory);
}

/** Folder for what is expensive to make again: `NAVIN_CACHE_DIR`, else `navin-kubernetes` in the user's cache. */
export function cacheDirectory(env: Readonly<Record<string, string | undefined>> = process.env): string {
  const own = env.NAVIN_CACHE_DIR;
  if (own !== undefined && own !== '') return own;
  const xdg = env.XDG_CACHE_HOME;
  return join(xdg !== undefined && xdg !== '' ? xdg : join(env.HOME ?? homedir(), '.cache'), 'navin-kubernetes');
}

/** Names what the programs are built from: other sources, flags or machines get another folder. */
export function programsKey(modules: string): string {
  const hash = createHash('sha256').update(JSON.stringify(PROGRAMS));
  for (const module of ['etcd', 'kubernetes', 'kwok']) {
    for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(modules, module, file)));
  }
  return `${KUBERNETES_VERSION}-${process.platform}-${process.arch}-${hash.digest('hex').slice(0, 12)}`;
}

function givenPrograms(directory: string): ProgramPaths {
  const missing = missingFiles(directory);
  if (missing.length > 0) {
    throw new ClusterError(
      'assets_incomplete',
      `NAVIN_TEST_ASSETS names ${directory}, which lacks ${missing.join(', ')}. Complete the folder, or unset the variable to build the programs with Go.`,
    );
  }
  return pathsIn(directory);
}

function pathsIn(directory: string): ProgramPaths {
  const paths = Object.fromEntries(Object.keys(PROGRAMS).map((name) => [name, join(directory, name)]));
  return { ...(paths as Record<ProgramName, string>), kwokFiles: join(directory, 'kwok-files') };
}
