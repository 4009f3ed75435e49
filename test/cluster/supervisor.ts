/**
 * The watchdog between a test and the programs of its cluster, run as a process of its own by `processes.ts`.
 *
 * It starts the programs on order (JSON lines on stdin) and reports their fate (JSON lines on stdout). Its stdin is a
 * pipe whose other end only the test holds: when the test ends in whatever way, kill -9 included, the kernel closes that
 * end, and the supervisor kills every program with its descendants, removes the folder and goes. It runs in its own
 * session, so Ctrl-C in a terminal reaches the test but not it. A shell stands guard over the supervisor in the same
 * way, for those who kill all Node processes at once.
 *
 * Run by Node's own type stripping: only `node:` imports and erasable syntax here.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync, openSync, rmSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** What the test asks for. */
export type Order =
  | {
      readonly do: 'start';
      readonly name: string;
      readonly command: string;
      readonly args: readonly string[];
      /** File that gets stdout and stderr. */
      readonly log: string;
      readonly cwd?: string;
      readonly env?: Readonly<Record<string, string>>;
    }
  | { readonly do: 'signal'; readonly id: number; readonly name: string; readonly signal: NodeJS.Signals };

/** What the supervisor reports. */
export type Report =
  | { readonly event: 'ready'; readonly guard: number }
  | { readonly event: 'started'; readonly name: string; readonly pid: number }
  | { readonly event: 'signalled'; readonly id: number }
  | { readonly event: 'failed'; readonly name: string; readonly message: string }
  | { readonly event: 'exited'; readonly name: string; readonly code: number | null; readonly signal: string | null };

const [directory] = process.argv.slice(2);
const children = new Map<string, ChildProcess>();
let ending = false;

/** Kills the process groups of the last line it read, and removes the folder, when its stdin ends. */
const GUARD = `while read -r line; do groups=$line; done
for group in $groups; do kill -9 "-$group"; done
rm -rf -- "$1"`;
const guard = spawn('/bin/sh', ['-c', GUARD, 'navin-cluster-guard', directory ?? ''], {
  detached: true,
  stdio: ['pipe', 'ignore', 'ignore'],
});
guard.on('error', () => undefined);
guard.stdin.on('error', () => undefined);

function tellGuard(): void {
  const groups = [...children.values()].map((child) => child.pid).filter((pid) => pid !== undefined);
  guard.stdin.write(`${groups.join(' ')}\n`);
}

function report(line: Report): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Signals a program and its descendants: each program leads a process group of its own. */
function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // Gone already.
  }
}

function start(order: Extract<Order, { do: 'start' }>): void {
  const log = openSync(order.log, 'a', 0o600);
  const child = spawn(order.command, order.args, {
    detached: true,
    stdio: ['ignore', log, log],
    ...(order.cwd === undefined ? {} : { cwd: order.cwd }),
    env: { ...process.env, ...order.env },
  });
  closeSync(log);
  children.set(order.name, child);
  tellGuard();
  child.once('spawn', () => {
    report({ event: 'started', name: order.name, pid: child.pid ?? 0 });
  });
  child.once('error', (error) => {
    report({ event: 'failed', name: order.name, message: error.message });
  });
  child.once('exit', (code, signal) => {
    // What the program left behind in its group goes with it.
    signalGroup(child, 'SIGKILL');
    if (children.get(order.name) === child) children.delete(order.name);
    tellGuard();
    report({ event: 'exited', name: order.name, code, signal });
    if (ending) endWhenAlone();
  });
}

function endWhenAlone(): void {
  if (children.size > 0) return;
  guard.kill('SIGKILL');
  if (directory !== undefined) rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
  process.exit(0);
}

function end(): void {
  if (ending) return;
  ending = true;
  // The data is thrown away, so nothing is gained by a graceful end.
  for (const child of children.values()) signalGroup(child, 'SIGKILL');
  for (const [name, child] of children) if (child.pid === undefined) children.delete(name);
  endWhenAlone();
}

process.stdout.on('error', end);
process.on('SIGTERM', end);
process.on('SIGINT', () => undefined);
process.on('SIGHUP', () => undefined);

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const order = JSON.parse(line) as Order;
    if (ending) return;
    if (order.do === 'start') start(order);
    else {
      const child = children.get(order.name);
      if (child !== undefined) signalGroup(child, order.signal);
      report({ event: 'signalled', id: order.id });
    }
  })
  .on('close', end);

report({ event: 'ready', guard: guard.pid ?? 0 });
