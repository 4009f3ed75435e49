import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { deferred, type Deferred } from './deferred';
import { ClusterError } from './errors';
import type { Order, Report } from './supervisor';

/** How a program ended. */
export interface ProgramExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** A program to start. */
export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** File that gets stdout and stderr; appended to. */
  readonly log: string;
  readonly cwd?: string;
  /** Added to the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
}

interface Running {
  readonly started: Deferred<number>;
  readonly exited: Deferred<ProgramExit>;
  pid?: number;
  exit?: ProgramExit;
}

/**
 * Programs that die with this process, however it ends. They are children of a supervisor process that notices the end
 * of this one by its pipe (see supervisor.ts).
 *
 * A supervisor keeps this process alive only while `hold` is in force.
 */
export class Processes {
  private readonly programs = new Map<string, Running>();
  private readonly gone = deferred<undefined>();
  private stopping = false;
  private guard = 0;
  private readonly signals = new Map<number, Deferred<undefined>>();
  private lastSignal = 0;

  private constructor(
    private readonly supervisor: ChildProcess,
    /** Folder that is removed at the end. */
    readonly directory: string,
  ) {
    supervisor.once('exit', () => {
      this.supervisorExited();
    });
  }

  /**
   * Starts a supervisor.
   *
   * @param directory existing folder that belongs to the programs and is removed at the end
   */
  static async start(directory: string): Promise<Processes> {
    const quiet = ['--disable-warning=MODULE_TYPELESS_PACKAGE_JSON', '--disable-warning=ExperimentalWarning'];
    const supervisor = spawn(process.execPath, [...quiet, join(__dirname, 'supervisor.ts'), directory], {
      detached: true,
      stdio: ['pipe', 'pipe', 'inherit'],
      // Loaders and the inspector of the parent are none of the supervisor's business.
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    const processes = new Processes(supervisor, directory);
    const ready = deferred<number>();
    supervisor.once('error', ready.reject);
    supervisor.once('exit', (code) => {
      ready.reject(new ClusterError('start_failed', `The supervisor ended with ${code ?? 'a signal'} at its start.`));
    });
    supervisor.stdin.on('error', () => undefined);
    createInterface({ input: supervisor.stdout }).on('line', (line) => {
      const report = JSON.parse(line) as Report;
      if (report.event === 'ready') ready.resolve(report.guard);
      else processes.take(report);
    });
    processes.guard = await ready.promise;
    return processes;
  }

  /** Process ids: of the supervisor, of its guard, then of the running programs. */
  get pids(): readonly number[] {
    const running = [...this.programs.values()].filter((program) => program.exit === undefined);
    return [this.supervisor.pid, this.guard, ...running.map((program) => program.pid)].filter(
      (pid) => pid !== undefined,
    );
  }

  /**
   * Starts a program.
   *
   * @returns its process id
   * @throws ClusterError start_failed when it cannot be executed
   */
  async run(program: Program): Promise<number> {
    const running: Running = { started: deferred(), exited: deferred() };
    running.started.promise.catch(() => undefined);
    this.programs.set(program.name, running);
    this.order({ do: 'start', ...program });
    return running.started.promise;
  }

  /** Signals a program and its descendants; returns when they have it. */
  async signal(name: string, signal: NodeJS.Signals): Promise<void> {
    const id = ++this.lastSignal;
    const done = deferred<undefined>();
    this.signals.set(id, done);
    this.order({ do: 'signal', id, name, signal });
    await Promise.race([done.promise, this.gone.promise]);
  }

  /** Settles when the program ended; at once when it already did. */
  async exited(name: string): Promise<ProgramExit> {
    const program = this.programs.get(name);
    if (program === undefined) throw new Error(`${name} was never started`);
    return program.exited.promise;
  }

  /** Name of a program that ended, if any did. */
  get firstEnded(): string | undefined {
    return [...this.programs].find(([, program]) => program.exit !== undefined)?.[0];
  }

  /** Process id of a program that was started, the last one if it was several times. */
  pidOf(name: string): number | undefined {
    return this.programs.get(name)?.pid;
  }

  /** How the program ended, or undefined while it runs. */
  exitOf(name: string): ProgramExit | undefined {
    return this.programs.get(name)?.exit;
  }

  /** Whether this process stays alive for the programs' sake. */
  hold(on: boolean): void {
    // The pipes are sockets, which the types of a child process do not say.
    const pipes = [this.supervisor.stdin, this.supervisor.stdout] as unknown as readonly Socket[];
    if (on) {
      this.supervisor.ref();
      for (const pipe of pipes) pipe.ref();
    } else {
      this.supervisor.unref();
      for (const pipe of pipes) pipe.unref();
    }
  }

  /** Kills the programs and removes the folder. May be called again. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.hold(true);
    this.supervisor.stdin?.end();
    await this.gone.promise;
  }

  private order(order: Order): void {
    this.supervisor.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  private take(report: Exclude<Report, { event: 'ready' }>): void {
    if (report.event === 'signalled') {
      this.signals.get(report.id)?.resolve(undefined);
      this.signals.delete(report.id);
      return;
    }
    const program = this.programs.get(report.name);
    if (program === undefined) return;
    if (report.event === 'started') {
      program.pid = report.pid;
      program.started.resolve(report.pid);
    } else if (report.event === 'failed') {
      program.started.reject(
        new ClusterError('start_failed', `${report.name} could not be started: ${report.message}.`),
      );
      this.settle(program, { code: null, signal: null });
    } else {
      this.settle(program, { code: report.code, signal: report.signal });
    }
  }

  private settle(program: Running, exit: ProgramExit): void {
    program.exit = exit;
    program.exited.resolve(exit);
  }

  private supervisorExited(): void {
    // Somebody killed the supervisor: what it would have done is done here.
    if (!this.stopping) {
      for (const program of this.programs.values()) {
        if (program.exit === undefined && program.pid !== undefined) killGroup(program.pid);
      }
      rmSync(this.directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    }
    for (const program of this.programs.values()) {
      program.started.reject(new ClusterError('start_failed', 'The supervisor of the cluster is gone.'));
      if (program.exit === undefined) this.settle(program, { code: null, signal: 'SIGKILL' });
    }
    this.gone.resolve(undefined);
  }
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Gone already.
  }
}

/** The last lines of a log file, for an error message; empty when there is none. */
export function lastLines(file: string, count: number): string {
  try {
    return readFileSync(file, 'utf8').trimEnd().split('\n').slice(-count).join('\n');
  } catch {
    return '';
  }
}
