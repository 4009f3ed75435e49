import { existsSync, rmSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { lastLines, type Processes } from '../cluster/processes';
import { N8nError } from './errors';

const PROJECT = resolve(__dirname, '..', '..');
const TOOLS_HELP =
  'On Debian or Ubuntu: apt-get install python3 make g++. On Fedora: dnf install python3 make gcc-c++. On macOS: xcode-select --install. Then run the command again; it goes on where it was.';

/**
 * Compiles n8n's SQLite driver, the one native module that n8n cannot do without and that brings no binary in its
 * package. It is N-API, so the headers of any Node serve.
 *
 * Headers are looked for where no download is needed: in the npm package that brings Node 24, beside the running Node,
 * in the system; at last node-gyp downloads them. Where no compiler is, the driver's own downloader of ready-made
 * binaries is tried before giving up.
 *
 * @param modules the `node_modules` folder that n8n is in
 * @throws N8nError tools_missing, driver_failed
 */
export async function buildSqliteDriver(modules: string, processes: Processes): Promise<void> {
  const folder = join(modules, 'sqlite3');
  const log = join(dirname(modules), 'sqlite3.log');
  rmSync(log, { force: true });
  const run = async (args: readonly string[]): Promise<boolean> => {
    const program = { name: 'sqlite3', command: process.execPath, args, cwd: folder, log, env: buildEnv() };
    await processes.run(program);
    return (await processes.exited('sqlite3')).code === 0;
  };
  const loads = async (): Promise<boolean> => run(['-e', "require('sqlite3')"]);

  const missing = missingTools();
  if (missing.length === 0) {
    const nodeGyp = join(modules, 'node-gyp', 'bin', 'node-gyp.js');
    for (const headers of [...headerFolders(), undefined]) {
      const nodedir = headers === undefined ? [] : [`--nodedir=${headers}`];
      if ((await run([nodeGyp, 'rebuild', ...nodedir])) && (await loads())) return;
    }
  }
  const downloader = join(modules, 'prebuild-install', 'bin.js');
  if (existsSync(downloader) && (await run([downloader, '-r', 'napi'])) && (await loads())) return;

  if (missing.length > 0) {
    throw new N8nError(
      'tools_missing',
      `n8n's SQLite driver must be compiled, and this machine lacks ${missing.join(', ')}. ${TOOLS_HELP}`,
    );
  }
  throw new N8nError(
    'driver_failed',
    `n8n's SQLite driver could not be compiled. The full log is ${log}. It ends with:\n${lastLines(log, 15)}`,
  );
}

/** Folders that hold Node's headers as `include/node`, the best first. */
export function headerFolders(): readonly string[] {
  const { platform, arch } = process;
  // The names under which the npm package `node` brings the binary of a platform.
  const names = [`node-${platform}-${arch}`, `node-bin-${platform}-${arch}`];
  const packages = names.flatMap((name) => [
    join(PROJECT, 'node_modules', 'node', 'node_modules', name),
    join(PROJECT, 'node_modules', name),
  ]);
  const candidates = [...packages, dirname(dirname(process.execPath)), '/usr', '/usr/local'];
  return candidates.filter((folder) => existsSync(join(folder, 'include', 'node', 'node_api.h')));
}

/** What compiling needs and the PATH lacks. */
export function missingTools(path: string | undefined = process.env.PATH): readonly string[] {
  const folders = (path ?? '').split(delimiter).filter((folder) => folder !== '');
  const has = (program: string): boolean => folders.some((folder) => existsSync(join(folder, program)));
  const needed: readonly (readonly [string, readonly string[]])[] = [
    ['python3', ['python3', 'python']],
    ['make', ['make', 'gmake']],
    ['a C++ compiler (g++ or clang++)', ['c++', 'g++', 'clang++']],
  ];
  return needed.filter(([, programs]) => !programs.some(has)).map(([name]) => name);
}

/** binding.gyp asks `node` of the PATH where the headers of N-API's C++ wrapper are. */
function buildEnv(): Record<string, string> {
  return { PATH: [dirname(process.execPath), process.env.PATH ?? ''].join(delimiter) };
}
