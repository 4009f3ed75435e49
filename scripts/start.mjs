// Runs a command of the project on a fresh clone with nothing but Node >= 20 and npm: installs the locked dependencies
// once, then hands over to scripts/<command>.ts under the pinned Node 24. Plain JavaScript without dependencies, because
// at the first start there are none.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import process from 'node:process';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const modules = join(root, 'node_modules');
const bin = join(modules, '.bin');
const marker = join(modules, '.installed-from');
const windows = process.platform === 'win32';
const commands = ['test', 'demo', 'cluster', 'bench', 'faults', 'setup'];

const [command, ...args] = process.argv.slice(2);

if (command === undefined || !commands.includes(command)) {
  fail(`Usage: node scripts/start.mjs <${commands.join(' | ')}> [options]`);
}
if (Number(process.versions.node.split('.')[0]) < 20) {
  fail(
    `Node ${process.versions.node} is too old: install Node 20 or newer (the project brings its own Node 24 for the rest).`,
  );
}

process.env.PATH = `${bin}${delimiter}${process.env.PATH ?? ''}`;
await install();
process.exit(await run(join(bin, 'node'), ['--import', 'tsx', join(root, 'scripts', `${command}.ts`), ...args]));

/** Installs what package-lock.json names, unless it is there already; an interrupted installation begins again. */
async function install() {
  const lock = readFileSync(join(root, 'package-lock.json'));
  const wanted = createHash('sha256').update(lock).update(`${process.platform}-${process.arch}`).digest('hex');
  if (existsSync(marker) && readFileSync(marker, 'utf8') === wanted) {
    return;
  }
  const count = Object.keys(JSON.parse(lock.toString()).packages).length;
  console.log(`Installing ${count} locked packages and Node 24, once (one to five minutes) …`);
  rmSync(marker, { force: true });
  const npm = windows ? 'npm.cmd' : 'npm';
  // No package may run code while it is installed, but the one that brings the Node binary.
  const steps = [
    ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'],
    ['rebuild', 'node', '--ignore-scripts=false', '--no-audit', '--no-fund', '--loglevel=error'],
  ];
  for (const step of steps) {
    const code = await run(npm, step);
    if (code !== 0) {
      fail(
        `\`npm ${step.join(' ')}\` ended with ${code}. Look at its lines above; the next start begins the installation again.`,
      );
    }
  }
  if (!existsSync(join(bin, windows ? 'node.cmd' : 'node'))) {
    fail('The `node` package brought no Node 24 for this platform.');
  }
  writeFileSync(marker, wanted);
}

/** Runs a program to its end; signals reach it, and this process waits for it to clean up. Gives its exit code. */
function run(program, parameters) {
  return new Promise((resolve) => {
    const child = spawn(program, parameters, { cwd: root, stdio: 'inherit', shell: windows });
    // Ctrl-C reaches the whole process group by itself; a signal sent to this process alone is handed on.
    const ignore = () => undefined;
    const forward = (signal) => child.kill(signal);
    process.on('SIGINT', ignore);
    process.on('SIGTERM', forward);
    process.on('SIGHUP', forward);
    child.on('error', (error) => fail(`${program} cannot be started: ${error.message}`));
    child.on('exit', (code, signal) => {
      process.off('SIGINT', ignore);
      process.off('SIGTERM', forward);
      process.off('SIGHUP', forward);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 1));
    });
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
