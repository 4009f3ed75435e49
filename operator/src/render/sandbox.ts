import { spawn } from 'node:child_process';

/** What to run, and how much it may use. */
export interface SandboxedCommand {
  readonly prlimit: string;
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The whole environment: nothing of ours is handed on. */
  readonly env: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly maxOutputBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** How a command ended. What it wrote is untrusted. */
export interface SandboxResult {
  readonly ended: 'exit' | 'timeout' | 'output' | 'aborted';
  /** undefined: ended by a signal. */
  readonly exitCode: number | undefined;
  readonly stdout: Buffer;
  /** Its beginning. */
  readonly stderr: string;
}

/** 1 GiB of address space, the least that helm starts with: what a template repeats without end stops here. */
export const ADDRESS_SPACE_BYTES = 1024 ** 3;
/** Processor time, should this process be gone before it can end the command. */
const CPU_SECONDS = 60;
const MAX_STDERR_BYTES = 16 * 1024;

/**
 * Runs a command with bounds on memory, time and output; it cannot write files or dump core. It is a process group of its
 * own, which is killed as a whole.
 *
 * @throws the error of `spawn` when there is no such program
 */
export function runSandboxed(command: SandboxedCommand): Promise<SandboxResult> {
  const { prlimit, program, args, cwd, env, timeoutMs, maxOutputBytes, signal } = command;
  const limits = [`--as=${ADDRESS_SPACE_BYTES}`, `--cpu=${CPU_SECONDS}`, '--core=0', '--fsize=0'];
  return new Promise((resolve, reject) => {
    let ended: SandboxResult['ended'] = 'exit';
    const child = spawn(prlimit, [...limits, '--', program, ...args], {
      cwd,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = (why: SandboxResult['ended']): void => {
      if (ended === 'exit') ended = why;
      killGroup(child.pid);
    };
    const stdout = new Output(maxOutputBytes, () => {
      kill('output');
    });
    const stderr = new Output(MAX_STDERR_BYTES);
    child.stdout.on('data', (piece: Buffer) => {
      stdout.take(piece);
    });
    child.stderr.on('data', (piece: Buffer) => {
      stderr.take(piece);
    });
    const timer = setTimeout(kill, timeoutMs, 'timeout');
    const abort = (): void => {
      kill('aborted');
    };
    if (signal?.aborted === true) abort();
    signal?.addEventListener('abort', abort, { once: true });
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    child.on('error', (error) => {
      finish();
      reject(error);
    });
    child.on('close', (code) => {
      finish();
      resolve({ ended, exitCode: code ?? undefined, stdout: stdout.bytes, stderr: stderr.bytes.toString('utf8') });
    });
  });
}

/** The first bytes of a stream; the rest is read and dropped, so that nobody waits for it to be taken. */
class Output {
  private readonly pieces: Buffer[] = [];
  private length = 0;

  constructor(
    private readonly maxBytes: number,
    private readonly onTooMuch: () => void = () => undefined,
  ) {}

  take(piece: Buffer): void {
    const room = this.maxBytes - this.length;
    if (room > 0) this.pieces.push(piece.subarray(0, room));
    this.length += Math.min(room, piece.length);
    if (piece.length > room) this.onTooMuch();
  }

  get bytes(): Buffer {
    return Buffer.concat(this.pieces);
  }
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
