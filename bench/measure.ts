import { spawn } from 'node:child_process';

/** One run of a program as a whole process. */
export interface Run {
  /** Wall time from spawn to exit, in milliseconds. */
  readonly milliseconds: number;
  /** The last line of its standard output. */
  readonly lastLine: string;
}

/** A program to be timed. */
export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
}

/**
 * Runs a program to its end; its output is read as fast as it comes, only the last 4 KiB of it are kept.
 *
 * @throws Error when it does not end with 0
 */
export function timeProcess({ command, args, env }: Program): Promise<Run> {
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    let tail = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => {
      tail = (tail + chunk.subarray(-4096).toString()).slice(-4096);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors = (errors + chunk.toString()).slice(-2000);
    });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0)
        resolve({ milliseconds: performance.now() - started, lastLine: tail.trim().split('\n').at(-1) ?? '' });
      else reject(new Error(`${command} ended with ${String(code)}: ${errors}`));
    });
  });
}

/**
 * Times several programs in turn, round after round, so that what else the machine does falls on all of them alike.
 *
 * @returns the runs of each program, by name
 */
export async function timeInTurn<Name extends string>(
  programs: Readonly<Record<Name, Program>>,
  rounds: number,
): Promise<Record<Name, Run[]>> {
  const entries = Object.entries<Program>(programs) as [Name, Program][];
  const runs = Object.fromEntries(entries.map(([name]) => [name, [] as Run[]])) as Record<Name, Run[]>;
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, program] of entries) runs[name].push(await timeProcess(program));
  }
  return runs;
}

/** The median of some numbers; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? NaN)
    : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
}

/** The value that a share of them does not exceed, by nearest rank: 0.95 gives the 95th percentile; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? NaN;
}
