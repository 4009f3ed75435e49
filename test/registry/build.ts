import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory, type BuildProgress } from '../cluster';
import { withLock } from '../cluster/lock';
import { lastLines, Processes } from '../cluster/processes';

/** How to find the registry. */
export interface FindRegistryOptions {
  readonly onProgress?: (progress: BuildProgress) => void;
  /** Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const MODULE = join(__dirname, 'program');
const PACKAGE = 'github.com/distribution/distribution/v3/cmd/registry';
/** How long a build took on two cores. */
const SECONDS = 70;

/**
 * Finds a registry program: in the folder named by `NAVIN_TEST_ASSETS`, else in the cache, else builds it with Go into the
 * cache, once.
 */
export async function findRegistry(options: FindRegistryOptions = {}): Promise<string> {
  const env = options.env ?? process.env;
  const given = join(env.NAVIN_TEST_ASSETS ?? '', 'registry');
  if ((env.NAVIN_TEST_ASSETS ?? '') !== '' && existsSync(given)) return given;
  const tell = options.onProgress ?? (() => undefined);
  const cache = join(cacheDirectory(env), 'registry');
  const program = join(cache, `registry-${key()}`);
  if (!existsSync(program)) {
    await withLock(
      join(cache, 'build.lock'),
      async () => {
        if (!existsSync(program)) await build(cache, program, tell);
      },
      () => {
        tell({ program: 'another registry', state: 'waiting', elapsedSeconds: 0, estimatedSeconds: 0 });
      },
    );
  }
  return program;
}

function key(): string {
  const hash = createHash('sha256');
  for (const file of ['go.mod', 'go.sum']) hash.update(readFileSync(join(MODULE, file)));
  return `${process.platform}-${process.arch}-${hash.digest('hex').slice(0, 12)}`;
}

async function build(cache: string, program: string, tell: (progress: BuildProgress) => void): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, '.partial-'));
  const log = join(cache, 'build.log');
  rmSync(log, { force: true });
  const begin = performance.now();
  const report = (state: BuildProgress['state']): void => {
    const elapsedSeconds = (performance.now() - begin) / 1000;
    tell({ program: 'registry', state, elapsedSeconds, estimatedSeconds: SECONDS });
  };
  report('building');
  const ticker = setInterval(report, 1000, 'building' satisfies BuildProgress['state']);
  const processes = await Processes.start(mkdtempSync(join(work, 'go-')));
  try {
    const built = join(work, 'registry');
    const args = ['build', '-trimpath', '-ldflags=-s -w', '-o', built, PACKAGE];
    await processes.run({ name: 'registry', command: 'go', args, cwd: MODULE, log });
    const { code } = await processes.exited('registry');
    if (code !== 0) {
      throw new Error(`Go could not build the registry. The full log is ${log}. It ends with:\n${lastLines(log, 15)}`);
    }
    renameSync(built, program);
  } finally {
    clearInterval(ticker);
    await processes.stop();
    rmSync(work, { recursive: true, force: true });
  }
  report('done');
}
